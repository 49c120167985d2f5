package kernel

import (
	"encoding/json"
	"errors"
	"fmt"
)

// EventType tells which fields of an Event are set.
type EventType string

// The event types; all but notice are message types of Jupyter's IOPub channel.
const (
	Stream            EventType = "stream"
	DisplayData       EventType = "display_data"
	UpdateDisplayData EventType = "update_display_data"
	ExecuteResult     EventType = "execute_result"
	ErrorOutput       EventType = "error"
	ClearOutput       EventType = "clear_output"
	// Notice is the engine's own word to the person, as a code of the message
	// catalogue with parameters.
	Notice EventType = "notice"
)

// The names of streams.
const (
	Stdout = "stdout"
	Stderr = "stderr"
)

// MIMEBundle is one piece of output in several forms, keyed by MIME type. Text
// and base64 forms are JSON strings; application/json and "+json" types hold
// their value.
type MIMEBundle map[string]json.RawMessage

// Event is one thing that a run shows.
type Event struct {
	Type EventType `json:"type"`

	Name string `json:"name,omitempty"` // stream
	Text string `json:"text,omitempty"` // stream

	Data      MIMEBundle      `json:"data,omitempty"` // display_data, update_display_data, execute_result
	Metadata  json.RawMessage `json:"metadata,omitempty"`
	DisplayID string          `json:"displayId,omitempty"` // of transient.display_id

	EName     string   `json:"ename,omitempty"` // error
	EValue    string   `json:"evalue,omitempty"`
	Traceback []string `json:"traceback,omitempty"`

	Wait bool `json:"wait,omitempty"` // clear_output

	Code   string            `json:"code,omitempty"` // notice
	Params map[string]string `json:"params,omitempty"`
}

// Validate reports the first thing that makes the event unfit to be kept or
// shown. Engines call it on what crosses from untrusted code.
func (e Event) Validate() error {
	switch e.Type {
	case Stream:
		if e.Name != Stdout && e.Name != Stderr {
			return fmt.Errorf("stream named %q", e.Name)
		}
	case DisplayData, UpdateDisplayData, ExecuteResult:
		if len(e.Data) == 0 {
			return fmt.Errorf("%s without data", e.Type)
		}
		if e.Type == UpdateDisplayData && e.DisplayID == "" {
			return errors.New("update_display_data without display id")
		}
		for mime, value := range e.Data {
			if mime == "" || !json.Valid(value) {
				return fmt.Errorf("%s with a broken value of type %q", e.Type, mime)
			}
		}
		if len(e.Metadata) > 0 && !json.Valid(e.Metadata) {
			return fmt.Errorf("%s with broken metadata", e.Type)
		}
	case ErrorOutput:
		if e.EName == "" {
			return errors.New("error without a name")
		}
	case Notice:
		if e.Code == "" {
			return errors.New("notice without a code")
		}
	case ClearOutput:
	default:
		return fmt.Errorf("unknown event type %q", e.Type)
	}
	return nil
}
