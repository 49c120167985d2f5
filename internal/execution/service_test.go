package execution_test

import (
	"context"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"lathe/internal/apperr"
	"lathe/internal/chat"
	"lathe/internal/execution"
	"lathe/internal/files"
	"lathe/internal/kernel"
	"lathe/internal/settings"
	"lathe/internal/store"
)

// scripted is a kernel that does what the code names; the engines' own tests
// run real interpreters.
type scripted struct {
	states chan kernel.State
	once   sync.Once
}

func (k *scripted) Execute(ctx context.Context, r kernel.Request, sink func(kernel.Event)) (kernel.Reply, error) {
	sink(kernel.Event{Type: kernel.Stream, Name: kernel.Stdout, Text: "began\n"})
	switch r.Code {
	case "wait":
		<-ctx.Done()
		return kernel.Reply{Status: kernel.StatusStopped}, nil
	case "timeout":
		return kernel.Reply{Status: kernel.StatusTimeout, StateLost: true, Duration: r.Timeout}, nil
	case "lost":
		return kernel.Reply{Status: kernel.StatusLost, StateLost: true}, nil
	case "broken":
		return kernel.Reply{}, apperr.New(apperr.KernelStartFailed, "detail", "no wasm")
	case "ask":
		text, err := r.Stdin(ctx, kernel.Prompt{Text: "Who? ", Password: true})
		if err != nil {
			return kernel.Reply{}, err
		}
		sink(kernel.Event{Type: kernel.Stream, Name: kernel.Stdout, Text: "<" + text + ">"})
	case "raise":
		sink(kernel.Event{Type: kernel.ErrorOutput, EName: "ValueError"})
		return kernel.Reply{Status: kernel.StatusError}, nil
	}
	return kernel.Reply{Status: kernel.StatusOK, Duration: 7 * time.Millisecond}, nil
}
func (k *scripted) Interrupt(context.Context) error { return nil }
func (k *scripted) Restart(context.Context) error   { return nil }
func (k *scripted) Close() error                    { k.once.Do(func() { close(k.states) }); return nil }
func (k *scripted) States() <-chan kernel.State     { return k.states }

type bench struct {
	t       *testing.T
	store   *store.Store
	service *execution.Service
	config  settings.CodeExecution

	mu     sync.Mutex
	events []execution.Event
	ends   chan execution.Event
}

func newBench(t *testing.T) *bench {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "lathe.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	err = s.BeginTurn(t.Context(), chat.Turn{
		NewChat: true, Chat: chat.Chat{ID: "c", Title: "x", AgentID: "a", LeafID: "m"},
		Messages: []chat.Message{{
			ID: "m", ChatID: "c", Role: chat.Assistant, State: chat.Done,
			Parts: []chat.Part{{ID: "p", Kind: chat.Text, Text: "code", Done: true}},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, store: s, config: settings.Defaults().CodeExecution, ends: make(chan execution.Event, 16)}
	b.service = execution.NewService(execution.Options{
		Store: s, Blobs: files.NewBlobs(t.TempDir()),
		Settings: func() settings.CodeExecution { return b.config },
		Engines: map[kernel.Engine]execution.Starter{
			kernel.Pyodide: func(context.Context, string) (kernel.Kernel, error) {
				return &scripted{states: make(chan kernel.State)}, nil
			},
		},
		Emit: func(event execution.Event) {
			b.mu.Lock()
			b.events = append(b.events, event)
			b.mu.Unlock()
			if event.Type == execution.RunFinished {
				b.ends <- event
			}
		},
		Session: func(execution.SessionState) {},
	})
	t.Cleanup(b.service.Close)
	return b
}

func (b *bench) run(code string) (execution.Run, error) {
	return b.service.Run(b.t.Context(), execution.Request{ChatID: "c", PartID: "p", Language: "py", Code: code})
}

func TestRunEndsAndIsKept(t *testing.T) {
	tests := map[string]struct {
		state execution.State
		lost  bool
		code  apperr.Code
	}{
		"fine":    {execution.Done, false, ""},
		"raise":   {execution.Failed, false, ""},
		"timeout": {execution.Timeout, true, ""},
		"lost":    {execution.Lost, true, ""},
		"broken":  {execution.Failed, false, apperr.KernelStartFailed},
	}
	for code, want := range tests {
		t.Run(code, func(t *testing.T) {
			b := newBench(t)
			run, err := b.run(code)
			if err != nil {
				t.Fatal(err)
			}
			end := <-b.ends
			if end.Run.State != want.state || end.Run.StateLost != want.lost || end.RunID != run.ID {
				t.Errorf("ended as %+v", end.Run)
			}
			kept, err := b.store.Runs(t.Context(), []string{"p"})
			if err != nil || len(kept) != 1 {
				t.Fatal(kept, err)
			}
			if kept[0].State != want.state || kept[0].Code != code || kept[0].Outputs[0].Text != "began\n" {
				t.Errorf("kept %+v", kept[0])
			}
			if (want.code != "") != (kept[0].Error != nil) {
				t.Errorf("error %v", kept[0].Error)
			}
			for i, event := range b.events {
				if event.Seq != i {
					t.Errorf("event %d has seq %d", i, event.Seq)
				}
			}
			if b.events[0].Type != execution.RunStarted {
				t.Errorf("first event is %s", b.events[0].Type)
			}
		})
	}
}

// C011: pressing Run again while it runs does not run it twice; Stop ends it.
func TestRunTwiceIsOneRun(t *testing.T) {
	b := newBench(t)
	first, err := b.run("wait")
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		again, err := b.run("wait")
		if err != nil || again.ID != first.ID {
			t.Errorf("a second run %s, %v", again.ID, err)
		}
	}
	live, seqs := b.service.Live("c")
	if len(live) != 1 || seqs[first.ID] < 0 {
		t.Errorf("live %v, %v", live, seqs)
	}
	if err := b.service.Stop(t.Context(), first.ID); err != nil {
		t.Fatal(err)
	}
	if end := <-b.ends; end.Run.State != execution.Stopped {
		t.Errorf("ended as %s", end.Run.State)
	}
	if err := b.service.Stop(t.Context(), first.ID); err != nil {
		t.Errorf("stop of an ended run: %v", err)
	}
}

// The runner refuses what the screen would not offer.
func TestRunIsRefused(t *testing.T) {
	b := newBench(t)
	good := execution.Request{ChatID: "c", PartID: "p", Language: "python", Code: "1"}
	tests := map[apperr.Code]func(*execution.Request){
		apperr.NoEngine:    func(r *execution.Request) { r.Language = "bash" },
		apperr.CodeTooLong: func(r *execution.Request) { r.Code = string(make([]byte, execution.MaxCode+1)) },
		apperr.NotFound:    func(r *execution.Request) { r.ChatID = "another" },
		apperr.BadRequest:  func(r *execution.Request) { r.Ordinal = -1 },
	}
	for code, spoil := range tests {
		request := good
		spoil(&request)
		if _, err := b.service.Run(t.Context(), request); !apperr.Is(err, code) {
			t.Errorf("%v, want %s", err, code)
		}
	}
	b.config.Enabled = false
	if _, err := b.service.Run(t.Context(), good); !apperr.Is(err, apperr.ExecutionOff) {
		t.Errorf("switched off: %v", err)
	}
	b.config.Enabled, b.config.Engine = true, "jupyter"
	if _, err := b.service.Run(t.Context(), good); err == nil {
		t.Error("an engine that is not there ran")
	}
	if len(b.events) != 0 {
		t.Errorf("a refused run told %+v", b.events)
	}
}

func TestCloseKeepsRunningRuns(t *testing.T) {
	b := newBench(t)
	if _, err := b.run("wait"); err != nil {
		t.Fatal(err)
	}
	b.service.Close()
	kept, err := b.store.Runs(t.Context(), []string{"p"})
	if err != nil || kept[0].State == execution.Running || kept[0].Outputs[0].Text != "began\n" {
		t.Errorf("kept %+v, %v", kept, err)
	}
	if _, err := b.run("fine"); err == nil {
		t.Error("a run began after Close")
	}
}
