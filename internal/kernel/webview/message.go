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
	"math"

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
	// InputReply answers an InputRequestMessage.
	InputReply RequestType = "input_reply"
	ListFiles  RequestType = "list_files"
	PutFile    RequestType = "put_file"
	GetFile    RequestType = "get_file"
	Complete   RequestType = "complete"
)

// Request is what the page is asked to do with one kernel.
type Request struct {
	Type     RequestType `json:"type"`
	KernelID string      `json:"kernelId"`
	RunID    string      `json:"runId,omitempty"` // execute, interrupt, input_reply
	Code     string      `json:"code,omitempty"`  // execute, complete

	InputID string `json:"inputId,omitempty"` // input_reply
	// Text is the answer. Of a refused one it is why: "" where nobody can be
	// asked, refusedTooLong for an answer over kernel.InputLimit.
	Text    string `json:"text,omitempty"`
	Refused bool   `json:"refused,omitempty"`

	// RequestID names an errand (list_files, put_file, get_file, complete), and
	// the content that goes with it below /transfers/.
	RequestID string `json:"requestId,omitempty"`
	Name      string `json:"name,omitempty"`   // put_file, get_file
	Cursor    int    `json:"cursor,omitempty"` // complete
}

// refusedTooLong is the Text of a refused InputReply.
const refusedTooLong = "too_long"

// MessageType tells which fields of a Message are set.
type MessageType string

// The messages.
const (
	StateMessage   MessageType = "state"
	StartedMessage MessageType = "started"
	EventMessage   MessageType = "event"
	ReplyMessage   MessageType = "reply"
	// InputRequestMessage says that the code waits for a line of text.
	InputRequestMessage MessageType = "input_request"
	// AnswerMessage is the end of an errand.
	AnswerMessage MessageType = "answer"
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
	RunID    string      `json:"runId,omitempty"` // all but state and answer

	Phase     kernel.Phase `json:"phase,omitempty"` // state
	Variables int          `json:"variables"`
	Reason    string       `json:"reason,omitempty"` // with dead
	Detail    string       `json:"detail,omitempty"`

	Event *kernel.Event `json:"event,omitempty"` // event

	Status     kernel.Status `json:"status,omitempty"` // reply
	StateLost  bool          `json:"stateLost,omitempty"`
	DurationMS float64       `json:"durationMs,omitempty"`

	InputID  string `json:"inputId,omitempty"` // input_request
	Prompt   string `json:"prompt,omitempty"`
	Password bool   `json:"password,omitempty"`

	RequestID  string             `json:"requestId,omitempty"` // answer
	Error      string             `json:"error,omitempty"`     // "" where it went well; see fileError
	Files      []File             `json:"files,omitempty"`
	Completion *kernel.Completion `json:"completion,omitempty"`
}

// File is an entry of the working folder. Modified is in milliseconds since 1970.
type File struct {
	Name     string  `json:"name"`
	Size     int64   `json:"size"`
	Modified float64 `json:"modified"`
}

// What a prompt and a completion may hold at most.
const (
	maxPrompt  = 16 << 10 // bytes
	maxMatches = 200
	maxMatch   = 1 << 10 // bytes
)

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
	case InputRequestMessage:
		if m.InputID == "" || len(m.Prompt) > maxPrompt {
			return fmt.Errorf("input request %q with a prompt of %d bytes", m.InputID, len(m.Prompt))
		}
	case AnswerMessage:
		return m.validateAnswer()
	default:
		return fmt.Errorf("message of type %q", m.Type)
	}
	if m.RunID == "" {
		return fmt.Errorf("%s message without a run", m.Type)
	}
	return nil
}

func (m Message) validateAnswer() error {
	if m.RequestID == "" {
		return errors.New("answer without a request")
	}
	if len(m.Files) > kernel.ListLimit {
		return fmt.Errorf("answer with %d files", len(m.Files))
	}
	for _, file := range m.Files {
		if !validName(file.Name) || file.Size < 0 || math.IsNaN(file.Modified) || math.Abs(file.Modified) > maxModified {
			return fmt.Errorf("answer with a broken file %q", file.Name)
		}
	}
	if c := m.Completion; c != nil {
		if len(c.Matches) > maxMatches || c.Start < 0 || c.End < c.Start {
			return fmt.Errorf("answer with a broken completion from %d to %d", c.Start, c.End)
		}
		for _, match := range c.Matches {
			if match == "" || len(match) > maxMatch {
				return fmt.Errorf("answer with a match of %d bytes", len(match))
			}
		}
	}
	return nil
}

// maxModified is the end of the year 9999, in milliseconds.
const maxModified = 253402300799999

// size is roughly what the message takes in memory.
func (m Message) size() int {
	const fixed = 256
	if m.Event == nil {
		return fixed + len(m.Prompt)
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
