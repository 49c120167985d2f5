package execution

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"lathe/internal/apperr"
	"lathe/internal/kernel"
)

// finalWrite bounds the last write of a run, which goes on after a stop.
const finalWrite = 10 * time.Second

// saveEvery is how often the outputs of a long run are kept meanwhile.
const saveEvery = 2 * time.Second

var errStopped = errors.New("the person stopped the run")

// live is a run in progress. mu orders its events.
type live struct {
	service  *Service
	context  context.Context
	cancel   context.CancelCauseFunc
	done     chan struct{} // closed after the last event
	recorder *recorder

	mu      sync.Mutex
	seq     int
	run     Run
	timer   *time.Timer
	flushed time.Time
	dirty   bool
	answers chan string // nil while the code waits for no answer; holds one
}

// emit gives an event its place. mu is held.
func (l *live) emit(event Event) {
	l.seq++
	event.ChatID, event.RunID, event.Seq = l.run.ChatID, l.run.ID, l.seq
	l.service.emit(event)
}

// snapshot returns the run as its events have told it so far. mu is held.
func (l *live) snapshot() Run {
	l.flush(true)
	run := l.run
	run.Outputs = slices.Clone(l.recorder.outputs)
	return run
}

// head returns the run without its outputs. mu is held.
func (l *live) head() *Run {
	run := l.run
	run.Outputs = []Output{}
	return &run
}

// take is the sink of the kernel's events.
func (l *live) take(event kernel.Event) {
	// Pictures are written before the lock is taken: the disk must not hold up
	// who looks at the run.
	ready := l.recorder.prepare(event)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.recorder.add(event, ready)
	l.dirty = true
	if l.timer != nil {
		return
	}
	if wait := l.service.options.FlushEvery - time.Since(l.flushed); wait > 0 {
		l.flushAfter(wait)
		return
	}
	l.flush(false)
}

// flushAfter tells what has changed a moment later. mu is held.
func (l *live) flushAfter(wait time.Duration) {
	l.timer = time.AfterFunc(wait, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.timer != nil { // else the run has ended meanwhile
			l.timer = nil
			l.flush(false)
		}
	})
}

// flush tells what changed since the last time; all includes what could wait. mu is held.
func (l *live) flush(all bool) {
	if ops := l.recorder.take(all); len(ops) > 0 {
		l.emit(Event{Type: RunOutputs, Ops: ops})
		l.flushed = time.Now()
	}
	if l.recorder.tailWaits && l.timer == nil {
		l.flushAfter(tailEvery)
	}
}

// follow runs the code to its end; the last thing it does is to tell the end.
func (l *live) follow(k *session, timeout time.Duration) {
	saver := time.NewTicker(saveEvery)
	stopSaving := make(chan struct{})
	var saving sync.WaitGroup
	saving.Go(func() {
		defer saver.Stop()
		for {
			select {
			case <-saver.C:
				l.save()
			case <-stopSaving:
				return
			}
		}
	})
	reply, err := k.kernel.Execute(l.context, kernel.Request{
		ID: l.run.ID, Code: l.run.Code, Language: l.run.Language, Timeout: timeout,
		Stdin: l.ask,
	}, l.take)
	k.release()
	close(stopSaving)
	saving.Wait()
	l.finish(reply, err)
}

// save keeps the outputs of a long run, so that a crash loses little.
func (l *live) save() {
	l.mu.Lock()
	if !l.dirty {
		l.mu.Unlock()
		return
	}
	l.dirty = false
	l.flush(true)
	outputs := slices.Clone(l.recorder.outputs)
	l.mu.Unlock()
	// A failure here is told at the run's end, when keeping it fails as well.
	_ = l.service.store.SaveOutputs(l.context, l.run.ID, outputs)
}

func (l *live) finish(reply kernel.Reply, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timer != nil {
		l.timer.Stop()
		l.timer = nil
	}
	l.run.State, l.run.StateLost = stateOf(reply, err), reply.StateLost
	l.run.DurationMS = reply.Duration.Milliseconds()
	if err != nil && !errors.Is(err, context.Canceled) {
		l.run.Error = apperr.Of(err)
	}
	l.flush(true)
	l.run.Outputs, l.run.Input = l.recorder.outputs, nil
	ctx, cancel := context.WithTimeout(context.WithoutCancel(l.context), finalWrite)
	defer cancel()
	if storeErr := l.service.store.FinishRun(ctx, l.run); storeErr != nil && l.run.Error == nil {
		l.run.State, l.run.Error = Failed, apperr.Of(storeErr)
	}
	// Whoever hears of the end may run the block again at once.
	l.service.unregister(l)
	l.emit(Event{Type: RunFinished, Run: l.head()})
}

func stateOf(reply kernel.Reply, err error) State {
	if err != nil {
		if errors.Is(err, context.Canceled) {
			return Stopped
		}
		return Failed
	}
	switch reply.Status {
	case kernel.StatusOK:
		return Done
	case kernel.StatusStopped:
		return Stopped
	case kernel.StatusTimeout:
		return Timeout
	case kernel.StatusLost:
		return Lost
	case kernel.StatusError:
		return Failed
	}
	return Failed
}
