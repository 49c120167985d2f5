package webview

import (
	"context"
	"time"

	"lathe/internal/kernel"
)

// asking is what the code waits for.
type asking struct {
	id      string
	cancel  context.CancelFunc
	answers chan answer
}

type answer struct {
	text string
	err  error
}

// ask asks the run's Stdin for what the code waits for. The code can wait for
// one thing at a time: a second request says that it has given up the first.
func (f *follower) ask(ctx context.Context, message Message) {
	f.stopAsking()
	if f.outcome != "" {
		return // the interrupt is on its way
	}
	if f.request.Stdin == nil {
		f.sendInput(message.InputID, "", true)
		return
	}
	// The person who thinks must not lose the run.
	f.left = time.Until(f.deadline)
	f.timeout.Stop()
	ctx, cancel := context.WithCancel(ctx)
	a := &asking{id: message.InputID, cancel: cancel, answers: make(chan answer, 1)}
	f.asking = a
	prompt := kernel.Prompt{Text: message.Prompt, Password: message.Password}
	go func() {
		text, err := f.request.Stdin(ctx, prompt)
		a.answers <- answer{text, err}
	}()
}

// answers gives the answer to what the code waits for; nil while it waits for nothing.
func (f *follower) answers() <-chan answer {
	if f.asking == nil {
		return nil
	}
	return f.asking.answers
}

// answered brings an answer to the code.
func (f *follower) answered(got answer) {
	id := f.asking.id
	f.stopAsking()
	switch {
	case got.err != nil:
		f.sendInput(id, "", true)
	case len(got.text) > kernel.InputLimit:
		f.sendInput(id, refusedTooLong, true)
	default:
		f.sendInput(id, got.text, false)
	}
}

// stopAsking withdraws the question, and lets the time run on.
func (f *follower) stopAsking() {
	if f.asking == nil {
		return
	}
	f.asking.cancel()
	f.asking = nil
	if f.request.Timeout > 0 && f.outcome == "" && !f.began.IsZero() {
		f.deadline = time.Now().Add(f.left)
		f.timeout.Reset(max(f.left, 0))
	}
}

func (f *follower) sendInput(id, text string, refused bool) {
	f.kernel.host.request(Request{
		Type: InputReply, KernelID: f.kernel.id, RunID: f.id, InputID: id, Text: text, Refused: refused,
	})
}
