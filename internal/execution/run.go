// Package execution runs code for a chat, by the person's Run or by the turn
// loop: its gate, the kernels of each chat, limits, and what a run keeps.
package execution

import (
	"encoding/json"

	"lathe/internal/apperr"
	"lathe/internal/kernel"
)

// State is how far a run has come.
type State string

// The states of a run, as the screen carries them.
const (
	Running State = "running"
	Done    State = "done"
	Failed  State = "failed" // the code raised, or could not be run (Run.Error)
	Stopped State = "stopped"
	Timeout State = "timeout"
	Lost    State = "lost"
)

// Run is one execution of code, kept with the part that holds the code.
type Run struct {
	ID        string        `json:"id"`
	ChatID    string        `json:"chatId"`
	PartID    string        `json:"partId"`
	Ordinal   int           `json:"ordinal"` // of the fence in the part, from 0; -1 for a run of the interpreter
	Engine    kernel.Engine `json:"engine"`
	Language  string        `json:"language"`
	Code      string        `json:"code"` // exactly as it ran
	State     State         `json:"state"`
	StateLost bool          `json:"stateLost"` // the variables of the session are gone
	// StartedAt is in milliseconds since 1970, DurationMS is wall-clock time.
	StartedAt  int64         `json:"startedAt"`
	DurationMS int64         `json:"durationMs"`
	Error      *apperr.Error `json:"error,omitempty"`
	Outputs    []Output      `json:"outputs"`
	Input      *Input        `json:"input,omitempty"` // set while the code waits for an answer
}

// Input is what input() or getpass of a run waits for.
type Input struct {
	ID       string `json:"id"`
	Text     string `json:"text"`
	Password bool   `json:"password"`
}

// Output is one kept piece of what a run shows. It has the fields of the
// kernel event that it comes from; streams that follow each other are one.
type Output struct {
	Type kernel.EventType `json:"type"` // stream, display_data, execute_result, error, notice

	// A stream keeps its head in Text and, when it grew over the limit, its
	// end in Tail, with the number of bytes and line ends between them that
	// are gone.
	Name         string `json:"name,omitempty"`
	Text         string `json:"text,omitempty"`
	Tail         string `json:"tail,omitempty"`
	DroppedBytes int64  `json:"droppedBytes,omitempty"`
	DroppedLines int64  `json:"droppedLines,omitempty"`

	Data      kernel.MIMEBundle `json:"data,omitempty"`
	Blobs     map[string]Blob   `json:"blobs,omitempty"` // by MIME type: large and binary forms, kept as files
	Metadata  json.RawMessage   `json:"metadata,omitempty"`
	DisplayID string            `json:"displayId,omitempty"`

	EName     string   `json:"ename,omitempty"`
	EValue    string   `json:"evalue,omitempty"`
	Traceback []string `json:"traceback,omitempty"`

	Code   string            `json:"code,omitempty"` // notice
	Params map[string]string `json:"params,omitempty"`
}

// Blob names a file of the content-addressed store. Size is in bytes.
type Blob struct {
	Hash string `json:"hash"` // SHA-256, hex
	Size int64  `json:"size"`
	// Width and Height are a picture's, in pixels; 0 where they can't be read.
	Width  int `json:"width,omitempty"`
	Height int `json:"height,omitempty"`
}

// EventType names a step in a run's life.
type EventType string

// The types of run events. The first of a run is started and the last is
// finished, each exactly once.
const (
	RunStarted  EventType = "run_started"
	RunOutputs  EventType = "run_outputs"
	RunInput    EventType = "run_input" // the code began to wait for an answer, or waits no longer
	RunFinished EventType = "run_finished"
)

// Event tells a change of one run. Seq counts from 0 without gaps for each run.
type Event struct {
	ChatID string     `json:"chatId"`
	RunID  string     `json:"runId"`
	Seq    int        `json:"seq"`
	Type   EventType  `json:"type"`
	Run    *Run       `json:"run,omitempty"`     // started: the whole run; finished: the whole run without outputs
	Ops    []OutputOp `json:"outputs,omitempty"` // outputs
	Input  *Input     `json:"input,omitempty"`   // input; nil: it waits no longer
}

// OpType names a change of a run's list of outputs.
type OpType string

// The changes of a run's outputs.
const (
	OpSet    OpType = "set"    // Output stands at Index, which is at most the length of the list
	OpAppend OpType = "append" // Text is added to the Text of the stream at Index
	OpTail   OpType = "tail"   // the stream at Index has this Tail (in Text) and these counts
	OpClear  OpType = "clear"  // the list is empty
)

// OutputOp is one change of a run's list of outputs. The recorder decides what
// a kernel's events mean (streams joined, displays updated, limits); whoever
// shows them only follows these operations.
type OutputOp struct {
	Op     OpType  `json:"op"`
	Index  int     `json:"index"`
	Text   string  `json:"text,omitempty"`
	Output *Output `json:"output,omitempty"`

	DroppedBytes int64 `json:"droppedBytes,omitempty"`
	DroppedLines int64 `json:"droppedLines,omitempty"`
}
