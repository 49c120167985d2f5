// Package ollama speaks to an Ollama server through its own API client, which
// is pinned to the version of the bundled server.
//
// Source of the protocol facts: the client package and API reference of
// github.com/ollama/ollama v0.17.4.
package ollama

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ollama/ollama/api"

	"lathe/internal/apperr"
	"lathe/internal/model"
)

// Server is an Ollama server at one address.
type Server struct {
	name   string
	url    string
	client *api.Client
	limits Limits

	mu      sync.Mutex
	details map[string]model.Info // by digest: what /api/show said, which never changes
}

var _ model.Server = (*Server)(nil)

// Limits bound the waiting for a server that says nothing.
type Limits struct {
	First time.Duration // until the first piece of an answer; a large model loads that long
	Next  time.Duration // between two pieces
	Quick time.Duration // for a whole request that computes nothing
}

// DefaultLimits suit a model that is read from a slow disk.
var DefaultLimits = Limits{First: 10 * time.Minute, Next: 2 * time.Minute, Quick: 10 * time.Second}

// New returns a server; name is what error sentences call it.
func New(name string, base *url.URL, limits Limits) *Server {
	return &Server{
		name: name, url: base.String(), limits: limits,
		client:  api.NewClient(base, &http.Client{Transport: transport{}, CheckRedirect: refuseRedirect}),
		details: map[string]model.Info{},
	}
}

// Client returns the server's own API client, for what only Ollama can do.
func (s *Server) Client() *api.Client { return s.client }

// Version implements model.Server.
func (s *Server) Version(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, s.limits.Quick)
	defer cancel()
	version, err := s.client.Version(ctx)
	if err != nil {
		return "", s.wrap(err, "")
	}
	if version == "" {
		return "", apperr.New(apperr.ModelNotOllama, "url", s.url)
	}
	return version, nil
}

// Models implements model.Server.
func (s *Server) Models(ctx context.Context) ([]model.Info, error) {
	ctx, cancel := context.WithTimeout(ctx, s.limits.Quick)
	defer cancel()
	list, err := s.client.List(ctx)
	if err != nil {
		return nil, s.wrap(err, "")
	}
	infos := make([]model.Info, 0, len(list.Models))
	for _, item := range list.Models {
		infos = append(infos, s.describe(ctx, item))
	}
	slices.SortFunc(infos, func(a, b model.Info) int { return strings.Compare(a.Name, b.Name) })
	return infos, nil
}

// describe adds what /api/show knows. A model whose details can't be read is
// still listed, since it may well answer.
func (s *Server) describe(ctx context.Context, item api.ListModelResponse) model.Info {
	key := item.Digest + " " + item.Name
	s.mu.Lock()
	info, known := s.details[key]
	s.mu.Unlock()
	if known {
		return info
	}
	info = model.Info{Name: item.Name, Title: strings.TrimSuffix(item.Name, ":latest"), Size: item.Size}
	shown, err := s.client.Show(ctx, &api.ShowRequest{Model: item.Name})
	if err != nil {
		return info
	}
	for _, capability := range shown.Capabilities {
		info.Capabilities = append(info.Capabilities, string(capability))
	}
	info.ContextLength = contextLength(shown.ModelInfo)
	s.mu.Lock()
	s.details[key] = info
	s.mu.Unlock()
	return info
}

// contextLength reads "<architecture>.context_length"; 0 where it is absent.
func contextLength(info map[string]any) int {
	architecture, _ := info["general.architecture"].(string)
	length, _ := info[architecture+".context_length"].(float64)
	return int(length)
}

// Chat implements model.Server.
func (s *Server) Chat(ctx context.Context, request model.Request, sink func(model.Delta)) (model.Result, error) {
	// The watch ends the request when the server has said nothing for too long.
	watched, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	limit := s.limits.First
	watch := time.AfterFunc(limit, func() {
		cancel(apperr.New(apperr.ModelSlow, "server", s.name, "seconds", seconds(s.limits.First)))
	})
	defer watch.Stop()

	var result model.Result
	ended := false
	var found verdict
	err := s.client.Chat(context.WithValue(watched, verdictKey{}, &found), wire(request), func(piece api.ChatResponse) error {
		watch.Reset(s.limits.Next)
		if piece.Message.Thinking != "" {
			sink(model.Delta{Reasoning: piece.Message.Thinking})
		}
		if piece.Message.Content != "" {
			sink(model.Delta{Text: piece.Message.Content})
		}
		if piece.Done {
			ended = true
			result = model.Result{
				Stop: model.StopDone, PromptTokens: piece.PromptEvalCount,
				OutputTokens: piece.EvalCount, OutputDuration: piece.EvalDuration,
			}
			if piece.DoneReason == "length" {
				result.Stop = model.StopLength
			}
		}
		return nil
	})
	switch {
	case ended:
		return result, nil
	case ctx.Err() != nil:
		return result, ctx.Err()
	case watched.Err() != nil:
		return result, context.Cause(watched)
	case found.err != nil:
		return result, s.wrap(found.err, request.Model)
	case err != nil:
		return result, s.wrap(err, request.Model)
	default:
		return result, apperr.New(apperr.ModelBroken, "server", s.name)
	}
}

// wire turns a request into Ollama's. keep_alive is left to the server, whose
// owner may have set it.
func wire(request model.Request) *api.ChatRequest {
	messages := make([]api.Message, len(request.Messages))
	for i, message := range request.Messages {
		messages[i] = api.Message{Role: string(message.Role), Content: message.Content}
	}
	options := map[string]any{"num_ctx": request.Options.ContextLength}
	set(options, "temperature", request.Options.Temperature)
	set(options, "top_p", request.Options.TopP)
	set(options, "top_k", request.Options.TopK)
	set(options, "repeat_penalty", request.Options.RepeatPenalty)
	set(options, "seed", request.Options.Seed)
	set(options, "num_predict", request.Options.NumPredict)
	set(options, "num_thread", request.Options.NumThread)
	return &api.ChatRequest{Model: request.Model, Messages: messages, Options: options}
}

func set[T any](options map[string]any, name string, value *T) {
	if value != nil {
		options[name] = *value
	}
}

// wrap gives an error of the client its code.
func (s *Server) wrap(err error, modelName string) error {
	var refused *refusedError
	var network *url.Error
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &refused):
		return s.refusal(refused, modelName)
	case errors.Is(err, errNotProtocol) && modelName != "", errors.Is(err, errTooMuch):
		return apperr.Wrap(err, apperr.ModelBadReply, "server", s.name)
	case errors.Is(err, errNotProtocol):
		return apperr.Wrap(err, apperr.ModelNotOllama, "url", s.url)
	case errors.Is(err, errBodyBroken):
		return apperr.Wrap(err, apperr.ModelBroken, "server", s.name)
	case errors.As(err, &network):
		return apperr.Wrap(err, apperr.ModelUnreachable, "server", s.name, "url", s.url)
	case modelName == "":
		return apperr.Wrap(err, apperr.ModelNotOllama, "url", s.url)
	case tooLarge(err.Error()):
		return apperr.Wrap(err, apperr.ModelTooLarge, "detail", shorten(err.Error()))
	default:
		// The client gives what the server wrote into its stream as plain text.
		return apperr.Wrap(err, apperr.ModelStreamError, "server", s.name, "detail", shorten(err.Error()))
	}
}

func (s *Server) refusal(refused *refusedError, modelName string) error {
	switch {
	case modelName != "" && refused.status == http.StatusNotFound && refused.json:
		return apperr.Wrap(refused, apperr.ModelNotFound, "model", modelName, "server", s.name)
	case modelName == "" && refused.status == http.StatusNotFound:
		return apperr.Wrap(refused, apperr.ModelNotOllama, "url", s.url)
	case tooLarge(refused.detail):
		return apperr.Wrap(refused, apperr.ModelTooLarge, "detail", refused.detail)
	default:
		return apperr.Wrap(refused, apperr.ModelRefused,
			"server", s.name, "status", refused.statusText(), "detail", refused.detail)
	}
}

// tooLarge recognises the server's words for a model that does not fit.
func tooLarge(text string) bool {
	return strings.Contains(text, "requires more system memory") || strings.Contains(text, "out of memory")
}
