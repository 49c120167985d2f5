package webview

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"lathe/internal/apperr"
	"lathe/internal/kernel"
)

// Host holds the kernels whose interpreters live in the page.
type Host struct {
	options options

	// send is called with mu held, so that requests leave in the order in
	// which they are made.
	mu      sync.Mutex
	send    func(Request)
	epoch   string // of the page that has said hello last; "" before the first
	seq     int    // next of the epoch
	kernels map[string]*Kernel
	spares  spares

	transfers transfers
}

// Option changes how a Host works.
type Option func(*options)

type options struct {
	grace     time.Duration
	startTime time.Duration
	buffer    int
	log       func(string, ...any)

	enough     func() bool // nil: no spare
	spareDelay time.Duration
}

// WithGrace sets how long code has to end after an interrupt before its
// interpreter is replaced.
func WithGrace(grace time.Duration) Option {
	return func(o *options) { o.grace = grace }
}

// WithStartTime sets how long an interpreter may take until code begins in it.
func WithStartTime(limit time.Duration) Option {
	return func(o *options) { o.startTime = limit }
}

// WithBuffer sets how many bytes of a run's messages are held for a slow sink
// before the page has to wait.
func WithBuffer(bytes int) Option {
	return func(o *options) { o.buffer = bytes }
}

// WithLog sets where a page's breach of the protocol is told.
func WithLog(log func(message string, arguments ...any)) Option {
	return func(o *options) { o.log = log }
}

// NewHost returns a host without kernels. send brings a request to the page;
// it must keep the order of calls, not block, and not call back.
func NewHost(send func(Request), changes ...Option) *Host {
	o := options{
		grace: 2 * time.Second, startTime: 3 * time.Minute, buffer: 8 << 20,
		log: func(string, ...any) {}, spareDelay: spareDelay,
	}
	for _, change := range changes {
		change(&o)
	}
	return &Host{options: o, send: send, kernels: make(map[string]*Kernel)}
}

// New returns a kernel at once: the spare, whose interpreter is started, or one
// whose interpreter starts in the background.
func (h *Host) New(ctx context.Context) (kernel.Kernel, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	k := h.takeSpareLocked()
	if k == nil {
		k = h.makeLocked()
	}
	return k, nil
}

// Hello begins the life of a page. Interpreters of an earlier page are gone:
// their runs end with StatusLost, and the kernels start afresh in this one.
func (h *Host) Hello(epoch string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if epoch == "" || epoch == h.epoch {
		return
	}
	first := h.epoch == ""
	h.epoch, h.seq = epoch, 0
	h.dropSpareLocked()
	h.refillLater()
	for _, k := range h.kernels {
		h.startLocked(k)
		if first {
			k.pageThere()
		} else {
			k.pageGone()
		}
	}
}

// Deliver takes the messages of a page, which calls it with one batch at a
// time, seq counting from 0. It blocks while a kernel's sink is behind. A
// message that breaks the contract ends the run of its kernel, and no other.
func (h *Host) Deliver(epoch string, seq int, messages []Message) error {
	h.mu.Lock()
	if epoch == "" || epoch != h.epoch {
		h.mu.Unlock()
		return apperr.New(apperr.KernelProtocol, "detail", "a page that is gone")
	}
	if seq != h.seq {
		h.mu.Unlock()
		return apperr.New(apperr.KernelProtocol, "detail", fmt.Sprintf("batch %d instead of %d", seq, h.seq))
	}
	h.seq++
	targets := make([]*Kernel, len(messages))
	for i, message := range messages {
		targets[i] = h.kernels[message.KernelID]
	}
	h.mu.Unlock()
	var failures []error
	for i, message := range messages {
		k := targets[i]
		if k == nil {
			continue // closed meanwhile
		}
		if err := message.Validate(); err != nil {
			failures = append(failures, fmt.Errorf("kernel %s: %w", k.id, err))
			k.broken(err)
			continue
		}
		k.receive(message)
	}
	if err := errors.Join(failures...); err != nil {
		h.options.log("the page's engine broke the protocol", "error", err)
	}
	return nil
}

// startLocked asks for the interpreter of a kernel, if there is a page to ask.
func (h *Host) startLocked(k *Kernel) {
	if h.epoch != "" {
		h.send(Request{Type: Start, KernelID: k.id})
	}
}

// request sends a request, unless there is no page: whoever waits for an
// answer is woken by the next Hello.
func (h *Host) request(request Request) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.epoch == "" || h.kernels[request.KernelID] == nil {
		return false
	}
	h.send(request)
	return true
}

// forget ends the page's half of a kernel.
func (h *Host) forget(k *Kernel) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.kernels[k.id] == nil {
		return
	}
	delete(h.kernels, k.id)
	if h.epoch != "" {
		h.send(Request{Type: Close, KernelID: k.id})
	}
}
