package execution_test

import (
	"strings"
	"testing"
	"time"

	"lathe/internal/apperr"
	"lathe/internal/execution"
	"lathe/internal/kernel"
)

// asked waits until the run tells what it waits for, and returns that.
func (b *bench) asked() *execution.Input {
	b.t.Helper()
	for range 1000 {
		b.mu.Lock()
		for _, event := range b.events {
			if event.Type == execution.RunInput && event.Input != nil {
				b.mu.Unlock()
				return event.Input
			}
		}
		b.mu.Unlock()
		time.Sleep(5 * time.Millisecond)
	}
	b.t.Fatal("nothing was asked")
	return nil
}

// C049: an answer reaches the code, also an empty one, and only for the question that it is for.
func TestInputIsAnswered(t *testing.T) {
	for _, answer := range []string{"Ada", ""} {
		b := newBench(t)
		run, err := b.run("ask")
		if err != nil {
			t.Fatal(err)
		}
		input := b.asked()
		if input.Text != "Who? " || !input.Password {
			t.Errorf("asked %+v", input)
		}
		if live, _ := b.service.Live("c"); live[0].Input == nil || live[0].Input.ID != input.ID {
			t.Errorf("a reloaded chat would not show the question: %+v", live)
		}
		if err := b.service.Answer(run.ID, input.ID, strings.Repeat("x", kernel.InputLimit+1)); !apperr.Is(err, apperr.InputTooLong) {
			t.Errorf("a long answer gave %v", err)
		}
		for _, wrong := range [][2]string{{run.ID, "another"}, {"another", input.ID}} {
			if err := b.service.Answer(wrong[0], wrong[1], "wrong"); err != nil {
				t.Error(err)
			}
		}
		for range 2 { // pressed twice, it is one answer
			if err := b.service.Answer(run.ID, input.ID, answer); err != nil {
				t.Fatal(err)
			}
		}
		if end := <-b.ends; end.Run.State != execution.Done || end.Run.Input != nil {
			t.Errorf("ended as %+v", end.Run)
		}
		kept, err := b.store.Runs(t.Context(), []string{"p"})
		if err != nil || kept[0].Outputs[0].Text != "began\n<"+answer+">" {
			t.Errorf("kept %+v, %v", kept, err)
		}
	}
}

// C049: Stop works while the code waits.
func TestInputIsStopped(t *testing.T) {
	b := newBench(t)
	run, err := b.run("ask")
	if err != nil {
		t.Fatal(err)
	}
	input := b.asked()
	if err := b.service.Stop(t.Context(), run.ID); err != nil {
		t.Fatal(err)
	}
	if end := <-b.ends; end.Run.State != execution.Stopped {
		t.Errorf("ended as %s", end.Run.State)
	}
	if err := b.service.Answer(run.ID, input.ID, "late"); err != nil {
		t.Errorf("a late answer gave %v", err)
	}
}
