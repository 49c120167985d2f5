package execution

import (
	"context"
	"strconv"

	"github.com/google/uuid"

	"lathe/internal/apperr"
	"lathe/internal/kernel"
)

// ask shows what the code asks for, and waits for the person's answer.
func (l *live) ask(ctx context.Context, prompt kernel.Prompt) (string, error) {
	answers := make(chan string, 1)
	input := &Input{ID: uuid.NewString(), Text: prompt.Text, Password: prompt.Password}
	l.wait(input, answers)
	defer l.wait(nil, nil)
	select {
	case answer := <-answers:
		return answer, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// wait tells what the code waits for; nil: for nothing.
func (l *live) wait(input *Input, answers chan string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.run.State != Running { // the end has told it
		return
	}
	l.run.Input, l.answers = input, answers
	// What was printed before the question stands before it.
	l.flush(true)
	l.emit(Event{Type: RunInput, Input: input})
}

// Answer answers what input() of a run waits for. An empty answer is one. A run
// that waits for nothing, or for something else by now, is left as it is; an
// answer over kernel.InputLimit is apperr.InputTooLong, and the wait goes on.
func (s *Service) Answer(runID, inputID, text string) error {
	if len(text) > kernel.InputLimit {
		return apperr.New(apperr.InputTooLong, "limit", strconv.Itoa(kernel.InputLimit))
	}
	l := s.find(runID)
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.run.Input == nil || l.run.Input.ID != inputID {
		return nil
	}
	select {
	case l.answers <- text:
	default: // answered already
	}
	return nil
}
