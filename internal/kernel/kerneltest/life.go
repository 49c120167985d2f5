package kerneltest

import (
	"context"
	"strings"
	"testing"
	"time"

	"lathe/internal/kernel"
)

const endless = "print('running', flush=True)\nwhile True:\n    pass"

// callMade gives the goroutine of a run that has to wait the time to call
// Execute: nothing tells from outside that a call is waiting.
func callMade() { time.Sleep(100 * time.Millisecond) }

func testInterrupt(t *testing.T, s *suite) {
	k := s.kernel(t)
	if err := k.Interrupt(t.Context()); err != nil {
		t.Errorf("Interrupt without a run: %v", err)
	}
	expect(t, k, "kept = 7", "")
	for name, code := range map[string]string{
		"C053 busy":   endless,
		"C052 asleep": "import time\nprint('running', flush=True)\ntime.sleep(600)",
		"C051 await":  "import asyncio\nprint('running', flush=True)\nwhile True:\n    await asyncio.sleep(0.2)",
	} {
		t.Run(name, func(t *testing.T) {
			run := start(t, k, request(code), true)
			if err := k.Interrupt(t.Context()); err != nil {
				t.Fatalf("Interrupt: %v", err)
			}
			got, took := run.wait(t, stopBound)
			if got.Status != kernel.StatusStopped || got.StateLost {
				t.Errorf("ended %s, variables lost: %v", got.Status, got.StateLost)
			}
			t.Logf("stopped %v after the interrupt", took)
			expect(t, k, "print(kept)", "7\n")
		})
	}
}

func testCancel(t *testing.T, s *suite) {
	k := s.kernel(t)
	expect(t, k, "kept = 7", "")
	run := start(t, k, request(endless), true)
	run.cancel()
	got, took := run.wait(t, stopBound)
	if got.Status != kernel.StatusStopped || got.stream(kernel.Stdout) != "running\n" {
		t.Errorf("ended %s after %q", got.Status, got.stream(kernel.Stdout))
	}
	t.Logf("stopped %v after cancelling", took)
	if !got.StateLost {
		expect(t, k, "print(kept)", "7\n")
	}

	// Code that refuses to stop costs the variables, and the kernel goes on.
	stubborn := "print('running', flush=True)\nimport time\nwhile True:\n    try:\n        while True:\n            time.sleep(0.01)\n    except BaseException:\n        pass"
	run = start(t, k, request(stubborn), true)
	run.cancel()
	if got, _ = run.wait(t, stopBound); got.Status != kernel.StatusStopped || !got.StateLost {
		t.Errorf("code that refuses to stop ended %s, variables lost: %v", got.Status, got.StateLost)
	}
	expect(t, k, "print('kept' in globals())", "False\n")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := runRequest(ctx, t, k, request("print('never')"), nil); got.Status != kernel.StatusStopped || len(got.events) > 0 {
		t.Errorf("a run cancelled before it began ended %s with %+v", got.Status, got.events)
	}
}

// C059, C075: the limit is wall-clock time, and what was printed is kept.
func testTimeout(t *testing.T, s *suite) {
	k := s.kernel(t)
	expect(t, k, "pass", "")
	r := request("import time\nfor i in range(1000):\n    print(i, flush=True)\n    time.sleep(0.1)")
	r.Timeout = 1500 * time.Millisecond
	got := runRequest(t.Context(), t, k, r, nil)
	if got.Status != kernel.StatusTimeout || !strings.HasPrefix(got.stream(kernel.Stdout), "0\n1\n2\n") {
		t.Errorf("ended %s after %q", got.Status, got.stream(kernel.Stdout))
	}
	if got.Duration < r.Timeout || got.Duration > stopBound {
		t.Errorf("a time-out of %v ended the run after %v", r.Timeout, got.Duration)
	}
	expect(t, k, "print('after')", "after\n")

	r = request("print('quick')")
	r.Timeout = time.Minute
	if got := runRequest(t.Context(), t, k, r, nil); got.Status != kernel.StatusOK {
		t.Errorf("a run within its time ended %s", got.Status)
	}
}

func testQueue(t *testing.T, s *suite) {
	k := s.kernel(t)
	expect(t, k, "order = []", "")
	first := start(t, k, request(endless), true)
	second := start(t, k, request("order.append(2)"), false)
	callMade()
	third := start(t, k, request("order.append(3)"), false)
	callMade()
	third.cancel()
	if got, _ := third.wait(t, stopBound); got.Status != kernel.StatusStopped {
		t.Errorf("a run cancelled in the queue ended %s", got.Status)
	}
	select {
	case <-second.done:
		t.Errorf("the second run did not wait for the first")
	default:
	}
	fourth := start(t, k, request("order.append(4)"), false)
	callMade()
	if err := k.Interrupt(t.Context()); err != nil {
		t.Fatalf("Interrupt: %v", err)
	}
	first.wait(t, stopBound)
	second.wait(t, runBound)
	fourth.wait(t, runBound)
	expect(t, k, "print(order)", "[2, 4]\n")
}

func testRestart(t *testing.T, s *suite) {
	k := s.kernel(t)
	expect(t, k, "x = 1", "")
	if err := k.Restart(t.Context()); err != nil {
		t.Fatalf("Restart: %v", err)
	}
	expect(t, k, "print('x' in globals())", "False\n")

	run := start(t, k, request(endless), true)
	waiting := start(t, k, request("print('x' in globals())"), false)
	callMade()
	if err := k.Restart(t.Context()); err != nil {
		t.Fatalf("Restart: %v", err)
	}
	if got, _ := run.wait(t, stopBound); got.Status != kernel.StatusStopped || !got.StateLost {
		t.Errorf("a run ended by a restart ended %s, variables lost: %v", got.Status, got.StateLost)
	}
	if got, _ := waiting.wait(t, runBound); got.Status != kernel.StatusOK || got.stream(kernel.Stdout) != "False\n" {
		t.Errorf("a run that waited for a restart ended %s with %q", got.Status, got.stream(kernel.Stdout))
	}
}

func testClose(t *testing.T, s *suite) {
	k := s.kernel(t)
	states := k.States()
	run := start(t, k, request(endless), true)
	waiting := start(t, k, request("print('never')"), false)
	callMade()
	if err := k.Close(); err != nil {
		t.Fatalf("Close: %v", err)
	}
	if got, _ := run.wait(t, stopBound); got.Status != kernel.StatusLost {
		t.Errorf("a run ended by Close ended %s", got.Status)
	}
	if got, _ := waiting.wait(t, stopBound); got.Status != kernel.StatusLost || len(got.events) > 0 {
		t.Errorf("a run waiting at Close ended %s with %+v", got.Status, got.events)
	}
	if err := k.Close(); err != nil {
		t.Errorf("Close again: %v", err)
	}
	if _, err := k.Execute(t.Context(), request("1"), func(kernel.Event) { t.Error("an event after Close") }); err == nil {
		t.Error("Execute after Close gave no error")
	}
	deadline := time.After(stateBound)
	for {
		select {
		case _, open := <-states:
			if !open {
				return
			}
		case <-deadline:
			t.Fatal("States did not end with the kernel")
		}
	}
}

// C044: what one session does to modules and builtins, another does not see.
func testSeparate(t *testing.T, s *suite) {
	one, other := s.kernel(t), s.kernel(t)
	expect(t, one, "import math, builtins\nmath.pi = 3\nbuiltins.shared = 1\nx = 1", "")
	expect(t, other, "import math, builtins\nprint(math.pi > 3.1, hasattr(builtins, 'shared'), 'x' in globals(), sep=',')", "True,False,False\n")
	// They run at the same time.
	run := start(t, one, request(endless), true)
	expect(t, other, "print('free')", "free\n")
	run.cancel()
	run.wait(t, stopBound)
}

func testSink(t *testing.T, s *suite) {
	k := s.kernel(t)
	expect(t, k, "pass", "")
	// A slow sink: everything comes, in order, and nothing after the end.
	var text strings.Builder
	got := runRequest(t.Context(), t, k, request("import time\nfor i in range(20):\n    print(i, flush=True)\n    time.sleep(0.02)"), func(event kernel.Event) {
		time.Sleep(30 * time.Millisecond)
		text.WriteString(event.Text)
	})
	if got.Status != kernel.StatusOK || strings.Count(text.String(), "\n") != 20 || !strings.HasSuffix(text.String(), "19\n") {
		t.Errorf("ended %s with %q", got.Status, text.String())
	}
	run := start(t, k, request("while True:\n    print('flood')"), true)
	run.cancel()
	run.wait(t, stopBound)
	expect(t, k, "print('after')", "after\n")
	if run.late.Load() {
		t.Error("sink was called after Execute had returned")
	}
}

func testStates(t *testing.T, s *suite) {
	k := s.kernel(t)
	states := k.States()
	await := func(what string, fits func(kernel.State) bool) {
		t.Helper()
		deadline := time.After(stateBound)
		for {
			select {
			case state, open := <-states:
				if !open {
					t.Fatalf("States ended before the kernel was %s", what)
				}
				if fits(state) {
					return
				}
			case <-deadline:
				t.Fatalf("the kernel was never %s", what)
			}
		}
	}
	phase := func(want kernel.Phase) func(kernel.State) bool {
		return func(state kernel.State) bool { return state.Phase == want }
	}
	await("idle", phase(kernel.Idle))
	run := start(t, k, request(endless), true)
	await("busy", phase(kernel.Busy))
	run.cancel()
	run.wait(t, stopBound)
	await("idle again", phase(kernel.Idle))
	expect(t, k, "a, b, c = 1, 2, 3", "")
	await("idle with its variables", func(state kernel.State) bool {
		return state.Phase == kernel.Idle && (state.Variables == -1 || state.Variables == 3)
	})
	select {
	case state := <-k.States():
		if state.Phase != kernel.Idle {
			t.Errorf("a new reader was told %+v first", state)
		}
	case <-time.After(stateBound):
		t.Error("a new reader was told nothing")
	}
}
