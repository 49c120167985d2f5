package webview

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lathe/internal/apperr"
	"lathe/internal/kernel"
)

func TestRunFromStartToReply(t *testing.T) {
	p := newPage(t)
	k := p.kernel()
	done := execute(t.Context(), k, "one")
	// Asked before there is a page, and sent when there is one.
	time.Sleep(10 * time.Millisecond)
	p.hello("first")
	request := p.asked(Execute)
	if request.Code != "code of one" || request.RunID != "one" {
		t.Errorf("asked for %+v", request)
	}
	p.says(started(request), text(request, "a"), text(Request{KernelID: request.KernelID, RunID: "other"}, "x"))
	p.says(text(request, "b"), reply(request, kernel.StatusOK), text(request, "late"))
	if got := p.end(done); got.err != nil || got.reply.Status != kernel.StatusOK || got.text != "ab" || got.reply.Duration <= 0 {
		t.Errorf("got %+v", got)
	}
}

func TestReloadedPage(t *testing.T) {
	p := newPage(t)
	p.hello("first")
	running, idle := p.kernel(), p.kernel()
	done := execute(t.Context(), idle, "before")
	request := p.asked(Execute)
	p.says(reply(request, kernel.StatusOK))
	p.end(done)
	done = execute(t.Context(), running, "lost")
	request = p.asked(Execute)
	p.says(text(request, "half"))
	p.hello("second")
	if got := p.end(done); got.reply.Status != kernel.StatusLost || !got.reply.StateLost || got.text != "half" {
		t.Errorf("a run of the old page: %+v", got)
	}
	if err := p.host.Deliver("first", 1, []Message{reply(request, kernel.StatusOK)}); err == nil {
		t.Error("the old page was still listened to")
	}
	// A kernel that had variables tells, at its next run, that they are gone.
	done = execute(t.Context(), idle, "after")
	request = p.asked(Execute)
	p.says(reply(request, kernel.StatusOK))
	if got := p.end(done); got.reply.Status != kernel.StatusOK || !got.reply.StateLost || got.text != noticeRestarted {
		t.Errorf("the first run in the new page: %+v", got)
	}
	// One whose run was told needs not tell again.
	done = execute(t.Context(), running, "again")
	request = p.asked(Execute)
	p.says(reply(request, kernel.StatusOK))
	if got := p.end(done); got.reply.StateLost || got.text != "" {
		t.Errorf("the second kernel's next run: %+v", got)
	}
}

func TestSequence(t *testing.T) {
	p := newPage(t)
	p.hello("e")
	for _, seq := range []int{1, -1, 5} {
		if err := p.host.Deliver("e", seq, nil); !apperr.Is(err, apperr.KernelProtocol) {
			t.Errorf("batch %d came first: %v", seq, err)
		}
	}
	p.says()
	if err := p.host.Deliver("e", 0, nil); err == nil {
		t.Error("a batch was taken twice")
	}
}

func TestMessagesOutsideTheContract(t *testing.T) {
	for name, spoil := range map[string]func(*Message){
		"type":      func(m *Message) { m.Type = "evil" },
		"no event":  func(m *Message) { m.Event = nil },
		"event":     func(m *Message) { m.Event = &kernel.Event{Type: kernel.DisplayData} },
		"stream":    func(m *Message) { m.Event.Name = "root" },
		"status":    func(m *Message) { m.Type, m.Status = ReplyMessage, "timeout" },
		"no run":    func(m *Message) { m.RunID = "" },
		"phase":     func(m *Message) { m.Type, m.Phase = StateMessage, "asleep" },
		"variables": func(m *Message) { m.Type, m.Phase, m.Variables = StateMessage, kernel.Idle, -2 },
		"bad update": func(m *Message) {
			m.Event = &kernel.Event{Type: kernel.UpdateDisplayData, Data: kernel.MIMEBundle{"a/b": []byte(`""`)}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPage(t)
			p.hello("e")
			spoiled, other := p.kernel(), p.kernel()
			done := execute(t.Context(), spoiled, "spoiled")
			request := p.asked(Execute)
			otherDone := execute(t.Context(), other, "other")
			otherRequest := p.asked(Execute)
			bad := text(request, "x")
			spoil(&bad)
			p.says(text(request, "before "), bad, reply(otherRequest, kernel.StatusOK))
			if got := p.end(done); !apperr.Is(got.err, apperr.KernelProtocol) || got.text != "before " {
				t.Errorf("got %+v", got)
			}
			p.asked(Restart)
			if got := p.end(otherDone); got.err != nil || got.reply.Status != kernel.StatusOK {
				t.Errorf("the other kernel got %+v", got)
			}
		})
	}
}

func TestGraceAndRestart(t *testing.T) {
	p := newPage(t, WithGrace(30*time.Millisecond))
	p.hello("e")
	k := p.kernel()
	ctx, cancel := context.WithCancel(t.Context())
	done := execute(ctx, k, "stubborn")
	request := p.asked(Execute)
	p.says(started(request), text(request, "half"))
	cancel()
	if asked := p.asked(Interrupt); asked.RunID != "stubborn" {
		t.Errorf("asked to interrupt %q", asked.RunID)
	}
	p.asked(Restart)
	if got := p.end(done); got.reply.Status != kernel.StatusStopped || !got.reply.StateLost || got.text != "half" {
		t.Errorf("got %+v", got)
	}
	// Code that ends within the grace keeps its variables; how it took the
	// interrupt makes no difference.
	for _, status := range []kernel.Status{kernel.StatusStopped, kernel.StatusOK, kernel.StatusError} {
		ctx, cancel := context.WithCancel(t.Context())
		done := execute(ctx, k, "willing")
		request := p.asked(Execute)
		cancel()
		p.asked(Interrupt)
		p.says(reply(request, status))
		if got := p.end(done); got.reply.Status != kernel.StatusStopped || got.reply.StateLost {
			t.Errorf("after %s: %+v", status, got)
		}
	}
}

func TestTimeoutCountsFromTheStartOfTheCode(t *testing.T) {
	p := newPage(t, WithGrace(time.Minute))
	p.hello("e")
	k := p.kernel()
	done := make(chan outcome, 1)
	go func() {
		reply, err := k.Execute(t.Context(), kernel.Request{ID: "slow", Timeout: 20 * time.Millisecond}, func(kernel.Event) {})
		done <- outcome{reply: reply, err: err}
	}()
	request := p.asked(Execute)
	time.Sleep(60 * time.Millisecond) // the interpreter starts
	select {
	case asked := <-p.requests:
		t.Errorf("asked to %s before the code began", asked.Type)
	default:
	}
	p.says(started(request))
	p.asked(Interrupt)
	p.says(reply(request, kernel.StatusError))
	if got := p.end(done); got.reply.Status != kernel.StatusTimeout || got.reply.StateLost {
		t.Errorf("got %+v", got)
	}
}

func TestInterpreterThatNeverStarts(t *testing.T) {
	p := newPage(t, WithStartTime(20*time.Millisecond))
	p.hello("e")
	k := p.kernel()
	if got := p.end(execute(t.Context(), k, "never")); !apperr.Is(got.err, apperr.KernelSlow) {
		t.Errorf("got %+v", got)
	}
}

func TestInterpreterThatCannotStart(t *testing.T) {
	p := newPage(t)
	p.hello("e")
	k := p.kernel()
	dead := func(reason string) Message {
		return Message{Type: StateMessage, KernelID: idOf(t, k), Phase: kernel.Dead, Variables: -1, Reason: reason, Detail: "why"}
	}
	for reason, code := range map[string]apperr.Code{"unsupported": apperr.KernelUnsupported, "start_failed": apperr.KernelStartFailed} {
		done := execute(t.Context(), k, "again")
		p.asked(Execute)
		p.says(dead(reason))
		if got := p.end(done); !apperr.Is(got.err, code) {
			t.Errorf("%s: got %+v", reason, got)
		}
	}
}

func TestSlowSinkHoldsThePageBack(t *testing.T) {
	p := newPage(t, WithBuffer(1<<16))
	p.hello("e")
	k := p.kernel()
	open := make(chan struct{})
	var size int
	done := make(chan outcome, 1)
	go func() {
		reply, err := k.Execute(t.Context(), kernel.Request{ID: "flood"}, func(event kernel.Event) {
			<-open
			size += len(event.Text)
		})
		done <- outcome{reply: reply, err: err}
	}()
	request := p.asked(Execute)
	delivered := make(chan int, 100)
	go func() {
		for i := range 20 {
			p.says(text(request, strings.Repeat("x", 1<<14)))
			delivered <- i
		}
		p.says(reply(request, kernel.StatusOK))
	}()
	time.Sleep(50 * time.Millisecond)
	if got := len(delivered); got >= 20 {
		t.Errorf("%d batches were taken while the sink stood still", got)
	}
	close(open)
	if got := p.end(done); got.reply.Status != kernel.StatusOK || size != 20<<14 {
		t.Errorf("got %+v and %d bytes", got, size)
	}
}

func TestCloseReleasesEverything(t *testing.T) {
	p := newPage(t, WithBuffer(1))
	p.hello("e")
	k := p.kernel()
	entered, leave := make(chan struct{}), make(chan struct{})
	var once sync.Once
	done := make(chan outcome, 1)
	go func() {
		reply, err := k.Execute(t.Context(), kernel.Request{ID: "one"}, func(kernel.Event) {
			once.Do(func() { close(entered) })
			<-leave
		})
		done <- outcome{reply: reply, err: err}
	}()
	request := p.asked(Execute)
	p.says(text(request, "a"))
	<-entered
	go p.says(text(request, "b"), reply(request, kernel.StatusOK)) // has to wait for room
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
	p.asked(Close)
	close(leave)
	if got := p.end(done); got.reply.Status != kernel.StatusLost && got.reply.Status != kernel.StatusOK {
		t.Errorf("got %+v", got)
	}
}

func TestStatesKeepTheNewest(t *testing.T) {
	p := newPage(t)
	p.hello("e")
	k := p.kernel()
	states := k.States()
	id := idOf(t, k)
	for n := range 10 {
		p.says(Message{Type: StateMessage, KernelID: id, Phase: kernel.Idle, Variables: n})
	}
	if got := <-states; got != (kernel.State{Phase: kernel.Idle, Variables: 9}) {
		t.Errorf("a slow reader was told %+v", got)
	}
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
	var rest []kernel.State
	for state := range states {
		rest = append(rest, state)
	}
	if !slices.Equal(rest, []kernel.State{{Phase: kernel.Dead, Variables: -1}}) {
		t.Errorf("the last states were %+v", rest)
	}
	late := k.States()
	<-late
	if _, open := <-late; open {
		t.Error("States of a closed kernel did not end")
	}
}
