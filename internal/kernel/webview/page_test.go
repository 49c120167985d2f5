package webview

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"lathe/internal/kernel"
)

// page plays the webview: it keeps what it is asked, and answers by the test's word.
type page struct {
	t        *testing.T
	host     *Host
	requests chan Request
	mu       sync.Mutex
	epoch    string
	seq      int
}

const bound = 10 * time.Second

func newPage(t *testing.T, changes ...Option) *page {
	t.Helper()
	before := runtime.NumGoroutine()
	p := &page{t: t, requests: make(chan Request, 100)}
	p.host = NewHost(func(request Request) { p.requests <- request }, changes...)
	t.Cleanup(func() {
		for deadline := time.Now().Add(bound); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				stacks := make([]byte, 1<<16)
				t.Fatalf("goroutines were left behind:\n%s", stacks[:runtime.Stack(stacks, true)])
			}
		}
	})
	return p
}

func (p *page) hello(epoch string) {
	p.mu.Lock()
	p.epoch, p.seq = epoch, 0
	p.mu.Unlock()
	p.host.Hello(epoch)
}

// asked waits for a request of a type.
func (p *page) asked(kind RequestType) Request {
	p.t.Helper()
	for {
		select {
		case request := <-p.requests:
			if request.Type == kind {
				return request
			}
		case <-time.After(bound):
			p.t.Fatalf("the page was not asked to %s", kind)
		}
	}
}

func (p *page) says(messages ...Message) {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.host.Deliver(p.epoch, p.seq, messages); err != nil {
		p.t.Errorf("Deliver: %v", err)
	}
	p.seq++
}

func (p *page) kernel() kernel.Kernel {
	p.t.Helper()
	k, err := p.host.New(p.t.Context())
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = k.Close() })
	return k
}

type outcome struct {
	reply kernel.Reply
	err   error
	text  string
}

func execute(ctx context.Context, k kernel.Kernel, id string) <-chan outcome {
	done := make(chan outcome, 1)
	go func() {
		var text strings.Builder
		reply, err := k.Execute(ctx, kernel.Request{ID: id, Code: "code of " + id}, func(event kernel.Event) {
			text.WriteString(event.Text + event.Code)
		})
		done <- outcome{reply, err, text.String()}
	}()
	return done
}

func (p *page) end(done <-chan outcome) outcome {
	p.t.Helper()
	select {
	case got := <-done:
		return got
	case <-time.After(bound):
		p.t.Fatal("the run has not ended")
		return outcome{}
	}
}

func text(r Request, words string) Message {
	return Message{Type: EventMessage, KernelID: r.KernelID, RunID: r.RunID, Event: &kernel.Event{Type: kernel.Stream, Name: kernel.Stdout, Text: words}}
}

func started(r Request) Message {
	return Message{Type: StartedMessage, KernelID: r.KernelID, RunID: r.RunID}
}

func reply(r Request, status kernel.Status) Message {
	return Message{Type: ReplyMessage, KernelID: r.KernelID, RunID: r.RunID, Status: status}
}

// idOf returns the id by which the page knows a kernel.
func idOf(t *testing.T, k kernel.Kernel) string {
	t.Helper()
	own, ok := k.(*Kernel)
	if !ok {
		t.Fatalf("a kernel of type %T", k)
	}
	return own.id
}
