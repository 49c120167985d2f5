package webview

import (
	"context"
	"time"

	"github.com/google/uuid"

	"lathe/internal/apperr"
	"lathe/internal/kernel"
)

var _ kernel.Completer = (*Kernel)(nil)

const (
	// completeTime is how long completing may take before its answer is of no
	// interest, and a run need not wait for it.
	completeTime = 2 * time.Second
	// completeText is how much text before the cursor is looked at, in code points.
	completeText = 4000
)

// Complete implements kernel.Completer: the names that the session knows. It
// runs no code of the chat. Where there is no interpreter yet, it is empty.
func (k *Kernel) Complete(ctx context.Context, code string, cursor int) (kernel.Completion, error) {
	text := []rune(code)
	if cursor < 0 || cursor > len(text) {
		return kernel.Completion{}, apperr.New(apperr.BadRequest, "detail", "a cursor outside the code")
	}
	nothing := kernel.Completion{Matches: []string{}, Start: cursor, End: cursor}
	if k.states.now().Phase != kernel.Idle || !k.line.try() {
		return nothing, nil
	}
	defer k.line.leave()
	before := max(cursor-completeText, 0)
	bounded, cancel := context.WithTimeout(ctx, completeTime)
	defer cancel()
	answer, err := k.ask(bounded, Request{
		Type: Complete, KernelID: k.id, RequestID: uuid.NewString(), Code: string(text[before:cursor]), Cursor: cursor - before,
	}, nil)
	switch {
	case ctx.Err() != nil:
		return kernel.Completion{}, ctx.Err()
	case bounded.Err() != nil:
		return nothing, nil
	case err != nil:
		return kernel.Completion{}, err
	case answer.Error != "" || answer.Completion == nil || answer.Completion.End > cursor-before:
		return nothing, nil
	}
	found := *answer.Completion
	found.Start, found.End = found.Start+before, found.End+before
	if found.Matches == nil {
		found.Matches = []string{}
	}
	return found, nil
}
