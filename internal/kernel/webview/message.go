// Package webview is the engine that runs Python in the application's own web
// view: Pyodide, one web worker a kernel. Go decides what runs and when it has
// to end; the page only carries out.
//
// Requests go to the page through the function given to NewHost, and come back
// as messages through Host.Deliver. The page names itself with Host.Hello: what
// an earlier page held is gone.
package webview

import (
	"errors"
	"fmt"

	"lathe/internal/kernel"
)

// RequestType tells what the page is asked to do.
type RequestType string

// The requests.
const (
	Start     RequestType = "start"
	Execute   RequestType = "execute"
	Interrupt RequestType = "interrupt"
	Restart   RequestType = "restart"
	Close     RequestType = "close"
)

// Request is what the page is asked to do with one kernel.
type Request struct {
	Type     RequestType `json:"type"`
	KernelID string      `json:"kernelId"`
	RunID    string      `json:"runId,omitempty"` // execute, interrupt
	Code     string      `json:"code,omitempty"`  // execute
}

// MessageType tells which fields of a Message are set.
type MessageType string

// The messages.
const (
	StateMessage   MessageType = "state"
	StartedMessage MessageType = "started"
	EventMessage   MessageType = "event"
	ReplyMessage   MessageType = "reply"
)

// The reasons of a kernel that is dead.
const (
	reasonUnsupported = "unsupported"
)

// Message is what the page says of one kernel. Its content comes from a worker
// that runs untrusted code.
type Message struct {
	Type     MessageType `json:"type"`
	KernelID string      `json:"kernelId"`
	RunID    string      `json:"runId,omitempty"` // all but state

	Phase     kernel.Phase `json:"phase,omitempty"` // state
	Variables int          `json:"variables"`
	Reason    string       `json:"reason,omitempty"` // with dead
	Detail    string       `json:"detail,omitempty"`

	Event *kernel.Event `json:"event,omitempty"` // event

	Status     kernel.Status `json:"status,omitempty"` // reply
	StateLost  bool          `json:"stateLost,omitempty"`
	DurationMS float64       `json:"durationMs,omitempty"`
}

// Validate reports the first thing that makes the message unfit to be acted on.
func (m Message) Validate() error {
	switch m.Type {
	case StateMessage:
		switch m.Phase {
		case kernel.Starting, kernel.Idle, kernel.Busy, kernel.Dead:
		default:
			return fmt.Errorf("phase %q", m.Phase)
		}
		if m.Variables < -1 {
			return fmt.Errorf("%d variables", m.Variables)
		}
		return nil
	case StartedMessage:
	case EventMessage:
		if m.Event == nil {
			return errors.New("event message without an event")
		}
		if err := m.Event.Validate(); err != nil {
			return err
		}
	case ReplyMessage:
		switch m.Status {
		case kernel.StatusOK, kernel.StatusError, kernel.StatusStopped, kernel.StatusLost:
		default:
			return fmt.Errorf("reply with status %q", m.Status)
		}
	default:
		return fmt.Errorf("message of type %q", m.Type)
	}
	if m.RunID == "" {
		return fmt.Errorf("%s message without a run", m.Type)
	}
	return nil
}

// size is roughly what the message takes in memory.
func (m Message) size() int {
	const fixed = 256
	if m.Event == nil {
		return fixed
	}
	size := fixed + len(m.Event.Text) + len(m.Event.EValue) + len(m.Event.Metadata)
	for _, value := range m.Event.Data {
		size += len(value)
	}
	for _, line := range m.Event.Traceback {
		size += len(line)
	}
	return size
}
