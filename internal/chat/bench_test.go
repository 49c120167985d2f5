package chat_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"lathe/internal/agent"
	"lathe/internal/chat"
	"lathe/internal/model/modeltest"
	"lathe/internal/model/ollama"
	"lathe/internal/store"
)

// bench is an engine on a real store, a real HTTP model server, and a list of
// what was emitted.
type bench struct {
	t      *testing.T
	store  *store.Store
	server *modeltest.Server
	engine *chat.Engine

	mu     sync.Mutex
	events []chat.Event
	ends   chan chat.Event
}

// startAgents are the two agents of a first start.
type startAgents struct{}

func (startAgents) Agent(id string) agent.Agent {
	for _, a := range agent.Defaults() {
		if a.ID == id {
			return a
		}
	}
	return agent.Defaults()[0]
}

type oneModel struct{ target chat.Target }

func (m oneModel) Resolve(context.Context, string) (chat.Target, error) { return m.target, nil }

func newBench(t *testing.T, answers ...[]modeltest.Step) *bench {
	t.Helper()
	b := &bench{t: t, ends: make(chan chat.Event, 16), server: modeltest.New(t, answers...)}
	b.store = openStore(t, filepath.Join(t.TempDir(), "lathe.db"))
	limits := ollama.Limits{First: 2 * time.Second, Next: 2 * time.Second, Quick: 2 * time.Second}
	target := chat.Target{
		Server: ollama.New("Scripted", b.server.URL, limits),
		Name:   modeltest.Model, Ref: "scripted/" + modeltest.Model, ContextLength: 4096,
	}
	// A clock that stands still and ids that count make the events the same each time.
	ids := 0
	b.engine = chat.NewEngine(b.store, oneModel{target}, startAgents{}, b.take, chat.Options{
		Now:   func() time.Time { return time.UnixMilli(1_800_000_000_000) },
		NewID: func() string { ids++; return fmt.Sprintf("id-%03d", ids) },
	})
	t.Cleanup(b.engine.Close)
	return b
}

func openStore(t *testing.T, path string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func (b *bench) take(event chat.Event) {
	b.mu.Lock()
	b.events = append(b.events, event)
	b.mu.Unlock()
	if event.Type == chat.TurnFinished {
		b.ends <- event
	}
}

// ask sends a message and waits for the end of its turn.
func (b *bench) ask(chatID, text string) (chat.Started, chat.Event) {
	b.t.Helper()
	started, err := b.engine.Send(b.t.Context(), chatID, "assistant", text)
	if err != nil {
		b.t.Fatal(err)
	}
	return started, b.end()
}

func (b *bench) end() chat.Event {
	b.t.Helper()
	select {
	case event := <-b.ends:
		return event
	case <-time.After(20 * time.Second):
		b.t.Fatal("the turn did not end")
		return chat.Event{}
	}
}

// checkContract holds what every turn promises: a contiguous seq from 0, one
// start, one end, and that the events told exactly what the store has.
func (b *bench) checkContract() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	next, ended, texts := map[string]int{}, map[string]bool{}, map[string]string{}
	var chatID string
	for _, event := range b.events {
		if event.Seq != next[event.TurnID] || (event.Seq == 0) != (event.Type == chat.TurnStarted) {
			b.t.Fatalf("event out of order: %+v", event)
		}
		if ended[event.TurnID] {
			b.t.Fatalf("event after the end: %+v", event)
		}
		next[event.TurnID]++
		chatID = event.ChatID
		ended[event.TurnID] = event.Type == chat.TurnFinished
		if event.Type == chat.PartAppended {
			texts[event.PartID] += event.Text
		}
	}
	view, err := b.engine.View(b.t.Context(), chatID)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, message := range view.Messages {
		if message.Role == chat.User {
			continue
		}
		for _, part := range message.Parts {
			if !part.Done {
				b.t.Errorf("part %s of an ended turn is not done", part.ID)
			}
			if part.Kind != chat.ErrorPart && part.Text != texts[part.ID] {
				b.t.Errorf("part %s is stored as %q and was told as %q", part.ID, part.Text, texts[part.ID])
			}
		}
	}
}

// await blocks until an event has been emitted that fits.
func (b *bench) await(fits func(chat.Event) bool) {
	b.t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for time.Now().Before(deadline) {
		b.mu.Lock()
		for _, event := range b.events {
			if fits(event) {
				b.mu.Unlock()
				return
			}
		}
		b.mu.Unlock()
		time.Sleep(time.Millisecond)
	}
	b.t.Fatal("the event did not come")
}
