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

// Files is the working folder of a kernel. Names are paths in it with slashes,
// clean and relative; a name that leads out of it is an error. Calls follow the
// runs of the kernel and each other.
type Files interface {
	// Put writes a file, replacing one of the same name. It reads size bytes.
	Put(ctx context.Context, name string, content io.Reader, size int64) error
	// List returns the files of the folder and of folders in it, sorted by
	// name, at most ListLimit of them.
	List(ctx context.Context) ([]File, error)
	// Get opens a file for reading; the caller closes it.
	Get(ctx context.Context, name string) (io.ReadCloser, error)
}

// ListLimit is the most files that Files.List returns.
const ListLimit = 1000

// Completer is a kernel that can say what could stand at a place of the code.
type Completer interface {
	// Complete answers for the cursor, a place in code counted in Unicode code
	// points. A kernel that is busy answers at once, with nothing.
	Complete(ctx context.Context, code string, cursor int) (Completion, error)
}

// Completion is what could replace the code from Start to End, both counted in
// Unicode code points.
type Completion struct {
	Matches []string `json:"matches"`
	Start   int      `json:"start"`
	End     int      `json:"end"`
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
	Language string // as in a fence; the engine knows its aliases
	// Timeout bounds the wall-clock time from the start of the code, without
	// the time in which it waits for Stdin; 0 for none.
	Timeout time.Duration
	// Stdin answers input() and getpass with a line of text, at most InputLimit
	// bytes long; an empty answer is one. nil where nobody can be asked: the
	// code then gets an EOFError that says so, as it does after an error. ctx
	// ends with the wait: when the run ends or is interrupted, and when the
	// code asks for something else. What Stdin returns after that is dropped.
	// Time-outs stand still while it is asked.
	Stdin func(ctx context.Context, prompt Prompt) (string, error)
}

// InputLimit is the most bytes of UTF-8 that an answer to a Prompt may have.
const InputLimit = 64 << 10

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
