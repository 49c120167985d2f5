package chat_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lathe/internal/chat"
	"lathe/internal/model/modeltest"
	"lathe/internal/model/ollama"
	"lathe/internal/store"
)

func TestMain(m *testing.M) {
	if path := os.Getenv("LATHE_TEST_ENGINE"); path != "" {
		answerForEver(path, os.Getenv("LATHE_TEST_SERVER"))
		return
	}
	os.Exit(m.Run())
}

// answerForEver is the body of a child process: it asks again and again, and
// writes each event when it is told.
func answerForEver(path, server string) {
	ctx := context.Background()
	s, err := store.Open(ctx, path)
	if err != nil {
		fmt.Println("error", err)
		return
	}
	base, _ := url.Parse(server)
	ends := make(chan struct{}, 1)
	target := chat.Target{Server: ollama.New("Scripted", base, ollama.DefaultLimits), Name: modeltest.Model, Ref: "s/m"}
	engine := chat.NewEngine(s, oneModel{target}, startAgents{}, func(event chat.Event) {
		line, _ := json.Marshal(event)
		fmt.Println(string(line))
		if event.Type == chat.TurnFinished {
			ends <- struct{}{}
		}
	}, chat.Options{SaveEvery: 5 * time.Millisecond})
	for {
		if _, err := engine.Send(ctx, "", "assistant", "Tell me"); err != nil {
			fmt.Println("error", err)
			return
		}
		<-ends
	}
}

// Killed at any moment of a streamed answer, nothing is lost that was told as
// final, and the cut answer shows as interrupted.
func TestKilledWhileAnswering(t *testing.T) {
	steps := []modeltest.Step{{Reasoning: "Let me think."}}
	for i := range 20 {
		steps = append(steps, modeltest.Step{Text: fmt.Sprintf("word%d ", i)}, modeltest.Step{Pause: 2 * time.Millisecond})
	}
	server := modeltest.New(t, append(steps, modeltest.Step{Done: "stop"}))
	for round := range 8 {
		path := filepath.Join(t.TempDir(), "lathe.db")
		child := exec.Command(os.Args[0], "-test.run=^$")
		child.Env = append(os.Environ(), "LATHE_TEST_ENGINE="+path, "LATHE_TEST_SERVER="+server.URL.String())
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		// #nosec G404 -- any moment will do
		events := readUntilKilled(t, bufio.NewScanner(out), child, 3+rand.IntN(40))
		_ = child.Wait()
		checkKept(t, round, openStore(t, path), events)
	}
}

// readUntilKilled returns what the child told; it is killed after some events.
func readUntilKilled(t *testing.T, lines *bufio.Scanner, child *exec.Cmd, after int) []chat.Event {
	t.Helper()
	var events []chat.Event
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "error") {
			t.Fatal(lines.Text())
		}
		var event chat.Event
		if json.Unmarshal(lines.Bytes(), &event) != nil {
			break // the line that the kill cut
		}
		if events = append(events, event); len(events) == after {
			if err := child.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	return events
}

func checkKept(t *testing.T, round int, s *store.Store, events []chat.Event) {
	t.Helper()
	if err := s.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	texts, final, ended := map[string]string{}, map[string]bool{}, map[string]chat.State{}
	started := map[string]bool{}
	for _, event := range events {
		switch event.Type {
		case chat.TurnStarted:
			started[event.TurnID] = true
		case chat.PartAppended:
			texts[event.PartID] += event.Text
		case chat.PartFinished:
			final[event.PartID] = true
		case chat.TurnFinished:
			ended[event.TurnID] = event.State
		case chat.PartAdded:
		}
	}
	for turn := range started {
		branch, err := s.Branch(t.Context(), turn)
		if err != nil || len(branch) != 2 {
			t.Fatalf("round %d: the turn %s is kept as %+v, %v", round, turn, branch, err)
		}
		answer := branch[1]
		want, whole := ended[turn]
		if whole && answer.State != want || !whole && answer.State != chat.Interrupted && answer.State != chat.Done {
			t.Errorf("round %d: told as %q, kept as %s", round, want, answer.State)
		}
		kept := map[string]chat.Part{}
		for _, part := range answer.Parts {
			kept[part.ID] = part
			if !part.Done {
				t.Errorf("round %d: a part is not done after the recovery", round)
			}
		}
		for id := range final {
			if part, there := kept[id]; there && part.Text != texts[id] {
				t.Errorf("round %d: a final part was told as %q and is kept as %q", round, texts[id], part.Text)
			}
		}
	}
	for id := range final {
		var count int
		for turn := range started {
			branch, err := s.Branch(t.Context(), turn)
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range branch[1].Parts {
				if part.ID == id {
					count++
				}
			}
		}
		if count != 1 {
			t.Errorf("round %d: the final part %s is kept %d times", round, id, count)
		}
	}
}
