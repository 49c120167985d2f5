package app

import (
	"encoding/json"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lathe/internal/apperr"
	"lathe/internal/model"
	"lathe/internal/model/bundled"
	"lathe/internal/model/modeltest"
	"lathe/internal/model/ollama"
	"lathe/internal/paths"
)

// newApp is an application without a window, on a data folder of its own.
func newApp(t *testing.T, managed string) *App {
	t.Helper()
	t.Setenv("OLLAMA_HOST", "127.0.0.1:1")
	t.Setenv("LATHE_DATA", t.TempDir())
	t.Setenv("LATHE_MANAGED", "")
	if managed != "" {
		path := filepath.Join(t.TempDir(), "managed.json")
		if err := os.WriteFile(path, []byte(managed), 0o600); err != nil {
			t.Fatal(err)
		}
		t.Setenv("LATHE_MANAGED", path)
	}
	data, err := paths.FindData()
	if err != nil {
		t.Fatal(err)
	}
	a, err := New(data, paths.ResourcesIn(filepath.Join(t.TempDir(), "none")))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	return a
}

const noBundled = `{"models": {"bundled": false}}`

func TestCheckLink(t *testing.T) {
	for _, address := range []string{
		"https://example.org/a?b=c#d", "http://127.0.0.1:8080", "mailto:someone@example.org",
		"https://en.example.org/wiki/Python_(programming_language)", "https://example.org/Moore's_law;v=~1!*$",
	} {
		if err := checkLink(address); err != nil {
			t.Errorf("%q: %v", address, err)
		}
	}
	for _, address := range []string{
		"", "file:///etc/passwd", "javascript:alert(1)", "data:text/html,x", "wails://wails/", "https://",
		"mailto:", "//example.org", "http://a\nb", "https://a`id`", `http://a"b`, "vbscript:x", "HTTP:x",
	} {
		if err := checkLink(address); !apperr.Is(err, apperr.LinkRefused) {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// Wails refuses what a shell would read and says nothing; so it must not see any.
func TestEncodeLink(t *testing.T) {
	got := encodeLink("https://example.org/a_(b)/Moore's;~!*$?q={x|y}&z=ä#f")
	want := "https://example.org/a_%28b%29/Moore%27s%3B%7E%21%2A%24?q=%7Bx%7Cy%7D&z=%C3%A4#f"
	if got != want {
		t.Errorf("%s", got)
	}
	if u, err := url.Parse(got); err != nil || u.String() != want || u.Path != "/a_(b)/Moore's;~!*$" {
		t.Errorf("means %v, %v", u, err)
	}
}

func TestSecondStartIsRefusedUntouched(t *testing.T) {
	a := newApp(t, noBundled)
	if _, err := New(a.data, a.resources); !errors.Is(err, ErrRunning) {
		t.Errorf("a second application on the same data: %v", err)
	}
	a.Close()
	again, err := New(a.data, a.resources)
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
}

func TestFoundAndAddedServers(t *testing.T) {
	found, added := modeltest.New(t, modeltest.Answer("Hi")), modeltest.New(t, modeltest.Answer("Hi"))
	a := newApp(t, noBundled)
	t.Setenv("OLLAMA_HOST", found.URL.Host)
	service := &ModelsService{a}
	view := service.Refresh()
	if len(view.Servers) != 1 || view.Servers[0].ID != "ollama" || view.Servers[0].Origin != OriginFound {
		t.Fatalf("found: %+v", view.Servers)
	}
	if view.Effective != "ollama/"+modeltest.Model {
		t.Errorf("answers by default: %q", view.Effective)
	}
	view, err := service.AddServer(" " + added.URL.Host + "/ ")
	if err != nil || len(view.Servers) != 2 {
		t.Fatalf("added: %+v, %v", view.Servers, err)
	}
	id := view.Servers[0].ID
	if _, err := service.AddServer(added.URL.String()); !apperr.Is(err, apperr.ModelServerTwice) {
		t.Errorf("added twice: %v", err)
	}
	if view, err = service.SetDefault(id + "/" + modeltest.Model); err != nil || view.Effective != id+"/"+modeltest.Model {
		t.Errorf("default: %q, %v", view.Effective, err)
	}
	target, err := a.models.Resolve(t.Context(), "")
	if err != nil || target.Name != modeltest.Model || target.ContextLength != 4096 {
		t.Errorf("resolved: %+v, %v", target, err)
	}
	if view, err = service.RemoveServer(id); err != nil || len(view.Servers) != 1 || view.Default != "" {
		t.Errorf("removed: %+v, %v", view, err)
	}
}

// An Ollama that runs already is found by itself, and its models answer.
func TestRealOllamaIsFound(t *testing.T) {
	resources := paths.ResourcesIn(filepath.Join("..", "build", "bin", "resources"))
	folder := t.TempDir()
	running := bundled.Start(bundled.Options{
		Program: filepath.Join(resources.Ollama, "ollama"), Models: filepath.Join(folder, "models"),
		Log:     filepath.Join(folder, "log"),
		Starter: filepath.Join(resources.Starter, "SmolLM2-135M-Instruct.Q4_1.gguf"), Limits: ollama.DefaultLimits,
	})
	defer running.Close()
	if _, err := running.Version(t.Context()); err != nil {
		t.Fatalf("the model server does not run (make build makes it): %v", err)
	}
	a := newApp(t, noBundled)
	t.Setenv("OLLAMA_HOST", strings.TrimPrefix(running.Status().URL, "http://"))
	view := (&ModelsService{a}).Refresh()
	if len(view.Servers) != 1 || view.Servers[0].Version == "" || view.Effective != "ollama/"+bundled.StarterName {
		t.Fatalf("found: %+v", view)
	}
	target, err := a.models.Resolve(t.Context(), "")
	if err != nil || target.ContextLength != 8192 {
		t.Fatalf("%+v, %v", target, err)
	}
	few, one := 4, 1
	answer := ""
	_, err = target.Server.Chat(t.Context(), model.Request{
		Model: target.Name, Messages: []model.Message{{Role: model.User, Content: "Say hello."}},
		Options: model.Options{ContextLength: 512, NumPredict: &few, NumThread: &one},
	}, func(delta model.Delta) { answer += delta.Text })
	if err != nil || answer == "" {
		t.Errorf("answered %q, %v", answer, err)
	}
}

func TestAddServerNamesTheProblem(t *testing.T) {
	service := &ModelsService{newApp(t, noBundled)}
	for address, code := range map[string]apperr.Code{
		"":                     apperr.ModelURLInvalid,
		"ftp://x":              apperr.ModelURLInvalid,
		"http://u:p@host":      apperr.ModelURLInvalid,
		"http://127.0.0.1:1":   apperr.ModelUnreachable,
		"two words":            apperr.ModelURLInvalid,
		"http://127.0.0.1:1/v": apperr.ModelUnreachable,
	} {
		if _, err := service.AddServer(address); !apperr.Is(err, code) {
			t.Errorf("%q: %v, want %s", address, err, code)
		}
	}
}

func TestNoModelIsSaid(t *testing.T) {
	a := newApp(t, noBundled)
	if _, err := a.models.Resolve(t.Context(), ""); !apperr.Is(err, apperr.ModelNone) {
		t.Errorf("%v", err)
	}
	b := newApp(t, "")
	deadline := time.Now().Add(10 * time.Second)
	for !apperr.Is(b.bundled.Status().Err, apperr.ModelServerMissing) {
		if time.Now().After(deadline) {
			t.Fatal("the missing model server was not noticed")
		}
		time.Sleep(time.Millisecond)
	}
	if _, err := b.models.Resolve(t.Context(), ""); !apperr.Is(err, apperr.ModelServerMissing) {
		t.Errorf("%v", err)
	}
}

func TestManagedSettingsLock(t *testing.T) {
	a := newApp(t, `{"general": {"theme": "dark"}, "models": {"bundled": false, "default": "x/y"}, "codeExecution": {"enabled": false}}`)
	view := (&SettingsService{a}).View()
	if view.General.Theme != "dark" || view.CodeExecution.Enabled || view.ManagedError != nil {
		t.Errorf("in force: %+v", view)
	}
	general := view.General
	general.Theme = "light"
	if _, err := (&SettingsService{a}).SetGeneral(general); !apperr.Is(err, apperr.SettingsLocked) {
		t.Errorf("theme: %v", err)
	}
	general.Theme, general.TextSize = "dark", 18
	if view, err := (&SettingsService{a}).SetGeneral(general); err != nil || view.General.TextSize != 18 {
		t.Errorf("text size: %v", err)
	}
	if own := a.config.person.General; own.Theme != "system" {
		t.Errorf("the administrator's theme became the person's: %+v", own)
	}
	if _, err := (&ModelsService{a}).SetDefault("a/b"); !apperr.Is(err, apperr.SettingsLocked) {
		t.Errorf("default model: %v", err)
	}
}

// A managed file that is wrong turns the code features off and says why.
func TestBadManagedFileFailsSafe(t *testing.T) {
	a := newApp(t, "{\n\"codeExecution\": {\"enable\": false}}")
	view := (&SettingsService{a}).View()
	if view.CodeExecution.Enabled || view.ManagedError == nil || view.ManagedError.Code != apperr.ManagedInvalid ||
		view.ManagedError.Params["line"] != "2" || !strings.Contains(view.ManagedError.Params["detail"], "codeExecution.enable") {
		t.Errorf("%+v, %+v", view.CodeExecution, view.ManagedError)
	}
	if a.config.document().CodeInterpreter.Enabled {
		t.Error("the interpreter is on")
	}
}

func TestSettingsRefuseWhatIsInvalid(t *testing.T) {
	a := newApp(t, noBundled)
	general := a.config.document().General
	general.TextSize = 400
	if _, err := (&SettingsService{a}).SetGeneral(general); !apperr.Is(err, apperr.SettingsInvalid) {
		t.Errorf("%v", err)
	}
	if a.config.document().General.TextSize != 15 {
		t.Error("an invalid change was kept")
	}
}

// Whatever a bound method gives back can be marshalled; Wails ends the process otherwise.
func TestViewsMarshal(t *testing.T) {
	a := newApp(t, noBundled)
	for _, view := range []any{(&SettingsService{a}).View(), (&ModelsService{a}).View()} {
		if _, err := json.Marshal(view); err != nil {
			t.Error(err)
		}
	}
	page, err := (&ChatService{a}).List("")
	if body, _ := json.Marshal(page); err != nil || string(body) != `{"chats":[],"next":""}` {
		t.Errorf("%s, %v", body, err)
	}
}

func TestFrameIsReadWithCare(t *testing.T) {
	path := filepath.Join(t.TempDir(), "window.json")
	for body, width := range map[string]int{
		`{"width":900,"height":700}`: 900, `{"width":1,"height":700}`: 1280, `{`: 1280, `{"width":99999,"height":700}`: 1280,
	} {
		if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := loadFrame(path).Width; got != width {
			t.Errorf("%s gives a width of %d", body, got)
		}
	}
}

func TestBridgeKeepsTheOrder(t *testing.T) {
	b := newBridge()
	got := make(chan []Event, 1000)
	go b.run(func(batch []Event) { got <- batch })
	const total = 500
	for i := range total {
		b.add(Event{Topic: Topic(string(rune('a' + i%26)))})
	}
	seen := 0
	for seen < total {
		for _, event := range <-got {
			if event.Topic != Topic(string(rune('a'+seen%26))) {
				t.Fatalf("event %d is %s", seen, event.Topic)
			}
			seen++
		}
	}
	b.close()
}
