package app

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lathe/internal/apperr"
	"lathe/internal/chat"
	"lathe/internal/execution"
	"lathe/internal/kernel"
	"lathe/internal/kernel/webview"
	"lathe/internal/model/bundled"
	"lathe/internal/settings"
	"lathe/internal/store"
)

var update = flag.Bool("update", false, "write the golden files")

// TestContract writes one of everything that Go sends to the page; a test of the
// page reads the same file, so that neither side can drift. Turns have a golden
// file of their own.
func TestContract(t *testing.T) {
	stream := execution.Output{Type: kernel.Stream, Name: kernel.Stderr, Text: "head", Tail: "tail", DroppedBytes: 9, DroppedLines: 2}
	picture := execution.Output{
		Type: kernel.DisplayData, DisplayID: "d", Metadata: json.RawMessage(`{"image/png":{"width":5}}`),
		Data:  kernel.MIMEBundle{"text/plain": json.RawMessage(`"<Figure>"`), "application/json": json.RawMessage(`{"a":[1,null]}`)},
		Blobs: map[string]execution.Blob{"image/png": {Hash: strings.Repeat("a", 64), Size: 7, Width: 5, Height: 4}},
	}
	failure := execution.Output{Type: kernel.ErrorOutput, EName: "KeyError", EValue: "'x'", Traceback: []string{"KeyError: 'x'"}}
	notice := execution.Output{Type: kernel.Notice, Code: execution.NoticeTooMany, Params: map[string]string{"limit": "5"}}
	run := execution.Run{
		ID: "r", ChatID: "c", PartID: "p", Ordinal: 1, Engine: kernel.Pyodide, Language: "python", Code: "x",
		State: execution.Failed, StateLost: true, StartedAt: 5, DurationMS: 6,
		Error:   apperr.New(apperr.KernelStartFailed, "detail", "no wasm"),
		Outputs: []execution.Output{stream, picture, failure, notice},
	}
	conversation := chat.Chat{ID: "c", Title: "T", AgentID: "a", LeafID: "m", CreatedAt: 1, UpdatedAt: 2}
	message := chat.Message{
		ID: "m", ChatID: "c", Role: chat.Assistant, State: chat.Failed, Model: "s/m", CreatedAt: 3, Parts: []chat.Part{
			{ID: "p", Kind: chat.Text, Text: "words", Done: true},
			{ID: "q", Kind: chat.Reasoning, Text: "thoughts", DurationMS: 4, Done: true},
			{ID: "e", Kind: chat.ErrorPart, Error: apperr.New(apperr.ModelBroken, "server", "S"), Done: true},
		},
	}
	events := []Event{
		{Topic: TopicRun, Run: &execution.Event{ChatID: "c", RunID: "r", Type: execution.RunStarted, Run: &run}},
		{Topic: TopicRun, Run: &execution.Event{ChatID: "c", RunID: "r", Seq: 1, Type: execution.RunOutputs, Ops: []execution.OutputOp{
			{Op: execution.OpSet, Index: 0, Output: &picture},
			{Op: execution.OpAppend, Index: 0, Text: "more"},
			{Op: execution.OpTail, Index: 0, Text: "end", DroppedBytes: 3, DroppedLines: 1},
			{Op: execution.OpClear},
		}}},
		{Topic: TopicRun, Run: &execution.Event{ChatID: "c", RunID: "r", Seq: 2, Type: execution.RunFinished, Run: &run}},
		{Topic: TopicSession, Session: &execution.SessionState{ChatID: "c", Engine: kernel.Pyodide, Phase: kernel.Busy, Variables: 3}},
		{Topic: TopicModels},
		{Topic: TopicKernel, Kernel: &webview.Request{Type: webview.Start, KernelID: "k"}},
		{Topic: TopicKernel, Kernel: &webview.Request{Type: webview.Execute, KernelID: "k", RunID: "r", Code: "1+1"}},
		{Topic: TopicKernel, Kernel: &webview.Request{Type: webview.Interrupt, KernelID: "k", RunID: "r"}},
		{Topic: TopicKernel, Kernel: &webview.Request{Type: webview.Restart, KernelID: "k"}},
		{Topic: TopicKernel, Kernel: &webview.Request{Type: webview.Close, KernelID: "k"}},
	}
	golden := map[string]any{
		"events": events,
		"chatView": ChatView{
			Chat: conversation, Messages: []chat.Message{message}, Runs: []execution.Run{run},
			Drafts: []store.Draft{{PartID: "p", Ordinal: 1, Code: "y"}}, Seqs: map[string]int{"m": 4, "r": 0},
		},
		"chatPage": ChatPage{Chats: []chat.Chat{conversation}, Next: "2 c"},
		"modelsView": ModelsView{
			Servers: []ModelServer{{
				ID: "s", Name: "S", Kind: "ollama", URL: "http://127.0.0.1:1", Origin: OriginAdded, State: bundled.Failed,
				Version: "1", Error: apperr.New(apperr.ModelUnreachable, "server", "S", "url", "u"), Locked: true,
				Models: []ModelInfo{{Ref: "s/m", Name: "m", Title: "M", Size: 1, ContextLength: 2, Capabilities: []string{"tools"}, Included: true}},
			}},
			Default: "s/m", Effective: "s/m", Locked: true,
		},
		"settingsView": SettingsView{
			General: settings.Defaults().General, CodeExecution: CodeExecutionView{Enabled: true, Engine: "pyodide", TimeoutSeconds: 60},
			Agents:       []AgentView{{ID: "a", Name: "A", Icon: "i", Model: "s/m", CodeInterpreter: "default_off"}},
			DefaultAgent: "a", Locked: []string{"general.theme"}, DataFolder: "/data", Version: "1",
			ManagedError: apperr.New(apperr.ManagedInvalid, "path", "p", "line", "2", "detail", "d"),
		},
	}
	got, err := json.MarshalIndent(golden, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", "contract.golden.json")
	if *update {
		if err := os.WriteFile(path, append(got, '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.TrimSpace(string(want)) != string(got) {
		t.Errorf("what is sent differs from %s; look at it, and run with -update when it is right:\n%s", path, got)
	}
}
