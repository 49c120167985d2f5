package ollama

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"lathe/internal/apperr"
	"lathe/internal/model"
	"lathe/internal/model/modeltest"
)

var quick = Limits{First: 2 * time.Second, Next: 2 * time.Second, Quick: 2 * time.Second}

func TestModelsAndChat(t *testing.T) {
	scripted := modeltest.New(t, []modeltest.Step{{Reasoning: "Hm."}, {Text: "Hel"}, {Text: "lo"}, {Done: "stop"}})
	server := New("Scripted", scripted.URL, quick)
	if version, err := server.Version(t.Context()); err != nil || version != "0.17.4" {
		t.Errorf("version %q, %v", version, err)
	}
	models, err := server.Models(t.Context())
	if err != nil || len(models) != 1 || models[0].ContextLength != 4096 || models[0].Title != "scripted" {
		t.Errorf("models %+v, %v", models, err)
	}
	var text, reasoning string
	temperature := 0.0
	result, err := server.Chat(t.Context(), model.Request{
		Model: modeltest.Model, Messages: []model.Message{{Role: model.User, Content: "Hi"}},
		Options: model.Options{ContextLength: 2048, Temperature: &temperature},
	}, func(delta model.Delta) { text += delta.Text; reasoning += delta.Reasoning })
	if err != nil || text != "Hello" || reasoning != "Hm." {
		t.Errorf("answer %q, reasoning %q, %v", text, reasoning, err)
	}
	if result.OutputTokens != 34 || result.PromptTokens != 12 || result.OutputDuration != time.Second {
		t.Errorf("result %+v", result)
	}
	sent := scripted.Requests()[0]
	if sent.Options["num_ctx"] != float64(2048) || sent.Options["temperature"] != float64(0) {
		t.Errorf("options sent: %v", sent.Options)
	}
	if _, set := sent.Options["top_p"]; set {
		t.Error("an option that nobody set was sent")
	}
}

func address(t *testing.T, handler http.HandlerFunc) *url.URL {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// What is no Ollama, or is not there, is said so.
func TestVersionNamesTheProblem(t *testing.T) {
	tests := map[string]struct {
		handler http.HandlerFunc
		code    apperr.Code
	}{
		"web page":    {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) }, apperr.ModelNotOllama},
		"other JSON":  {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("{}")) }, apperr.ModelNotOllama},
		"not found":   {http.NotFound, apperr.ModelNotOllama},
		"unavailable": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }, apperr.ModelRefused},
		"redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusFound)
		}, apperr.ModelUnreachable},
		"huge header": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Big", strings.Repeat("x", 1<<20))
		}, apperr.ModelUnreachable},
		"endless silence": {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, apperr.ModelUnreachable},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			limits := quick
			limits.Quick = 300 * time.Millisecond
			_, err := New("X", address(t, test.handler), limits).Version(t.Context())
			if !apperr.Is(err, test.code) {
				t.Errorf("%v, want %s", err, test.code)
			}
		})
	}
	closed, _ := url.Parse("http://127.0.0.1:1")
	if _, err := New("X", closed, quick).Version(t.Context()); !apperr.Is(err, apperr.ModelUnreachable) {
		t.Errorf("nobody there: %v", err)
	}
}

func TestServersWordsAreBounded(t *testing.T) {
	scripted := modeltest.New(t, []modeltest.Step{{Status: 500, Raw: `{"error":"` + strings.Repeat("ü", 50_000) + `"}`}})
	_, err := New("X", scripted.URL, quick).Chat(t.Context(), model.Request{Model: "m"}, func(model.Delta) {})
	coded := apperr.Of(err)
	if coded.Code != apperr.ModelRefused || len(coded.Params["detail"]) > maxDetail+len("…") ||
		coded.Params["status"] != "500 Internal Server Error" {
		t.Errorf("%s with %d bytes of detail", coded.Code, len(coded.Params["detail"]))
	}
}

func TestCancelIsNoFailure(t *testing.T) {
	scripted := modeltest.New(t, []modeltest.Step{{Text: "a"}, {Hang: true}})
	ctx, cancel := context.WithCancel(t.Context())
	_, err := New("X", scripted.URL, quick).Chat(ctx, model.Request{Model: "m"}, func(model.Delta) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
