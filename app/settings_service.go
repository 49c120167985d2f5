package app

import (
	"lathe/internal/agent"
	"lathe/internal/apperr"
	"lathe/internal/settings"
)

// Version is the application's version.
const Version = "0.1.0"

// SettingsService is what the page calls about settings.
type SettingsService struct{ app *App }

// SettingsView is what the page may know of the settings; secrets are no part of it.
type SettingsView struct {
	General       settings.General  `json:"general"`
	CodeExecution CodeExecutionView `json:"codeExecution"`
	Agents        []AgentView       `json:"agents"`
	DefaultAgent  string            `json:"defaultAgent"`
	Locked        []string          `json:"locked"`
	ManagedError  *apperr.Error     `json:"managedError,omitempty"`
	DataFolder    string            `json:"dataFolder"`
	Version       string            `json:"version"`
}

// CodeExecutionView is what the page needs to offer Run.
type CodeExecutionView struct {
	Enabled        bool   `json:"enabled"`
	Engine         string `json:"engine"`
	TimeoutSeconds int    `json:"timeoutSeconds"`
}

// AgentView is an agent in the list of the composer.
type AgentView struct {
	ID              string           `json:"id"`
	Name            string           `json:"name"`
	Icon            string           `json:"icon"`
	Model           string           `json:"model"`
	CodeInterpreter agent.Capability `json:"codeInterpreter"`
}

// View returns the settings in force.
func (s *SettingsService) View() SettingsView {
	document := s.app.config.document()
	view := SettingsView{
		General: document.General,
		CodeExecution: CodeExecutionView{
			Enabled: document.CodeExecution.Enabled, Engine: document.CodeExecution.Engine,
			TimeoutSeconds: document.CodeExecution.TimeoutSeconds,
		},
		Agents: []AgentView{}, DefaultAgent: document.DefaultAgent,
		Locked:       append([]string{}, s.app.config.managed.Locked...),
		ManagedError: s.app.config.managedError,
		DataFolder:   s.app.data.Root, Version: Version,
	}
	for _, a := range document.Agents {
		view.Agents = append(view.Agents, AgentView{a.ID, a.Name, a.Icon, a.Model, a.CodeInterpreter})
	}
	return view
}

// SetGeneral changes the window's settings.
func (s *SettingsService) SetGeneral(general settings.General) (SettingsView, error) {
	now := s.app.config.document().General
	changes := []struct {
		key     string
		differs bool
		apply   func(*settings.General)
	}{
		{"general.theme", now.Theme != general.Theme, func(g *settings.General) { g.Theme = general.Theme }},
		{"general.language", now.Language != general.Language, func(g *settings.General) { g.Language = general.Language }},
		{"general.textSize", now.TextSize != general.TextSize, func(g *settings.General) { g.TextSize = general.TextSize }},
		{"general.onClose", now.OnClose != general.OnClose, func(g *settings.General) { g.OnClose = general.OnClose }},
	}
	for _, change := range changes {
		if err := s.app.config.locked(change.key); change.differs && err != nil {
			return SettingsView{}, err
		}
	}
	// What the administrator has set does not become the person's own.
	err := s.app.config.change(s.app.context(), func(d *settings.Document) {
		for _, change := range changes {
			if change.differs {
				change.apply(&d.General)
			}
		}
	})
	return s.View(), err
}

// CodeExecutionChange is what the page may change of code execution.
type CodeExecutionChange struct {
	Enabled        bool `json:"enabled"`
	TimeoutSeconds int  `json:"timeoutSeconds"`
}

// SetCodeExecution changes whether blocks can be run, and how long they may
// take. A run that goes on keeps the limit it began with.
func (s *SettingsService) SetCodeExecution(change CodeExecutionChange) (SettingsView, error) {
	now := s.app.config.document().CodeExecution
	enabled, limit := now.Enabled != change.Enabled, now.TimeoutSeconds != change.TimeoutSeconds
	if enabled {
		// A managed file that was refused has turned this off, whatever the person wants.
		if s.app.config.managedError != nil {
			return SettingsView{}, s.app.config.managedError
		}
		if err := s.app.config.locked("codeExecution.enabled"); err != nil {
			return SettingsView{}, err
		}
	}
	if limit {
		if err := s.app.config.locked("codeExecution.timeoutSeconds"); err != nil {
			return SettingsView{}, err
		}
	}
	// What the administrator has set does not become the person's own.
	err := s.app.config.change(s.app.context(), func(d *settings.Document) {
		if enabled {
			d.CodeExecution.Enabled = change.Enabled
		}
		if limit {
			d.CodeExecution.TimeoutSeconds = change.TimeoutSeconds
		}
	})
	return s.View(), err
}
