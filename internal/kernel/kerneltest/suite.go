// Package kerneltest is the suite that every engine has to pass. An engine
// joins with a test of a few lines:
//
//	func TestConformance(t *testing.T) {
//		kerneltest.Run(t, func(t *testing.T) kernel.Kernel { … })
//	}
//
// The code in it is plain Python 3 that means the same to every Python kernel.
package kerneltest

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lathe/internal/kernel"
)

// The bounds are generous: they tell a machine that is slow from a kernel that
// hangs, and measure nothing.
const (
	runBound   = 3 * time.Minute
	stateBound = time.Minute
	// stopBound is a grace of two seconds, a new interpreter aside, with room
	// for a busy machine.
	stopBound = 20 * time.Second
)

// Factory makes a kernel that the suite closes.
type Factory func(t *testing.T) kernel.Kernel

// Run tests the kernels that factory makes.
func Run(t *testing.T, factory Factory) {
	t.Helper()
	suites := []struct {
		name string
		test func(t *testing.T, s *suite)
	}{
		{"streams", testStreams},
		{"value", testValue},
		{"errors", testErrors},
		{"variables", testVariables},
		{"displays", testDisplays},
		{"many lines", testManyLines},
		{"interrupt", testInterrupt},
		{"cancel", testCancel},
		{"timeout", testTimeout},
		{"queue", testQueue},
		{"restart", testRestart},
		{"close", testClose},
		{"separate", testSeparate},
		{"sink", testSink},
		{"states", testStates},
	}
	for _, s := range suites {
		t.Run(s.name, func(t *testing.T) { s.test(t, &suite{factory: factory}) })
	}
}

type suite struct{ factory Factory }

// kernel makes a kernel for one test.
func (s *suite) kernel(t *testing.T) kernel.Kernel {
	t.Helper()
	k := s.factory(t)
	t.Cleanup(func() {
		if err := k.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return k
}

// result is all that a run gave.
type result struct {
	kernel.Reply
	events []kernel.Event
}

func (r result) stream(name string) string {
	var text strings.Builder
	for _, event := range r.events {
		if event.Type == kernel.Stream && event.Name == name {
			text.WriteString(event.Text)
		}
	}
	return text.String()
}

// ofType returns the run's events of a type.
func (r result) ofType(kind kernel.EventType) []kernel.Event {
	var found []kernel.Event
	for _, event := range r.events {
		if event.Type == kind {
			found = append(found, event)
		}
	}
	return found
}

var lastID atomic.Int64

func request(code string) kernel.Request {
	return kernel.Request{
		ID:   "run-" + time.Now().Format("150405.000000") + "-" + string(rune('a'+lastID.Add(1)%26)),
		Code: code, Language: "python",
	}
}

// run runs code to its end, which must not be an error of the kernel.
func run(t *testing.T, k kernel.Kernel, code string) result {
	t.Helper()
	return runRequest(t.Context(), t, k, request(code), nil)
}

// runRequest is run with everything to be chosen; seen gets each event when it comes.
func runRequest(ctx context.Context, t *testing.T, k kernel.Kernel, r kernel.Request, seen func(kernel.Event)) result {
	t.Helper()
	bounded, cancel := context.WithTimeout(ctx, runBound)
	defer cancel()
	var got result
	reply, err := k.Execute(bounded, r, func(event kernel.Event) {
		if err := event.Validate(); err != nil {
			t.Errorf("event %+v: %v", event, err)
		}
		got.events = append(got.events, event)
		if seen != nil {
			seen(event)
		}
	})
	if err != nil {
		t.Fatalf("Execute(%q): %v", r.Code, err)
	}
	if bounded.Err() != nil && ctx.Err() == nil {
		t.Fatalf("Execute(%q) did not end by itself", r.Code)
	}
	got.Reply = reply
	return got
}

// expect runs code that has to end well and print text.
func expect(t *testing.T, k kernel.Kernel, code, stdout string) {
	t.Helper()
	got := run(t, k, code)
	if got.Status != kernel.StatusOK || got.stream(kernel.Stdout) != stdout {
		t.Errorf("Execute(%q) ended %s and printed %q, not ok and %q; events %+v",
			code, got.Status, got.stream(kernel.Stdout), stdout, got.events)
	}
}

// running is a run in a goroutine of its own.
type running struct {
	cancel context.CancelFunc
	said   chan struct{} // closed with the first stream event
	done   chan struct{}
	got    result
	ended  atomic.Bool // Execute has returned
	late   atomic.Bool // sink was called after that
}

// start begins a run, and waits until its code has printed something where ready is set.
func start(t *testing.T, k kernel.Kernel, r kernel.Request, ready bool) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	run := &running{cancel: cancel, said: make(chan struct{}), done: make(chan struct{})}
	var once sync.Once
	go func() {
		defer close(run.done)
		reply, err := k.Execute(ctx, r, func(event kernel.Event) {
			if run.ended.Load() {
				run.late.Store(true)
				return
			}
			run.got.events = append(run.got.events, event)
			if event.Type == kernel.Stream {
				once.Do(func() { close(run.said) })
			}
		})
		run.ended.Store(true)
		if err != nil {
			t.Errorf("Execute(%q): %v", r.Code, err)
		}
		run.got.Reply = reply
	}()
	t.Cleanup(func() {
		cancel()
		<-run.done
	})
	if ready {
		select {
		case <-run.said:
		case <-run.done:
			t.Fatalf("Execute(%q) ended early: %+v", r.Code, run.got)
		case <-time.After(runBound):
			t.Fatalf("Execute(%q) printed nothing", r.Code)
		}
	}
	return run
}

// wait returns what the run gave, and how long that took from now on.
func (r *running) wait(t *testing.T, bound time.Duration) (result, time.Duration) {
	t.Helper()
	began := time.Now()
	select {
	case <-r.done:
	case <-time.After(bound):
		t.Fatalf("the run has not ended after %v", bound)
	}
	return r.got, time.Since(began)
}
