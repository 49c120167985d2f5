// Package kernel is the contract of an engine: what every interpreter that
// Lathe can run code in has in common. Names and message content follow
// Jupyter's messaging specification (5.4), so that a Jupyter server is spoken
// to without translation and Pyodide speaks the same.
package kernel

import (
	"context"
	"io"
	"time"
)

// Engine names a kind of kernel.
type Engine string

// The engines, as the settings spell them.
const (
	Pyodide Engine = "pyodide"
	Jupyter Engine = "jupyter"
)

// Kernel is one live interpreter, held by one chat. Its methods may be called
// from any goroutine.
type Kernel interface {
	// Execute runs code to its end and returns how it ended. Runs of one
	// kernel follow each other in the order of the calls; a waiting call ends
	// with StatusStopped when its ctx does. sink is called from one goroutine
	// at a time, in order, never after Execute has returned.
	//
	// Cancelling ctx stops the run: interrupt first, and after a grace a fresh
	// interpreter, which loses the variables (Reply.StateLost). The kernel is
	// usable again in every case. An error means that the run could not be
	// started or followed; what code does wrong is an Event and StatusError.
	Execute(ctx context.Context, request Request, sink func(Event)) (Reply, error)
	// Interrupt asks the running code to stop (KeyboardInterrupt). Without a
	// run it does nothing.
	Interrupt(ctx context.Context) error
	// Restart gives the kernel a fresh interpreter. A run in progress ends
	// with StatusStopped and StateLost.
	Restart(ctx context.Context) error
	// Close ends the interpreter and frees what it holds. A run in progress
	// ends with StatusLost. Close may be called more than once.
	Close() error
	// States returns the kernel's states from now on, the present one first.
	// Only the newest is kept for a slow reader. The channel is closed with
	// the kernel.
	States() <-chan State
}

// Files is the working folder of a kernel.
type Files interface {
	// Put writes a file, replacing one of the same name.
	Put(ctx context.Context, name string, content io.Reader) error
	// List returns the files of the folder, sorted by name.
	List(ctx context.Context) ([]File, error)
	// Get opens a file for reading; the caller closes it.
	Get(ctx context.Context, name string) (io.ReadCloser, error)
}

// File is an entry of a working folder. Size is in bytes.
type File struct {
	Name     string
	Size     int64
	Modified time.Time
}

// Request is one piece of code to run.
type Request struct {
	ID       string // unique; names the run in events and logs
	Code     string
	Language string        // as in a fence; the engine knows its aliases
	Timeout  time.Duration // of wall-clock time from the start of the code; 0 for none
	// Stdin answers input() and getpass; nil where nobody can be asked, and
	// the code then gets an error that says so.
	Stdin func(ctx context.Context, prompt Prompt) (string, error)
}

// Prompt is what running code asks for.
type Prompt struct {
	Text     string
	Password bool
}

// Status is how a run ended.
type Status string

// The ways a run ends.
const (
	StatusOK      Status = "ok"
	StatusError   Status = "error"   // the code raised; an error event came before
	StatusStopped Status = "stopped" // by the person or by cancelling
	StatusTimeout Status = "timeout"
	StatusLost    Status = "lost" // the kernel went away; what the code did is unknown
)

// Reply is the end of a run.
type Reply struct {
	Status    Status
	StateLost bool          // the variables are gone
	Duration  time.Duration // wall clock, from the start of the code
}

// Phase is what a kernel is doing.
type Phase string

// The phases.
const (
	Starting Phase = "starting"
	Idle     Phase = "idle"
	Busy     Phase = "busy"
	Dead     Phase = "dead"
)

// State is a kernel's phase, and the number of variables that code has made,
// where the engine knows it cheaply; -1 where it doesn't.
type State struct {
	Phase     Phase
	Variables int
}
