package webview

import (
	"context"
	"errors"
	"time"

	"lathe/internal/apperr"
)

// errand is what the page is asked to do for a kernel between two runs.
type errand struct {
	id      string
	answers chan Message  // the first answer
	ends    chan error    // the first end that comes from elsewhere than the page
	page    chan struct{} // closed when a page comes to a host that had none
}

// end ends the errand, unless something else has done so before.
func (e *errand) end(err error) {
	select {
	case e.ends <- err:
	default:
	}
}

// errClosed ends an errand whose result nobody wants any more.
var errClosed = errors.New("closed before its end")

// enter waits for the runs and errands before; line.leave must follow.
func (k *Kernel) enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if k.isClosed() {
		return apperr.New(apperr.KernelDead)
	}
	if !k.line.enter(ctx, k.gone) {
		if err := ctx.Err(); err != nil {
			return err
		}
		return apperr.New(apperr.KernelDead)
	}
	return nil
}

// ask sends a request with an id and returns the answer to it. The caller has
// entered the line. It fails when ctx, the kernel or its interpreter ends, and
// when the transfer that goes with it, if any, is closed. An interpreter that
// neither answers nor moves content for the time in which one has to start is
// given up.
func (k *Kernel) ask(ctx context.Context, request Request, t *transfer) (Message, error) {
	e := k.beginErrand(request)
	if e == nil {
		return Message{}, apperr.New(apperr.KernelDead)
	}
	defer k.endErrand()
	limit := time.NewTimer(k.host.options.startTime)
	defer limit.Stop()
	sent := k.host.request(request)
	page := (<-chan struct{})(e.page)
	var moved int64
	for {
		select {
		case answer := <-e.answers:
			return answer, nil
		case err := <-e.ends:
			return Message{}, err
		case <-page:
			page = nil
			if !sent {
				k.host.request(request)
			}
		case <-t.closed():
			return Message{}, errClosed
		case <-ctx.Done():
			return Message{}, ctx.Err()
		case <-k.gone:
			return Message{}, apperr.New(apperr.KernelDead)
		case <-limit.C:
			if t.busy() || t.moved() > moved {
				moved = t.moved()
				limit.Reset(k.host.options.startTime)
				continue
			}
			k.interpreterEnds(ending{}, true)
			return Message{}, apperr.New(apperr.KernelSlow)
		}
	}
}

// beginErrand makes an errand the present one, or returns nil where the kernel
// is closed.
func (k *Kernel) beginErrand(request Request) *errand {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed {
		return nil
	}
	// A file is lost with its interpreter, as a variable is.
	k.used = k.used || request.Type == PutFile
	k.errand = &errand{
		id: request.RequestID, answers: make(chan Message, 1), ends: make(chan error, 1), page: make(chan struct{}),
	}
	return k.errand
}

func (k *Kernel) endErrand() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.errand = nil
}

// answer brings the page's answer to the errand that it belongs to.
func (k *Kernel) answer(message Message) {
	k.mu.Lock()
	e := k.errand
	k.mu.Unlock()
	if e == nil || e.id != message.RequestID {
		return // given up meanwhile
	}
	select {
	case e.answers <- message:
	default:
	}
}
