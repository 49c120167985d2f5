// Package agent holds what an agent is: a profile that a chat speaks with.
package agent

import (
	"errors"
	"fmt"
)

// Capability says whether an agent may use the code interpreter, and how the
// toggle of its chats stands when nobody touched it.
type Capability string

// The capabilities.
const (
	Off        Capability = "off"
	DefaultOff Capability = "default_off"
	DefaultOn  Capability = "default_on"
)

// Protocol is how a model asks for code to be run.
type Protocol string

// The protocols; ProtocolAuto follows what the server reports.
const (
	ProtocolAuto  Protocol = "auto"
	ProtocolTools Protocol = "tools"
	ProtocolTag   Protocol = "tag"
)

// Agent is a profile. An empty Model means the default model.
type Agent struct {
	ID              string     `json:"id"`
	Name            string     `json:"name"`
	Icon            string     `json:"icon"`
	Model           string     `json:"model"` // "server-id/model"
	SystemPrompt    string     `json:"systemPrompt"`
	Options         Options    `json:"options"`
	Protocol        Protocol   `json:"protocol"`
	CodeInterpreter Capability `json:"codeInterpreter"`
}

// Options are sampling options under Ollama's names. A nil field is left to
// the model.
type Options struct {
	Temperature   *float64 `json:"temperature,omitempty"`
	TopP          *float64 `json:"top_p,omitempty"`
	TopK          *int     `json:"top_k,omitempty"`
	RepeatPenalty *float64 `json:"repeat_penalty,omitempty"`
	Seed          *int     `json:"seed,omitempty"`
	NumPredict    *int     `json:"num_predict,omitempty"` // most tokens of an answer
	NumThread     *int     `json:"num_thread,omitempty"`  // of the model server
	ContextLength *int     `json:"num_ctx,omitempty"`     // tokens
}

// Defaults are the two agents to start with.
func Defaults() []Agent {
	return []Agent{
		{
			ID: "assistant", Name: "Assistant", Icon: "sparkles",
			SystemPrompt: "You are a helpful assistant. Answer briefly. Put code into fenced code blocks that name their language.",
			Protocol:     ProtocolAuto, CodeInterpreter: DefaultOff,
		},
		{
			ID: "data-analyst", Name: "Data analyst", Icon: "chart-column",
			SystemPrompt: "You are a careful data analyst. Work in small steps, check the data before you conclude, " +
				"and put code into fenced code blocks that name their language.",
			Protocol: ProtocolAuto, CodeInterpreter: DefaultOn,
		},
	}
}

// Validate reports the first key with a value that is out of its range, as
// "key: reason".
func (a Agent) Validate() error {
	switch {
	case a.ID == "":
		return errors.New("id: is empty")
	case a.Name == "":
		return errors.New("name: is empty")
	}
	switch a.Protocol {
	case ProtocolAuto, ProtocolTools, ProtocolTag:
	default:
		return fmt.Errorf("protocol: %q is none of auto, tools, tag", a.Protocol)
	}
	switch a.CodeInterpreter {
	case Off, DefaultOff, DefaultOn:
	default:
		return fmt.Errorf("codeInterpreter: %q is none of off, default_off, default_on", a.CodeInterpreter)
	}
	if c := a.Options.ContextLength; c != nil && (*c < 256 || *c > 4_194_304) {
		return fmt.Errorf("options.num_ctx: %d is not between 256 and 4194304", *c)
	}
	if t := a.Options.Temperature; t != nil && (*t < 0 || *t > 5) {
		return fmt.Errorf("options.temperature: %g is not between 0 and 5", *t)
	}
	return nil
}
