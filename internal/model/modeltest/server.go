// Package modeltest is a model server for tests: a real HTTP server that speaks
// Ollama's protocol and answers what a test has written down.
package modeltest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"
)

// Step is one thing that the server does in an answer.
type Step struct {
	Text      string        // a piece of the answer
	Reasoning string        // a piece of its reasoning
	Pause     time.Duration // before it goes on
	Raw       string        // a line sent as it is
	Status    int           // instead of an answer: this status, with Raw as body
	Break     bool          // the connection breaks
	Hang      bool          // says nothing until the client is gone
	Done      string        // the answer's end, with this reason
}

// Answer is one whole answer in pieces, with its end.
func Answer(pieces ...string) []Step {
	steps := make([]Step, 0, len(pieces)+1)
	for _, piece := range pieces {
		steps = append(steps, Step{Text: piece})
	}
	return append(steps, Step{Done: "stop"})
}

// Model is the name of the model that the server has.
const Model = "scripted:latest"

// Server is a running model server. It ends with its test.
type Server struct {
	URL *url.URL

	mu       sync.Mutex
	answers  [][]Step
	requests []Request
	gone     int
}

// Request is what a client asked for.
type Request struct {
	Model    string         `json:"model"`
	Messages []Message      `json:"messages"`
	Options  map[string]any `json:"options"`
}

// Message is one message of a request.
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// New starts a server that gives the answers one after the other, the last one
// for ever.
func New(t testing.TB, answers ...[]Step) *Server {
	t.Helper()
	s := &Server{answers: answers}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/version", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, map[string]any{"version": "0.17.4"})
	})
	mux.HandleFunc("GET /api/tags", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, map[string]any{"models": []any{map[string]any{
			"name": Model, "model": Model, "size": 1000, "digest": "abc",
		}}})
	})
	mux.HandleFunc("POST /api/show", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, map[string]any{
			"capabilities": []string{"completion"},
			"model_info":   map[string]any{"general.architecture": "llama", "llama.context_length": 4096},
		})
	})
	mux.HandleFunc("POST /api/chat", s.chat)
	server := httptest.NewServer(mux)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	s.URL, _ = url.Parse(server.URL)
	return s
}

// Requests returns the chat requests so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request{}, s.requests...)
}

// Gone returns how many clients closed their connection before the end.
func (s *Server) Gone() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gone
}

func (s *Server) next(r *http.Request) []Step {
	var request Request
	_ = json.NewDecoder(r.Body).Decode(&request)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, request)
	steps := s.answers[0]
	if len(s.answers) > 1 {
		s.answers = s.answers[1:]
	}
	return steps
}

func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	steps := s.next(r)
	controller := http.NewResponseController(w)
	w.Header().Set("Content-Type", "application/x-ndjson")
	for _, step := range steps {
		switch {
		case step.Pause > 0:
			time.Sleep(step.Pause)
		case step.Status > 0:
			w.WriteHeader(step.Status)
			_, _ = w.Write([]byte(step.Raw))
			return
		case step.Break:
			if connection, _, err := controller.Hijack(); err == nil {
				_ = connection.Close()
			}
			return
		case step.Hang:
			<-r.Context().Done()
			s.mu.Lock()
			s.gone++
			s.mu.Unlock()
			return
		default:
			_, _ = w.Write([]byte(line(step) + "\n"))
			_ = controller.Flush()
		}
	}
}

func line(step Step) string {
	if step.Raw != "" {
		return step.Raw
	}
	body := map[string]any{
		"model": Model, "created_at": "2026-01-01T00:00:00Z", "done": step.Done != "",
		"message": map[string]any{"role": "assistant", "content": step.Text, "thinking": step.Reasoning},
	}
	if step.Done != "" {
		body["done_reason"], body["prompt_eval_count"] = step.Done, 12
		body["eval_count"], body["eval_duration"] = 34, int64(time.Second)
	}
	text, _ := json.Marshal(body)
	return string(text)
}

func reply(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body)
}
