package webview

import (
	"time"

	"github.com/google/uuid"

	"lathe/internal/kernel"
)

// spareDelay is when a new spare begins at the latest, after the last one was
// handed out: the first run may be a long one.
const spareDelay = 8 * time.Second

// spares is the host's stock of one kernel that is started and was never used,
// so that a chat's first run need not wait for it. h.mu guards it.
type spares struct {
	wanted bool    // Warm was called
	kernel *Kernel // nil while there is none
	timer  *time.Timer
	closed bool
}

// WithSpare lets the host keep one kernel ready that nobody uses, once Warm was
// called. enough says, each time before one is begun, whether the machine has
// the memory for it.
func WithSpare(enough func() bool) Option {
	return func(o *options) { o.enough = enough }
}

// Warm begins the spare kernel, if the host is to have one; from then on it is
// replaced after it was handed out, and when it or its page has gone. It may be
// called more than once.
func (h *Host) Warm() {
	h.mu.Lock()
	h.spares.wanted = true
	h.mu.Unlock()
	h.refill()
}

// Close ends the spare kernel. The others belong to who has asked for them.
func (h *Host) Close() {
	h.mu.Lock()
	h.spares.closed = true
	h.stopTimer()
	spare := h.spares.kernel
	h.spares.kernel = nil
	h.mu.Unlock()
	if spare != nil {
		_ = spare.Close() // never fails
	}
}

// refill begins a spare where there is to be one and is none.
func (h *Host) refill() {
	if h.options.enough == nil {
		return
	}
	missing := func() bool {
		return h.spares.wanted && !h.spares.closed && h.spares.kernel == nil && h.epoch != ""
	}
	h.mu.Lock()
	h.stopTimer()
	needed := missing()
	h.mu.Unlock()
	if !needed || !h.options.enough() {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if !missing() {
		return
	}
	h.spares.kernel = h.makeLocked()
}

func (h *Host) makeLocked() *Kernel {
	k := newKernel(h, uuid.NewString())
	h.kernels[k.id] = k
	h.startLocked(k)
	return k
}

// takeSpareLocked returns the spare for use, or nil, and sees to the next one:
// after the first run of what is handed out now, or a while later.
func (h *Host) takeSpareLocked() *Kernel {
	k := h.spares.kernel
	h.spares.kernel = nil
	h.refillLater()
	return k
}

// refillLater begins a spare a while from now. mu is held.
func (h *Host) refillLater() {
	if !h.spares.wanted || h.spares.closed {
		return
	}
	h.stopTimer()
	h.spares.timer = time.AfterFunc(h.options.spareDelay, h.refill)
}

// stopTimer is called with mu held.
func (h *Host) stopTimer() {
	if h.spares.timer != nil {
		h.spares.timer.Stop()
		h.spares.timer = nil
	}
}

// firstRunEnded is called by a kernel once.
func (h *Host) firstRunEnded() {
	h.mu.Lock()
	wanted := h.spares.wanted
	h.mu.Unlock()
	if wanted {
		go h.refill()
	}
}

// dropSpareLocked gives up a spare whose page is gone.
func (h *Host) dropSpareLocked() {
	k := h.spares.kernel
	if k == nil {
		return
	}
	h.spares.kernel = nil
	delete(h.kernels, k.id)
	// Its own end asks for the host's lock.
	go func() { _ = k.Close() }()
}

// spareDied gives up a spare that could not start, and reports whether k was
// it. The next chat tries again, and is told if that fails, too.
func (h *Host) spareDied(k *Kernel, state kernel.State) bool {
	if state.Phase != kernel.Dead {
		return false
	}
	h.mu.Lock()
	if h.spares.kernel != k {
		h.mu.Unlock()
		return false
	}
	h.spares.kernel = nil
	h.mu.Unlock()
	_ = k.Close() // never fails
	return true
}
