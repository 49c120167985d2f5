package store_test

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"lathe/internal/agent"
	"lathe/internal/apperr"
	"lathe/internal/chat"
	"lathe/internal/execution"
	"lathe/internal/kernel"
	"lathe/internal/store"
)

func TestMain(m *testing.M) {
	if path := os.Getenv("LATHE_TEST_WRITER"); path != "" {
		writeForEver(path)
		return
	}
	os.Exit(m.Run())
}

func open(t testing.TB, path string) *store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// question is a turn with a person's message and a running answer.
func question(chatID, text string, fresh bool, at int64) chat.Turn {
	ask, answer := chatID+"-ask", chatID+"-answer"
	return chat.Turn{
		NewChat: fresh,
		Chat:    chat.Chat{ID: chatID, Title: text, AgentID: "assistant", LeafID: answer, CreatedAt: at, UpdatedAt: at},
		Messages: []chat.Message{
			{ID: ask, ChatID: chatID, Role: chat.User, State: chat.Done, CreatedAt: at, Parts: []chat.Part{
				{ID: ask + "-text", Kind: chat.Text, Text: text, Done: true},
			}},
			{ID: answer, ChatID: chatID, ParentID: ask, Role: chat.Assistant, State: chat.Running, CreatedAt: at},
		},
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestReopenShowsWhatWasKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "with space & percent%.db")
	s := open(t, path)
	ctx := t.Context()
	must(t, s.BeginTurn(ctx, question("c1", "What is 1+1?", true, 1)))
	part := chat.Part{ID: "p1", Kind: chat.Text}
	must(t, s.AddPart(ctx, "c1-answer", 0, part))
	part.Text = "```python\nprint(1+1)\n```"
	must(t, s.FinishPart(ctx, part))
	must(t, s.AddPart(ctx, "c1-answer", 1, chat.Part{
		ID: "p2", Kind: chat.ErrorPart, Done: true, Error: apperr.New(apperr.ModelBroken, "server", "x"),
	}))
	must(t, s.FinishTurn(ctx, "c1-answer", "server/model", chat.Failed, chat.Usage{OutputTokens: 3}))
	run := execution.Run{
		ID: "r1", ChatID: "c1", PartID: "p1", Engine: kernel.Pyodide, Language: "python",
		Code: "print(1+1) # <&>\\", State: execution.Running, StartedAt: 5,
	}
	must(t, s.StartRun(ctx, run))
	run.State, run.DurationMS = execution.Done, 12
	run.Outputs = []execution.Output{
		{Type: kernel.Stream, Name: kernel.Stdout, Text: "2\n"},
		{Type: kernel.DisplayData, Blobs: map[string]execution.Blob{"image/png": {Hash: "h", Size: 9}}},
	}
	must(t, s.FinishRun(ctx, run))
	must(t, s.SaveDraft(ctx, store.Draft{PartID: "p1", Ordinal: 0, Code: "print(3)"}))
	must(t, s.Close())

	s = open(t, path)
	kept, err := s.Chat(ctx, "c1")
	must(t, err)
	branch, err := s.Branch(ctx, kept.LeafID)
	must(t, err)
	if len(branch) != 2 || branch[1].State != chat.Failed || branch[1].Model != "server/model" ||
		branch[1].Parts[0].Text != part.Text || branch[1].Parts[1].Error.Code != apperr.ModelBroken {
		t.Errorf("messages: %+v", branch)
	}
	runs, err := s.Runs(ctx, []string{"p1", "p2"})
	must(t, err)
	if len(runs) != 1 || runs[0].Code != run.Code || runs[0].State != execution.Done ||
		len(runs[0].Outputs) != 2 || runs[0].Outputs[0].Text != "2\n" || runs[0].Outputs[1].Blobs["image/png"].Size != 9 {
		t.Errorf("runs: %+v", runs)
	}
	drafts, err := s.Drafts(ctx, []string{"p1"})
	must(t, err)
	if len(drafts) != 1 || drafts[0].Code != "print(3)" {
		t.Errorf("drafts: %+v", drafts)
	}
}

func TestRecoverInterruptsWhatRan(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "lathe.db"))
	ctx := t.Context()
	must(t, s.BeginTurn(ctx, question("c1", "Tell me", true, 1)))
	must(t, s.AddPart(ctx, "c1-answer", 0, chat.Part{ID: "p1", Kind: chat.Text}))
	must(t, s.GrowPart(ctx, "p1", "Half an answer about walruses"))
	must(t, s.StartRun(ctx, execution.Run{
		ID: "r1", ChatID: "c1", PartID: "c1-ask-text", Engine: kernel.Pyodide, State: execution.Running,
	}))
	must(t, s.Recover(ctx))
	branch, err := s.Branch(ctx, "c1-answer")
	must(t, err)
	answer := branch[1]
	if answer.State != chat.Interrupted || !answer.Parts[0].Done || answer.Parts[0].Text != "Half an answer about walruses" {
		t.Errorf("answer: %+v", answer)
	}
	runs, err := s.Runs(ctx, []string{"c1-ask-text"})
	must(t, err)
	if runs[0].State != execution.Lost || !runs[0].StateLost {
		t.Errorf("run: %+v", runs[0])
	}
	found, err := s.Search(ctx, "walrus")
	must(t, err)
	if len(found) != 1 {
		t.Errorf("the interrupted text is not found: %v", found)
	}
}

func TestSearch(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "lathe.db"))
	ctx := t.Context()
	for i, text := range []string{"Fit a curve", "Ölpreise 中文字符 in Ägypten", `Say "quoted" AND 100%_sure`} {
		must(t, s.BeginTurn(ctx, question(fmt.Sprintf("c%d", i), text, true, int64(i))))
	}
	tests := map[string]int{
		"curve": 1, "CURV": 1, "urv": 1, "lpreis": 1, "文字符": 1, `"quoted"`: 1, "quoted\" AND": 1,
		"NEAR(": 0, "nothing": 0, "": 0, "  ": 0, "fi": 1, "%_": 1, "Sa": 1, "zz": 0, "*": 0,
	}
	for query, want := range tests {
		found, err := s.Search(ctx, query)
		if err != nil || len(found) != want {
			t.Errorf("%q finds %d chats (%v), want %d", query, len(found), err, want)
		}
	}
}

func TestListPagesByKey(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "lathe.db"))
	ctx := t.Context()
	const total = 230
	for i := range total {
		// Many of one time: the id decides their order.
		must(t, s.BeginTurn(ctx, question(fmt.Sprintf("c%03d", i), "x", true, int64(i/50))))
	}
	seen, after := map[string]bool{}, ""
	for {
		page, err := s.ListChats(ctx, after)
		must(t, err)
		for _, c := range page.Chats {
			if seen[c.ID] {
				t.Fatalf("%s stands twice", c.ID)
			}
			seen[c.ID] = true
		}
		if after = page.Next; after == "" {
			break
		}
	}
	if len(seen) != total {
		t.Errorf("%d chats listed, want %d", len(seen), total)
	}
	if _, err := s.ListChats(ctx, "nonsense"); !apperr.Is(err, apperr.BadRequest) {
		t.Errorf("bad key: %v", err)
	}
}

func TestSettingsSurvive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lathe.db")
	s := open(t, path)
	first, err := s.Settings(t.Context())
	must(t, err)
	if len(first.Agents) != 2 || !first.CodeExecution.Enabled {
		t.Errorf("first start: %+v", first)
	}
	first.General.Theme = "dark"
	first.Agents = append(first.Agents, agent.Agent{ID: "mine", Name: "Mine", Protocol: agent.ProtocolTag, CodeInterpreter: agent.Off})
	must(t, s.SaveSettings(t.Context(), first))
	must(t, s.Close())
	again, err := open(t, path).Settings(t.Context())
	must(t, err)
	if again.General.Theme != "dark" || len(again.Agents) != 3 || again.Agents[2].Name != "Mine" {
		t.Errorf("kept: %+v", again)
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Run("newer", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "lathe.db")
		must(t, open(t, path).Close())
		raw, err := sql.Open("sqlite3", path)
		must(t, err)
		_, err = raw.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)`)
		must(t, err)
		must(t, raw.Close())
		before, err := os.ReadFile(path)
		must(t, err)
		if _, err := store.Open(t.Context(), path); !apperr.Is(err, apperr.DatabaseNewer) {
			t.Errorf("opened: %v", err)
		}
		after, err := os.ReadFile(path)
		must(t, err)
		if string(before) != string(after) {
			t.Error("the file was changed")
		}
	})
	t.Run("damaged", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "lathe.db")
		must(t, os.WriteFile(path, []byte(strings.Repeat("not a database ", 500)), 0o600))
		if _, err := store.Open(t.Context(), path); !apperr.Is(err, apperr.DatabaseDamaged) {
			t.Errorf("opened: %v", err)
		}
	})
	t.Run("no folder", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "missing", "lathe.db")
		if _, err := store.Open(t.Context(), path); !apperr.Is(err, apperr.DataFolderReadOnly) {
			t.Errorf("opened: %v", err)
		}
	})
}

// writeForEver is the body of a child process: it says each change when it is durable.
func writeForEver(path string) {
	ctx := context.Background()
	s, err := store.Open(ctx, path)
	if err != nil {
		fmt.Println("error", err)
		return
	}
	for i := 0; ; i++ {
		id := fmt.Sprintf("c%06d", i)
		turn := question(id, "walrus", true, int64(i))
		if err := s.BeginTurn(ctx, turn); err != nil {
			fmt.Println("error", err)
			return
		}
		part := chat.Part{ID: id + "-part", Kind: chat.Text}
		if err := s.AddPart(ctx, turn.Chat.LeafID, 0, part); err != nil {
			fmt.Println("error", err)
			return
		}
		part.Text = strings.Repeat(id+" ", 200)
		if err := s.FinishPart(ctx, part); err != nil {
			fmt.Println("error", err)
			return
		}
		fmt.Println(part.ID)
	}
}

// A process that is killed at any moment loses nothing that it was told is durable.
func TestKilledProcessLosesNothing(t *testing.T) {
	for round := range 5 {
		path := filepath.Join(t.TempDir(), "lathe.db")
		child := exec.Command(os.Args[0], "-test.run=^$")
		child.Env = append(os.Environ(), "LATHE_TEST_WRITER="+path)
		out, err := child.StdoutPipe()
		must(t, err)
		must(t, child.Start())
		lines := bufio.NewScanner(out)
		var said []string
		for lines.Scan() {
			if strings.HasPrefix(lines.Text(), "error") {
				t.Fatal(lines.Text())
			}
			said = append(said, strings.TrimSuffix(lines.Text(), "-part"))
			if len(said) == 5+7*round {
				must(t, child.Process.Kill())
			}
		}
		_ = child.Wait()

		s := open(t, path)
		must(t, s.Recover(t.Context()))
		for _, id := range said {
			branch, err := s.Branch(t.Context(), id+"-answer")
			must(t, err)
			if len(branch) != 2 || len(branch[1].Parts) != 1 || !branch[1].Parts[0].Done ||
				branch[1].Parts[0].Text != strings.Repeat(id+" ", 200) || branch[1].State != chat.Interrupted {
				t.Fatalf("round %d: %s was said to be durable and is %+v", round, id, branch)
			}
		}
		must(t, s.Close())
	}
}
