package webview

import (
	"context"
	"time"

	"lathe/internal/apperr"
	"lathe/internal/kernel"
)

// run is one execution, from the request to its end.
type run struct {
	id       string
	kernel   *Kernel
	request  kernel.Request
	messages *mailbox
	ends     chan ending   // the first end that comes from elsewhere than the page
	page     chan struct{} // closed when a page comes to a host that had none
	// interrupts has a token when somebody has asked the code to stop.
	interrupts chan struct{}
}

// ending is an end that does not come as a reply.
type ending struct {
	reply kernel.Reply
	err   error
}

func newRun(k *Kernel, request kernel.Request) *run {
	return &run{
		id: request.ID, kernel: k, request: request,
		messages: newMailbox(k.host.options.buffer),
		ends:     make(chan ending, 1),
		page:     make(chan struct{}),

		interrupts: make(chan struct{}, 1),
	}
}

// interrupt tells the follower of an interrupt that was sent.
func (r *run) interrupt() {
	select {
	case r.interrupts <- struct{}{}:
	default:
	}
}

// finish ends the run, unless something else has done so before.
func (r *run) finish(how ending) {
	select {
	case r.ends <- how:
	default:
	}
}

// follower is what follow knows of the run so far.
type follower struct {
	*run
	sent    bool
	began   time.Time     // of the code; zero before
	outcome kernel.Status // why the run has to end; "" while it need not
	timeout *time.Timer
	grace   *time.Timer
	start   *time.Timer

	deadline time.Time // of timeout
	asking   *asking   // nil while the code waits for no answer
	left     time.Duration
}

// follow brings the run to its end. It alone calls sink.
func (r *run) follow(ctx context.Context, sink func(kernel.Event)) (kernel.Reply, error) {
	f := &follower{run: r, timeout: stoppedTimer(), grace: stoppedTimer(), start: time.NewTimer(r.kernel.host.options.startTime)}
	defer f.timeout.Stop()
	defer f.grace.Stop()
	defer f.start.Stop()
	defer f.stopAsking()
	f.send()
	cancelled, page := ctx.Done(), (<-chan struct{})(r.page)
	for {
		select {
		case <-r.messages.wake:
			if reply, ended := f.take(ctx, sink); ended {
				return reply, nil
			}
		case <-page:
			page = nil
			f.send()
		case <-cancelled:
			cancelled = nil
			if !f.stop(kernel.StatusStopped) {
				return f.reply(kernel.StatusStopped, false), nil
			}
		case got := <-f.answers():
			f.answered(got)
		case <-r.interrupts:
			// Where the code goes on nevertheless and still wants its answer, it asks again.
			f.stopAsking()
		case <-f.timeout.C:
			f.stop(kernel.StatusTimeout)
		case <-f.grace.C:
			r.kernel.interpreterEnds(ending{}, false)
			return f.reply(f.outcome, true), nil
		case <-f.start.C:
			r.kernel.interpreterEnds(ending{}, false)
			return f.reply("", true), apperr.New(apperr.KernelSlow)
		case how := <-r.ends:
			// What came before the end is shown.
			if reply, ended := f.take(ctx, sink); ended {
				return reply, nil
			}
			return f.reply(how.reply.Status, how.reply.StateLost), how.err
		}
	}
}

func (f *follower) send() {
	f.sent = f.sent || f.kernel.host.request(Request{Type: Execute, KernelID: f.kernel.id, RunID: f.id, Code: f.request.Code})
}

// stop begins to end the run, and reports whether there is anything to wait for.
func (f *follower) stop(outcome kernel.Status) bool {
	if f.outcome != "" {
		return true
	}
	f.outcome = outcome
	f.stopAsking()
	if !f.sent {
		return false
	}
	f.start.Stop()
	f.kernel.host.request(Request{Type: Interrupt, KernelID: f.kernel.id, RunID: f.id})
	f.grace.Reset(f.kernel.host.options.grace)
	return true
}

// take acts on the messages that are there, and reports whether the reply was among them.
func (f *follower) take(ctx context.Context, sink func(kernel.Event)) (kernel.Reply, bool) {
	for _, message := range f.messages.take() {
		switch message.Type {
		case StartedMessage:
			if !f.began.IsZero() {
				continue
			}
			f.began = time.Now()
			f.start.Stop()
			if f.request.Timeout > 0 && f.outcome == "" {
				f.deadline = f.began.Add(f.request.Timeout)
				f.timeout.Reset(f.request.Timeout)
			}
		case EventMessage:
			sink(*message.Event)
		case ReplyMessage:
			return f.reply(message.Status, message.StateLost), true
		case InputRequestMessage:
			f.ask(ctx, message)
		case StateMessage, AnswerMessage:
		}
	}
	return kernel.Reply{}, false
}

// reply is the run's end. Where we ended it, that is its status, however the
// code took it.
func (f *follower) reply(status kernel.Status, lost bool) kernel.Reply {
	reply := kernel.Reply{Status: status, StateLost: lost}
	if f.outcome != "" {
		reply.Status = f.outcome
	}
	if !f.began.IsZero() {
		reply.Duration = time.Since(f.began)
	}
	return reply
}

func stoppedTimer() *time.Timer {
	timer := time.NewTimer(time.Hour)
	timer.Stop()
	return timer
}
