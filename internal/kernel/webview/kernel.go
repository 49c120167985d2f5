package webview

import (
	"cmp"
	"context"
	"sync"

	"lathe/internal/apperr"
	"lathe/internal/kernel"
)

var _ kernel.Kernel = (*Kernel)(nil)

// noticeRestarted tells that the interpreter went away between two runs.
const noticeRestarted = "variables_lost"

// Kernel is one interpreter in the page. It outlives the page: after a reload
// it has a fresh interpreter in the new one.
type Kernel struct {
	id     string
	host   *Host
	line   line
	states states
	gone   chan struct{} // closed by Close

	mu      sync.Mutex
	closed  bool
	current *run
	errand  *errand
	begun   bool // a run was made the present one before
	// used says that code has run in the present interpreter, so that its end
	// takes something away; lost says that this happened and nobody was told.
	used, lost bool
}

func newKernel(host *Host, id string) *Kernel {
	k := &Kernel{id: id, host: host, gone: make(chan struct{})}
	k.states.present = kernel.State{Phase: kernel.Starting, Variables: 0}
	return k
}

// Execute implements kernel.Kernel.
func (k *Kernel) Execute(ctx context.Context, request kernel.Request, sink func(kernel.Event)) (kernel.Reply, error) {
	if request.ID == "" {
		return kernel.Reply{}, apperr.New(apperr.BadRequest)
	}
	if k.isClosed() {
		return kernel.Reply{}, apperr.New(apperr.KernelDead)
	}
	if ctx.Err() != nil {
		return kernel.Reply{Status: kernel.StatusStopped}, nil
	}
	if !k.line.enter(ctx, k.gone) {
		if k.isClosed() {
			return kernel.Reply{Status: kernel.StatusLost, StateLost: true}, nil
		}
		return kernel.Reply{Status: kernel.StatusStopped}, nil
	}
	defer k.line.leave()
	r, lost := k.begin(request)
	if r == nil {
		return kernel.Reply{Status: kernel.StatusLost, StateLost: true}, nil
	}
	defer k.end(r)
	if lost {
		sink(kernel.Event{Type: kernel.Notice, Code: noticeRestarted})
	}
	reply, err := r.follow(ctx, sink)
	reply.StateLost = reply.StateLost || lost
	return reply, err
}

// Interrupt implements kernel.Kernel.
func (k *Kernel) Interrupt(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	k.mu.Lock()
	r := k.current
	k.mu.Unlock()
	if r != nil {
		k.host.request(Request{Type: Interrupt, KernelID: k.id, RunID: r.id})
		r.interrupt()
	}
	return nil
}

// Restart implements kernel.Kernel.
func (k *Kernel) Restart(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if k.isClosed() {
		return apperr.New(apperr.KernelDead)
	}
	k.interpreterEnds(ending{reply: kernel.Reply{Status: kernel.StatusStopped, StateLost: true}}, false)
	return nil
}

// Close implements kernel.Kernel.
func (k *Kernel) Close() error {
	k.mu.Lock()
	if k.closed {
		k.mu.Unlock()
		return nil
	}
	k.closed = true
	close(k.gone)
	r := k.current
	k.mu.Unlock()
	if r != nil {
		r.finish(ending{reply: kernel.Reply{Status: kernel.StatusLost, StateLost: true}})
	}
	k.host.forget(k)
	k.states.close(kernel.State{Phase: kernel.Dead, Variables: -1})
	return nil
}

// States implements kernel.Kernel.
func (k *Kernel) States() <-chan kernel.State { return k.states.subscribe() }

func (k *Kernel) isClosed() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.closed
}

// begin makes a run the present one. It returns nil when the kernel is closed,
// and whether the variables of earlier runs went away untold.
func (k *Kernel) begin(request kernel.Request) (*run, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed {
		return nil, false
	}
	k.current = newRun(k, request)
	lost := k.lost
	k.lost, k.used = false, true
	return k.current, lost
}

func (k *Kernel) end(r *run) {
	r.messages.close()
	k.mu.Lock()
	k.current = nil
	first := !k.begun
	k.begun = true
	k.mu.Unlock()
	if first {
		k.host.firstRunEnded()
	}
}

// interpreterEnds replaces the interpreter. The run in it ends as told; without
// one, and where nobody asked for this, the next run is told.
func (k *Kernel) interpreterEnds(how ending, untold bool) {
	k.mu.Lock()
	r, e := k.current, k.errand
	k.lost = untold && r == nil && (k.used || k.lost)
	k.used = r != nil && k.used
	k.mu.Unlock()
	// Sent before the run ends, so that the next one meets the new interpreter.
	k.host.request(Request{Type: Restart, KernelID: k.id})
	k.states.set(kernel.State{Phase: kernel.Starting, Variables: 0})
	if r != nil {
		r.finish(how)
	}
	if e != nil {
		e.end(cmp.Or[error](how.err, apperr.New(apperr.KernelDead)))
	}
}

// pageGone is called by the host, with its lock held, when a new page began.
func (k *Kernel) pageGone() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.states.set(kernel.State{Phase: kernel.Starting, Variables: 0})
	if k.errand != nil {
		k.errand.end(apperr.New(apperr.KernelDead))
	}
	if k.current != nil {
		k.current.finish(ending{reply: kernel.Reply{Status: kernel.StatusLost, StateLost: true}})
		return
	}
	k.lost, k.used = k.lost || k.used, false
}

// pageThere is called by the host, with its lock held, when the first page began.
func (k *Kernel) pageThere() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.current != nil {
		close(k.current.page)
	}
	if k.errand != nil {
		close(k.errand.page)
	}
}

// broken ends what runs after a message that breaks the contract.
func (k *Kernel) broken(err error) {
	failure := apperr.Wrap(err, apperr.KernelProtocol, "detail", err.Error())
	k.interpreterEnds(ending{reply: kernel.Reply{StateLost: true}, err: failure}, true)
}

// receive acts on a valid message.
func (k *Kernel) receive(message Message) {
	if message.Type == AnswerMessage {
		k.answer(message)
		return
	}
	k.mu.Lock()
	r, e := k.current, k.errand
	k.mu.Unlock()
	if message.Type != StateMessage {
		if r != nil && r.id == message.RunID {
			r.messages.put(message)
		}
		return
	}
	state := kernel.State{Phase: message.Phase, Variables: message.Variables}
	if k.host.spareDied(k, state) {
		return
	}
	k.states.set(state)
	if message.Phase != kernel.Dead {
		return
	}
	code := apperr.KernelStartFailed
	if message.Reason == reasonUnsupported {
		code = apperr.KernelUnsupported
	}
	failure := apperr.New(code, "detail", message.Detail)
	if r != nil {
		r.finish(ending{reply: kernel.Reply{StateLost: true}, err: failure})
	}
	if e != nil {
		e.end(failure)
	}
}
