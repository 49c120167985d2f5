package chat_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lathe/internal/agent"
	"lathe/internal/apperr"
	"lathe/internal/chat"
	"lathe/internal/model/modeltest"
)

var update = flag.Bool("update", false, "write the golden files")

func TestGoldenEvents(t *testing.T) {
	b := newBench(t,
		[]modeltest.Step{
			{Reasoning: "The person wants "},
			{Reasoning: "a sum."},
			{Text: "\n\n"},
			{Text: "Run this:\n\n```python\nprint("},
			{Text: "1+1)\n```\n"},
			{Done: "stop"},
		},
		[]modeltest.Step{{Text: "Half an ans"}, {Raw: `{"error":"the model runner crashed"}`}},
	)
	started, _ := b.ask("", "What is 1+1?\nShow code.")
	b.ask(started.ChatID, "And now?")
	b.checkContract()

	type item struct {
		Topic string     `json:"topic"`
		Turn  chat.Event `json:"turn"`
	}
	items := []item{}
	for _, event := range b.events {
		// How growing text is cut into events depends on time; one event a part does not.
		last := len(items) - 1
		if event.Type == chat.PartAppended && items[last].Turn.Type == chat.PartAppended {
			items[last].Turn.Text += event.Text
			continue
		}
		if last >= 0 && items[last].Turn.TurnID == event.TurnID {
			event.Seq = items[last].Turn.Seq + 1
		}
		items = append(items, item{"turn", event})
	}
	got, err := json.MarshalIndent(items, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", "turn.golden.json")
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
		t.Errorf("events differ from %s; look at them, and run with -update when they are right:\n%s", path, got)
	}
}

func TestTurnEnds(t *testing.T) {
	long := strings.Repeat("word ", 40_000)
	tests := []struct {
		name  string
		steps []modeltest.Step
		state chat.State
		code  apperr.Code
		text  string
	}{
		{"whole", modeltest.Answer("Hel", "lo"), chat.Done, "", "Hello"},
		{"empty", modeltest.Answer(), chat.Done, "", ""},
		{"200 kB", modeltest.Answer(long[:100_000], long[100_000:]), chat.Done, "", long},
		{"context full", []modeltest.Step{{Text: "a"}, {Done: "length"}}, chat.Limit, apperr.ContextFull, "a"},
		{"error in the stream", []modeltest.Step{{Text: "a"}, {Raw: `{"error":"boom"}`}}, chat.Failed, apperr.ModelStreamError, "a"},
		{"broken connection", []modeltest.Step{{Text: "a"}, {Break: true}}, chat.Failed, apperr.ModelBroken, "a"},
		{"half-closed: no end", []modeltest.Step{{Text: "a"}}, chat.Failed, apperr.ModelBroken, "a"},
		{"no JSON", []modeltest.Step{{Raw: "<html>"}}, chat.Failed, apperr.ModelBadReply, ""},
		{"404", []modeltest.Step{{Status: 404, Raw: `{"error":"model 'x' not found"}`}}, chat.Failed, apperr.ModelNotFound, ""},
		{"500 with an empty body", []modeltest.Step{{Status: 500}}, chat.Failed, apperr.ModelRefused, ""},
		{"500 with HTML", []modeltest.Step{{Status: 502, Raw: "<html>"}}, chat.Failed, apperr.ModelRefused, ""},
		{"too large", []modeltest.Step{{Status: 500, Raw: `{"error":"model requires more system memory (9 GiB)"}`}}, chat.Failed, apperr.ModelTooLarge, ""},
		{"silence", []modeltest.Step{{Text: "a"}, {Hang: true}}, chat.Failed, apperr.ModelSlow, "a"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := newBench(t, test.steps)
			started, end := b.ask("", "Hi")
			if end.State != test.state {
				t.Errorf("state is %s, want %s", end.State, test.state)
			}
			b.checkContract()
			view, err := b.engine.View(t.Context(), started.ChatID)
			if err != nil {
				t.Fatal(err)
			}
			answer := view.Messages[1]
			if answer.State != test.state || answer.Model != "scripted/"+modeltest.Model {
				t.Errorf("stored as %s by %s", answer.State, answer.Model)
			}
			var text string
			var code apperr.Code
			for _, part := range answer.Parts {
				text += part.Text
				if part.Error != nil {
					code = part.Error.Code
				}
			}
			if text != test.text || code != test.code {
				t.Errorf("stored text of %d bytes with error %q, want %d with %q", len(text), code, len(test.text), test.code)
			}
		})
	}
}

func TestStopEndsTheServersComputing(t *testing.T) {
	b := newBench(t, []modeltest.Step{{Text: "Once upon "}, {Hang: true}}, modeltest.Answer("Fine."))
	started, err := b.engine.Send(t.Context(), "", "assistant", "Tell me a story")
	if err != nil {
		t.Fatal(err)
	}
	b.await(func(event chat.Event) bool { return event.Type == chat.PartAppended })
	if _, err := b.engine.Send(t.Context(), started.ChatID, "", "And?"); !apperr.Is(err, apperr.TurnRunning) {
		t.Errorf("a second turn in the chat: %v", err)
	}
	if err := b.engine.Stop(t.Context(), started.ChatID); err != nil {
		t.Fatal(err)
	}
	if end := b.end(); end.State != chat.Cancelled {
		t.Errorf("state is %s", end.State)
	}
	deadline := time.Now().Add(10 * time.Second)
	for b.server.Gone() == 0 {
		if time.Now().After(deadline) {
			t.Fatal("the server was not left")
		}
		time.Sleep(time.Millisecond)
	}
	// What was said stays in the history, and the chat goes on.
	if _, end := b.ask(started.ChatID, "Thanks"); end.State != chat.Done {
		t.Errorf("state is %s", end.State)
	}
	requests := b.server.Requests()
	last := requests[len(requests)-1]
	want := []string{"system", "user", "assistant", "user"}
	if len(last.Messages) != len(want) || last.Messages[2].Content != "Once upon " {
		t.Errorf("sent %+v", last.Messages)
	}
	if last.Options["num_ctx"] != float64(4096) {
		t.Errorf("context length sent: %v", last.Options["num_ctx"])
	}
	b.checkContract()
}

// The agent that is chosen in a chat answers from then on.
func TestAgentOfAChatChanges(t *testing.T) {
	b := newBench(t, modeltest.Answer("Hi"))
	started, _ := b.ask("", "Hi")
	if _, err := b.engine.Send(t.Context(), started.ChatID, "data-analyst", "And now?"); err != nil {
		t.Fatal(err)
	}
	b.end()
	view, err := b.engine.View(t.Context(), started.ChatID)
	if err != nil || view.Chat.AgentID != "data-analyst" {
		t.Errorf("the chat has the agent %q, %v", view.Chat.AgentID, err)
	}
	requests := b.server.Requests()
	if system := requests[1].Messages[0].Content; system != agent.Defaults()[1].SystemPrompt {
		t.Errorf("answered with the prompt %q", system)
	}
	if _, err := b.engine.Send(t.Context(), started.ChatID, "", "Once more"); err != nil {
		t.Fatal(err)
	}
	b.end()
	if view, err = b.engine.View(t.Context(), started.ChatID); err != nil || view.Chat.AgentID != "data-analyst" {
		t.Errorf("then it has %q, %v", view.Chat.AgentID, err)
	}
}

func TestRetryMakesABranch(t *testing.T) {
	b := newBench(t, modeltest.Answer("One"), modeltest.Answer("Two"))
	started, _ := b.ask("", "Hi")
	again, err := b.engine.Retry(t.Context(), started.ChatID)
	if err != nil {
		t.Fatal(err)
	}
	b.end()
	view, err := b.engine.View(t.Context(), started.ChatID)
	if err != nil {
		t.Fatal(err)
	}
	if len(view.Messages) != 2 || view.Messages[1].ID != again.TurnID || view.Messages[1].Parts[0].Text != "Two" {
		t.Errorf("branch: %+v", view.Messages)
	}
	former, err := b.store.Branch(t.Context(), started.TurnID)
	if err != nil || len(former) != 2 || former[1].Parts[0].Text != "One" {
		t.Errorf("former branch: %+v, %v", former, err)
	}
}

func TestCloseInterrupts(t *testing.T) {
	b := newBench(t, []modeltest.Step{{Text: "Begun"}, {Hang: true}})
	started, err := b.engine.Send(t.Context(), "", "assistant", "Hi")
	if err != nil {
		t.Fatal(err)
	}
	b.await(func(event chat.Event) bool { return event.Type == chat.PartAppended })
	b.engine.Close()
	if end := b.end(); end.State != chat.Interrupted {
		t.Errorf("state is %s", end.State)
	}
	branch, err := b.store.Branch(t.Context(), started.TurnID)
	if err != nil || branch[1].Parts[0].Text != "Begun" || !branch[1].Parts[0].Done {
		t.Errorf("kept: %+v, %v", branch, err)
	}
}

// What a person has seen for a moment survives a crash, also when nothing follows it.
func TestGrowingTextIsKept(t *testing.T) {
	b := newBench(t, []modeltest.Step{{Text: "Half an "}, {Hang: true}})
	started, err := b.engine.Send(t.Context(), "", "assistant", "Hi")
	if err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(20 * time.Second)
	for {
		branch, err := b.store.Branch(t.Context(), started.TurnID)
		if err != nil {
			t.Fatal(err)
		}
		if answer := branch[1]; len(answer.Parts) == 1 && answer.Parts[0].Text == "Half an " {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the text never came into the store")
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func TestStoreFailureEndsTheTurn(t *testing.T) {
	b := newBench(t, []modeltest.Step{{Pause: 100 * time.Millisecond}, {Text: "lost"}, {Done: "stop"}})
	if _, err := b.engine.Send(t.Context(), "", "assistant", "Hi"); err != nil {
		t.Fatal(err)
	}
	if err := b.store.Close(); err != nil {
		t.Fatal(err)
	}
	if end := b.end(); end.State != chat.Failed {
		t.Errorf("state is %s", end.State)
	}
}

func TestSendRefuses(t *testing.T) {
	b := newBench(t, modeltest.Answer("Hi"))
	blank, long := " \n\t", strings.Repeat("x", chat.MaxMessage+1)
	if _, err := b.engine.Send(t.Context(), "", "assistant", blank); !apperr.Is(err, apperr.MessageEmpty) {
		t.Errorf("blank: %v", err)
	}
	if _, err := b.engine.Send(t.Context(), "", "assistant", long); !apperr.Is(err, apperr.MessageTooLong) {
		t.Errorf("too long: %v", err)
	}
	if _, err := b.engine.Send(t.Context(), "nowhere", "assistant", "Hi"); !apperr.Is(err, apperr.NotFound) {
		t.Errorf("unknown chat: %v", err)
	}
	if errors.Is(t.Context().Err(), context.Canceled) {
		t.Fatal("context ended early")
	}
}

// A view taken at any moment and the events after its seq together give the whole answer.
func TestViewFitsTheEvents(t *testing.T) {
	steps := []modeltest.Step{}
	for i := range 60 {
		steps = append(steps, modeltest.Step{Text: fmt.Sprintf("%d ", i)}, modeltest.Step{Pause: time.Millisecond})
	}
	b := newBench(t, append(steps, modeltest.Step{Done: "stop"}))
	started, err := b.engine.Send(t.Context(), "", "assistant", "Count")
	if err != nil {
		t.Fatal(err)
	}
	var views []chat.View
	for range 25 {
		view, err := b.engine.View(t.Context(), started.ChatID)
		if err != nil {
			t.Fatal(err)
		}
		views = append(views, view)
		time.Sleep(2 * time.Millisecond)
	}
	b.end()
	final, err := b.engine.View(t.Context(), started.ChatID)
	if err != nil {
		t.Fatal(err)
	}
	want := final.Messages[1].Parts[0].Text
	for _, view := range views {
		answer, running := view.Messages[1], view.Messages[1].State == chat.Running
		text := ""
		if len(answer.Parts) > 0 {
			text = answer.Parts[0].Text
		}
		for _, event := range b.events {
			if running && event.Seq > view.Seqs[started.TurnID] {
				text += event.Text
			}
		}
		if text != want {
			t.Fatalf("view at seq %d and what follows give %q", view.Seqs[started.TurnID], text)
		}
	}
}
