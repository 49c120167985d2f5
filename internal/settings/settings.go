// Package settings holds the settings document: its type, defaults, checks,
// and the administrator's managed file that overrides and locks keys of it.
package settings

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"lathe/internal/agent"
)

// Document is everything that a person or an administrator decides. Its JSON
// keys are a contract: storage, export, import and managed files share them.
type Document struct {
	CodeExecution   CodeExecution   `json:"codeExecution"`
	CodeInterpreter CodeInterpreter `json:"codeInterpreter"`
	Models          Models          `json:"models"`
	Agents          []agent.Agent   `json:"agents"`
	DefaultAgent    string          `json:"defaultAgent"`
	General         General         `json:"general"`
}

// CodeExecution is about code that a person runs.
type CodeExecution struct {
	Enabled        bool    `json:"enabled"`
	Engine         string  `json:"engine"` // pyodide or jupyter
	TimeoutSeconds int     `json:"timeoutSeconds"`
	Jupyter        Jupyter `json:"jupyter"`
}

// CodeInterpreter is about code that an agent runs by itself.
type CodeInterpreter struct {
	Enabled        bool     `json:"enabled"`
	Engine         string   `json:"engine"`
	TimeoutSeconds int      `json:"timeoutSeconds"`
	Jupyter        Jupyter  `json:"jupyter"`
	PromptTemplate string   `json:"promptTemplate"`
	Approval       Approval `json:"approval"`
	MaxRounds      int      `json:"maxRounds"`
}

// Approval says for each engine whether code waits for a person: auto or ask.
type Approval struct {
	Pyodide string `json:"pyodide"`
	Jupyter string `json:"jupyter"`
}

// Jupyter is a connection to a Jupyter server.
type Jupyter struct {
	URL                string `json:"url"`
	Auth               string `json:"auth"` // none, token or password
	Kernel             string `json:"kernel"`
	CAFile             string `json:"caFile"`
	TrustedCertificate string `json:"trustedCertificate"`
	SecretFile         string `json:"secretFile"`
}

// Models is about what answers.
type Models struct {
	Bundled bool     `json:"bundled"` // start the bundled model server
	Servers []Server `json:"servers"`
	Default string   `json:"default"` // "server-id/model"; "" for the starter model
}

// Server is a model server that was added by its URL.
type Server struct {
	ID         string `json:"id"`
	Name       string `json:"name"`
	Kind       string `json:"kind"` // ollama or openai
	URL        string `json:"url"`
	SecretFile string `json:"secretFile"`
}

// General is about the window.
type General struct {
	Theme    string `json:"theme"` // system, light or dark
	Language string `json:"language"`
	TextSize int    `json:"textSize"` // px
	OnClose  string `json:"onClose"`  // quit or keep
}

// The identities of the model servers that nobody has to add.
const (
	BundledServer = "bundled" // the private one
	FoundServer   = "ollama"  // an Ollama that runs already
)

// Defaults is the document of a first start.
func Defaults() Document {
	jupyter := Jupyter{Auth: "none"}
	return Document{
		CodeExecution: CodeExecution{Enabled: true, Engine: "pyodide", TimeoutSeconds: 60, Jupyter: jupyter},
		CodeInterpreter: CodeInterpreter{
			Enabled: true, Engine: "pyodide", TimeoutSeconds: 60, Jupyter: jupyter,
			Approval: Approval{Pyodide: "auto", Jupyter: "ask"}, MaxRounds: 10,
		},
		Models:       Models{Bundled: true, Servers: []Server{}},
		Agents:       agent.Defaults(),
		DefaultAgent: "assistant",
		General:      General{Theme: "system", Language: "en", TextSize: 15, OnClose: "quit"},
	}
}

// InvalidError names a key and why its value was refused.
type InvalidError struct {
	Key    string
	Reason string
}

// Error gives a line for logs.
func (e *InvalidError) Error() string { return e.Key + ": " + e.Reason }

// Validate returns an *InvalidError for the first value that is out of its range.
func (d Document) Validate() error {
	checks := []struct {
		key, value string
		allowed    []string
	}{
		{"codeExecution.engine", d.CodeExecution.Engine, []string{"pyodide", "jupyter"}},
		{"codeExecution.jupyter.auth", d.CodeExecution.Jupyter.Auth, []string{"none", "token", "password"}},
		{"codeInterpreter.engine", d.CodeInterpreter.Engine, []string{"pyodide", "jupyter"}},
		{"codeInterpreter.jupyter.auth", d.CodeInterpreter.Jupyter.Auth, []string{"none", "token", "password"}},
		{"codeInterpreter.approval.pyodide", d.CodeInterpreter.Approval.Pyodide, []string{"auto", "ask"}},
		{"codeInterpreter.approval.jupyter", d.CodeInterpreter.Approval.Jupyter, []string{"auto", "ask"}},
		{"general.theme", d.General.Theme, []string{"system", "light", "dark"}},
		{"general.onClose", d.General.OnClose, []string{"quit", "keep"}},
	}
	for _, c := range checks {
		if !contains(c.allowed, c.value) {
			return &InvalidError{c.key, fmt.Sprintf("%q is none of %s", c.value, strings.Join(c.allowed, ", "))}
		}
	}
	ranges := []struct {
		key             string
		value, min, max int
	}{
		{"codeExecution.timeoutSeconds", d.CodeExecution.TimeoutSeconds, 1, 86400},
		{"codeInterpreter.timeoutSeconds", d.CodeInterpreter.TimeoutSeconds, 1, 86400},
		{"codeInterpreter.maxRounds", d.CodeInterpreter.MaxRounds, 1, 100},
		{"general.textSize", d.General.TextSize, 11, 24},
	}
	for _, r := range ranges {
		if r.value < r.min || r.value > r.max {
			return &InvalidError{r.key, fmt.Sprintf("%d is not between %d and %d", r.value, r.min, r.max)}
		}
	}
	if err := d.validateServers(); err != nil {
		return err
	}
	return d.validateAgents()
}

func (d Document) validateServers() error {
	seen := map[string]bool{BundledServer: true, FoundServer: true}
	for i, server := range d.Models.Servers {
		key := fmt.Sprintf("models.servers[%d]", i)
		switch {
		case server.ID == "" || strings.Contains(server.ID, "/"):
			return &InvalidError{key + ".id", "is empty or has a slash"}
		case seen[server.ID]:
			return &InvalidError{key + ".id", fmt.Sprintf("%q stands twice or is reserved", server.ID)}
		case server.Kind != "ollama" && server.Kind != "openai":
			return &InvalidError{key + ".kind", fmt.Sprintf("%q is none of ollama, openai", server.Kind)}
		}
		if _, err := ParseServerURL(server.URL); err != nil {
			return &InvalidError{key + ".url", err.Error()}
		}
		seen[server.ID] = true
	}
	return nil
}

func (d Document) validateAgents() error {
	seen := map[string]bool{}
	for i, a := range d.Agents {
		key := fmt.Sprintf("agents[%d]", i)
		if err := a.Validate(); err != nil {
			return &InvalidError{key, err.Error()}
		}
		if seen[a.ID] {
			return &InvalidError{key + ".id", fmt.Sprintf("%q stands twice", a.ID)}
		}
		seen[a.ID] = true
	}
	if !seen[d.DefaultAgent] {
		return &InvalidError{"defaultAgent", fmt.Sprintf("there is no agent %q", d.DefaultAgent)}
	}
	return nil
}

// ParseServerURL checks the address of a model server and gives it back
// without query, fragment and trailing slash. An address without scheme gets
// http. Credentials in it are refused, since they would be stored in plain.
func ParseServerURL(text string) (*url.URL, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, errors.New("is empty")
	}
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	switch {
	case err != nil, u.Hostname() == "":
		return nil, errors.New("is not an address such as http://127.0.0.1:11434")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("has the scheme %q; only http and https can be used", u.Scheme)
	case u.User != nil:
		return nil, errors.New("holds a user name or password")
	}
	u.RawQuery, u.Fragment, u.RawFragment = "", "", ""
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), ""
	return u, nil
}

// Agent returns the agent with an id, or the default agent where it is gone.
func (d Document) Agent(id string) agent.Agent {
	var fallback agent.Agent
	for _, a := range d.Agents {
		if a.ID == id {
			return a
		}
		if a.ID == d.DefaultAgent {
			fallback = a
		}
	}
	return fallback
}

func contains(list []string, value string) bool {
	for _, item := range list {
		if item == value {
			return true
		}
	}
	return false
}
