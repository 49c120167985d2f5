package webview

import (
	"sync/atomic"
	"testing"
	"time"

	"lathe/internal/kernel"
)

func withSpareDelay(delay time.Duration) Option {
	return func(o *options) { o.spareDelay = delay }
}

func always() bool { return true }

// spare returns the host's spare kernel, or nil.
func (p *page) spare() *Kernel {
	p.host.mu.Lock()
	defer p.host.mu.Unlock()
	return p.host.spares.kernel
}

func (p *page) nothingAsked(why string) {
	p.t.Helper()
	select {
	case request := <-p.requests:
		p.t.Errorf("asked to %s %s", request.Type, why)
	case <-time.After(30 * time.Millisecond):
	}
}

func TestSpareIsHandedOutAndRenewed(t *testing.T) {
	p := newPage(t, WithSpare(always), withSpareDelay(time.Hour))
	t.Cleanup(p.host.Close)
	p.hello("e")
	p.nothingAsked("before the spare is wanted")
	p.host.Warm()
	p.host.Warm()
	started := p.asked(Start)
	p.nothingAsked("beyond one spare")
	p.says(Message{Type: StateMessage, KernelID: started.KernelID, Phase: kernel.Idle})

	k := p.kernel()
	if idOf(t, k) != started.KernelID {
		t.Error("the spare was not handed out")
	}
	if state := <-k.States(); state.Phase != kernel.Idle {
		t.Errorf("the spare is %s", state.Phase)
	}
	p.nothingAsked("for a kernel that is there")
	for _, id := range []string{"first", "second"} {
		done := execute(t.Context(), k, id)
		p.says(reply(p.asked(Execute), kernel.StatusOK))
		p.end(done)
		if id == "first" {
			if next := p.asked(Start); next.KernelID == started.KernelID {
				t.Error("a kernel was handed out twice")
			}
		}
	}
	p.nothingAsked("after later runs")
	// Closing the host ends the spare, and no other kernel.
	spare := p.spare()
	p.host.Close()
	if closed := p.asked(Close); closed.KernelID != spare.id {
		t.Errorf("closed %s", closed.KernelID)
	}
	p.host.Warm()
	p.nothingAsked("by a host that is closed")
	done := execute(t.Context(), k, "third")
	p.says(reply(p.asked(Execute), kernel.StatusOK))
	p.end(done)
}

func TestSpareAfterALongFirstRun(t *testing.T) {
	p := newPage(t, WithSpare(always), withSpareDelay(20*time.Millisecond))
	t.Cleanup(p.host.Close)
	p.hello("e")
	p.host.Warm()
	p.asked(Start)
	k := p.kernel()
	done := execute(t.Context(), k, "long")
	run := p.asked(Execute)
	p.asked(Start)
	p.says(reply(run, kernel.StatusOK))
	p.end(done)
	p.nothingAsked("beyond one spare")
}

func TestSpareNeedsMemory(t *testing.T) {
	var enough atomic.Bool
	p := newPage(t, WithSpare(enough.Load), withSpareDelay(time.Hour))
	t.Cleanup(p.host.Close)
	p.hello("e")
	p.host.Warm()
	p.nothingAsked("without the memory for it")
	enough.Store(true)
	k := p.kernel() // a cold one
	p.asked(Start)
	done := execute(t.Context(), k, "first")
	p.says(reply(p.asked(Execute), kernel.StatusOK))
	p.end(done)
	p.asked(Start)
}

func TestSpareDiesWithItsPage(t *testing.T) {
	p := newPage(t, WithSpare(always), withSpareDelay(20*time.Millisecond))
	t.Cleanup(p.host.Close)
	p.hello("first")
	p.host.Warm()
	old := p.asked(Start)
	p.hello("second")
	next := p.asked(Start)
	if next.KernelID == old.KernelID {
		t.Error("the spare outlived its page")
	}
	if k := p.kernel(); idOf(t, k) != next.KernelID {
		t.Error("the new spare was not handed out")
	}
}

func TestSpareThatCannotStart(t *testing.T) {
	p := newPage(t, WithSpare(always), withSpareDelay(time.Hour))
	t.Cleanup(p.host.Close)
	p.hello("e")
	p.host.Warm()
	spare := p.asked(Start)
	p.says(Message{Type: StateMessage, KernelID: spare.KernelID, Phase: kernel.Dead, Variables: -1, Reason: "start_failed"})
	if closed := p.asked(Close); closed.KernelID != spare.KernelID {
		t.Errorf("closed %s", closed.KernelID)
	}
	p.nothingAsked("again and again")
	k := p.kernel()
	if idOf(t, k) == spare.KernelID {
		t.Error("a dead spare was handed out")
	}
	p.asked(Start)
	done := execute(t.Context(), k, "first")
	p.says(reply(p.asked(Execute), kernel.StatusOK))
	p.end(done)
	p.asked(Start) // the next chance
}

func TestHostWithoutSpare(t *testing.T) {
	p := newPage(t)
	t.Cleanup(p.host.Close)
	p.hello("e")
	p.host.Warm()
	p.nothingAsked("where none is wanted")
}
