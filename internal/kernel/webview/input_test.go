package webview

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"lathe/internal/apperr"
	"lathe/internal/kernel"
)

// person answers prompts by the test's word.
type person struct {
	prompts chan kernel.Prompt
	answers chan answer
	left    chan error // why a prompt was withdrawn
}

func newPerson() *person {
	return &person{prompts: make(chan kernel.Prompt, 10), answers: make(chan answer), left: make(chan error, 10)}
}

func (s *person) stdin(ctx context.Context, prompt kernel.Prompt) (string, error) {
	s.prompts <- prompt
	select {
	case got := <-s.answers:
		return got.text, got.err
	case <-ctx.Done():
		s.left <- ctx.Err()
		return "", ctx.Err()
	}
}

func (p *page) asks(request Request, id, prompt string) {
	p.t.Helper()
	p.says(Message{Type: InputRequestMessage, KernelID: request.KernelID, RunID: request.RunID, InputID: id, Prompt: prompt})
}

func within[T any](t *testing.T, values <-chan T) T {
	t.Helper()
	select {
	case value := <-values:
		return value
	case <-time.After(bound):
		t.Fatal("nothing came")
		panic("unreachable")
	}
}

func (p *page) run(ctx context.Context, k kernel.Kernel, r kernel.Request) (<-chan outcome, Request) {
	p.t.Helper()
	done := make(chan outcome, 1)
	go func() {
		reply, err := k.Execute(ctx, r, func(kernel.Event) {})
		done <- outcome{reply: reply, err: err}
	}()
	request := p.asked(Execute)
	p.says(started(request))
	return done, request
}

func TestInput(t *testing.T) {
	p := newPage(t)
	p.hello("e")
	person := newPerson()
	done, request := p.run(t.Context(), p.kernel(), kernel.Request{ID: "asks", Stdin: person.stdin})
	for _, give := range []struct {
		answer answer
		want   Request
	}{
		{answer{text: "Ada"}, Request{Text: "Ada"}},
		{answer{}, Request{}},
		{answer{err: errors.New("nobody")}, Request{Refused: true}},
		{answer{text: strings.Repeat("é", kernel.InputLimit/2)}, Request{Text: strings.Repeat("é", kernel.InputLimit/2)}},
		{answer{text: strings.Repeat("x", kernel.InputLimit+1)}, Request{Refused: true, Text: refusedTooLong}},
	} {
		p.asks(request, "question", "who? ")
		if got := within(t, person.prompts); got.Text != "who? " || got.Password {
			t.Errorf("asked %+v", got)
		}
		person.answers <- give.answer
		want := give.want
		want.Type, want.KernelID, want.RunID, want.InputID = InputReply, request.KernelID, "asks", "question"
		if got := p.asked(InputReply); got != want {
			t.Errorf("replied %+v", got)
		}
	}
	p.says(reply(request, kernel.StatusOK))
	if got := p.end(done); got.reply.Status != kernel.StatusOK {
		t.Errorf("got %+v", got)
	}
}

func TestInputWithoutAnybody(t *testing.T) {
	p := newPage(t)
	p.hello("e")
	done, request := p.run(t.Context(), p.kernel(), kernel.Request{ID: "alone"})
	p.asks(request, "question", "")
	if got := p.asked(InputReply); !got.Refused || got.InputID != "question" {
		t.Errorf("replied %+v", got)
	}
	p.says(reply(request, kernel.StatusError))
	p.end(done)
}

// The question is withdrawn when the run stops, ends, or asks something else.
func TestInputThatIsWithdrawn(t *testing.T) {
	for name, withdraw := range map[string]func(p *page, k kernel.Kernel, request Request, cancel func()){
		"cancel":    func(_ *page, _ kernel.Kernel, _ Request, cancel func()) { cancel() },
		"interrupt": func(p *page, k kernel.Kernel, _ Request, _ func()) { _ = k.Interrupt(p.t.Context()) },
		"restart":   func(p *page, k kernel.Kernel, _ Request, _ func()) { _ = k.Restart(p.t.Context()) },
		"close":     func(_ *page, k kernel.Kernel, _ Request, _ func()) { _ = k.Close() },
		"reload":    func(p *page, _ kernel.Kernel, _ Request, _ func()) { p.hello("next") },
		"the end": func(p *page, _ kernel.Kernel, request Request, _ func()) {
			p.says(reply(request, kernel.StatusStopped))
		},
		"another": func(p *page, _ kernel.Kernel, request Request, _ func()) { p.asks(request, "other", "") },
		"a broken message": func(p *page, _ kernel.Kernel, request Request, _ func()) {
			p.says(Message{Type: InputRequestMessage, KernelID: request.KernelID, RunID: request.RunID})
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPage(t)
			p.hello("e")
			k, person := p.kernel(), newPerson()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			done, request := p.run(ctx, k, kernel.Request{ID: "asks", Stdin: person.stdin})
			p.asks(request, "question", "")
			within(t, person.prompts)
			withdraw(p, k, request, cancel)
			_ = within(t, person.left)
			switch name {
			case "cancel", "interrupt":
				p.asked(Interrupt)
				p.says(reply(request, kernel.StatusStopped))
			case "another":
				within(t, person.prompts)
				person.answers <- answer{text: "x"}
				if got := p.asked(InputReply); got.InputID != "other" || got.Text != "x" {
					t.Errorf("replied %+v", got)
				}
				p.says(reply(request, kernel.StatusOK))
			}
			p.end(done)
		})
	}
}

// The time of a run stands still while the person thinks.
func TestTimeoutWaitsForThePerson(t *testing.T) {
	p := newPage(t, WithGrace(time.Minute))
	p.hello("e")
	k, person := p.kernel(), newPerson()
	const limit = 200 * time.Millisecond
	done, request := p.run(t.Context(), k, kernel.Request{ID: "asks", Stdin: person.stdin, Timeout: limit})
	for range 2 {
		p.asks(request, "question", "")
		within(t, person.prompts)
		time.Sleep(2 * limit)
		select {
		case asked := <-p.requests:
			t.Fatalf("asked to %s while the person thought", asked.Type)
		default:
		}
		person.answers <- answer{}
		p.asked(InputReply)
	}
	p.asked(Interrupt)
	p.says(reply(request, kernel.StatusError))
	if got := p.end(done); got.reply.Status != kernel.StatusTimeout {
		t.Errorf("got %+v", got)
	}
	// An interrupt ends the thinking: code that goes on has its time again.
	done, request = p.run(t.Context(), k, kernel.Request{ID: "again", Stdin: person.stdin, Timeout: limit})
	p.asks(request, "question", "")
	within(t, person.prompts)
	if err := k.Interrupt(t.Context()); err != nil {
		t.Fatal(err)
	}
	_ = within(t, person.left)
	p.asked(Interrupt)
	p.asked(Interrupt)
	p.says(reply(request, kernel.StatusError))
	if got := p.end(done); got.reply.Status != kernel.StatusTimeout {
		t.Errorf("got %+v", got)
	}
}

func TestInputOutsideTheContract(t *testing.T) {
	p := newPage(t)
	p.hello("e")
	done, request := p.run(t.Context(), p.kernel(), kernel.Request{ID: "asks", Stdin: newPerson().stdin})
	p.asks(request, "question", strings.Repeat("x", maxPrompt+1))
	if got := p.end(done); !apperr.Is(got.err, apperr.KernelProtocol) {
		t.Errorf("got %+v", got)
	}
}
