package settings

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"lathe/internal/agent"
)

func TestDefaultsAreValid(t *testing.T) {
	if err := Defaults().Validate(); err != nil {
		t.Fatal(err)
	}
}

func TestValidateNamesTheKey(t *testing.T) {
	tests := map[string]func(*Document){
		"codeExecution.engine":           func(d *Document) { d.CodeExecution.Engine = "julia" },
		"codeExecution.timeoutSeconds":   func(d *Document) { d.CodeExecution.TimeoutSeconds = 0 },
		"codeInterpreter.timeoutSeconds": func(d *Document) { d.CodeInterpreter.TimeoutSeconds = -1 },
		"codeInterpreter.maxRounds":      func(d *Document) { d.CodeInterpreter.MaxRounds = 0 },
		"general.theme":                  func(d *Document) { d.General.Theme = "" },
		"general.textSize":               func(d *Document) { d.General.TextSize = 1000 },
		"defaultAgent":                   func(d *Document) { d.DefaultAgent = "nobody" },
		"agents[0]":                      func(d *Document) { d.Agents[0].Protocol = "smoke" },
		"agents[1].id":                   func(d *Document) { d.Agents[1].ID = d.Agents[0].ID },
		"models.servers[0].url":          func(d *Document) { d.Models.Servers = []Server{{ID: "x", Kind: "ollama", URL: "ftp://x"}} },
		"models.servers[0].id":           func(d *Document) { d.Models.Servers = []Server{{ID: "ollama", Kind: "ollama", URL: "http://x"}} },
		"models.servers[0].kind":         func(d *Document) { d.Models.Servers = []Server{{ID: "x", Kind: "y", URL: "http://x"}} },
	}
	for key, spoil := range tests {
		d := Defaults()
		spoil(&d)
		var invalid *InvalidError
		if err := d.Validate(); !errors.As(err, &invalid) || invalid.Key != key {
			t.Errorf("%s: %v", key, err)
		}
	}
}

func TestParseServerURL(t *testing.T) {
	good := map[string]string{
		"127.0.0.1:11434":           "http://127.0.0.1:11434",
		" http://host/ ":            "http://host",
		"https://h/base/?a=b#c":     "https://h/base",
		"http://[::1]:1":            "http://[::1]:1",
		"localhost":                 "http://localhost",
		"HTTP://Host:80/ollama//  ": "http://Host:80/ollama",
	}
	for text, want := range good {
		if u, err := ParseServerURL(text); err != nil || u.String() != want {
			t.Errorf("%q gives %v, %v", text, u, err)
		}
	}
	for _, text := range []string{
		"", "  ", "ftp://x", "http://", "http://user:pw@host", "javascript:alert(1)", "http://a b", "file:///etc/passwd", "://x", "http://h:port",
	} {
		if u, err := ParseServerURL(text); err == nil {
			t.Errorf("%q gives %v", text, u)
		}
	}
}

func TestManagedOverridesAndLocks(t *testing.T) {
	managed, err := parseManaged("m.json", []byte(`{
		"codeExecution": {"enabled": false},
		"models": {"servers": [{"id": "a", "name": "A", "kind": "ollama", "url": "http://a"}], "default": "a/m"},
		"agents": [{"id": "assistant", "name": "House", "codeInterpreter": "off"}, {"id": "new", "name": "New", "codeInterpreter": "default_on"}]
	}`))
	if err != nil {
		t.Fatal(err)
	}
	person := Defaults()
	person.CodeExecution.TimeoutSeconds = 7
	person.Models.Servers = []Server{{ID: "mine", Kind: "ollama", URL: "http://mine"}}
	got := managed.Apply(person)
	if got.CodeExecution.Enabled || got.CodeExecution.TimeoutSeconds != 7 {
		t.Errorf("code execution: %+v", got.CodeExecution)
	}
	if len(got.Models.Servers) != 2 || got.Models.Servers[1].ID != "a" || got.Models.Default != "a/m" {
		t.Errorf("models: %+v", got.Models)
	}
	if len(got.Agents) != 3 || got.Agents[0].Name != "House" || got.Agents[2].CodeInterpreter != agent.DefaultOn {
		t.Errorf("agents: %+v", got.Agents)
	}
	if len(person.Agents) != 2 || person.Agents[0].Name == "House" || len(person.Models.Servers) != 1 {
		t.Error("the person's document was changed")
	}
	want := []string{"agents.assistant", "agents.new", "codeExecution.enabled", "models.default", "models.servers.a"}
	if !reflect.DeepEqual(managed.Locked, want) {
		t.Errorf("locked: %v", managed.Locked)
	}
	for key, locked := range map[string]bool{
		"codeExecution.enabled": true, "codeExecution.timeoutSeconds": false, "agents.assistant.name": true,
		"agents.data-analyst": false, "models.servers.a": true, "models.servers.ab": false,
	} {
		if managed.Locks(key) != locked {
			t.Errorf("%s is locked: %v", key, !locked)
		}
	}
}

func TestManagedErrorsNameKeyAndLine(t *testing.T) {
	tests := []struct {
		body, key string
		line      int
	}{
		{"{\n \"codeExecution\": {\n  \"enable\": true}}", "codeExecution.enable", 3},
		{"{\"general\":\n{\"textSize\": \"big\"}}", "general.textSize", 2},
		{"{\"general\":\n{\"textSize\": 15.5}}", "general.textSize", 2},
		{"{\"agents\": [\n{\"id\": \"x\", \"nam\": 1}]}", "agents[0].nam", 2},
		{"{\"models\": []}", "models", 1},
		{"{\n\n\"models\"", "models", 3},
		{"[]", "", 1},
		{"", "", 1},
		{"{} {}", "", 1},
		{"{} x", "", 1},
		{"{\"general\": {\"theme\": \"pink\"}}", "general.theme", 1},
	}
	for _, test := range tests {
		var wrong *ManagedError
		_, err := parseManaged("m.json", []byte(test.body))
		if !errors.As(err, &wrong) || wrong.Key != test.key || wrong.Line != test.line {
			t.Errorf("%q: %v", test.body, err)
		}
	}
}

func TestLoadManaged(t *testing.T) {
	if _, err := os.Stat(ManagedPath); err == nil {
		t.Fatal("this machine is managed; the test would read its file")
	}
	t.Setenv("LATHE_MANAGED", "")
	if managed, err := LoadManaged(); err != nil || len(managed.Locked) != 0 {
		t.Errorf("without a file: %+v, %v", managed, err)
	}
	t.Setenv("LATHE_MANAGED", filepath.Join(t.TempDir(), "missing.json"))
	if _, err := LoadManaged(); err == nil {
		t.Error("a named file that is missing was passed over")
	}
}

// The document's keys are a contract.
func TestDocumentKeys(t *testing.T) {
	body, err := json.Marshal(Defaults())
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{
		`"timeoutSeconds":60`, `"caFile":""`, `"trustedCertificate":""`, `"secretFile":""`, `"promptTemplate":""`,
		`"approval":{"pyodide":"auto","jupyter":"ask"}`, `"maxRounds":10`, `"bundled":true`, `"defaultAgent":"assistant"`,
		`"onClose":"quit"`, `"textSize":15`, `"codeInterpreter":"default_off"`,
	} {
		if !strings.Contains(string(body), key) {
			t.Errorf("%s is missing", key)
		}
	}
}
