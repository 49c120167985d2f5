package webview

import (
	"context"
	"sync"
)

// line lets one call in at a time, in the order in which they came.
type line struct {
	mu      sync.Mutex
	taken   bool
	waiting []chan struct{}
}

// enter waits for its turn and reports whether it came; leave must follow then.
// It gives up when ctx or gone is done.
func (l *line) enter(ctx context.Context, gone <-chan struct{}) bool {
	l.mu.Lock()
	if !l.taken {
		l.taken = true
		l.mu.Unlock()
		return true
	}
	turn := make(chan struct{})
	l.waiting = append(l.waiting, turn)
	l.mu.Unlock()
	select {
	case <-turn:
		return true
	case <-ctx.Done():
	case <-gone:
	}
	l.mu.Lock()
	for i, other := range l.waiting {
		if other == turn {
			l.waiting = append(l.waiting[:i], l.waiting[i+1:]...)
			l.mu.Unlock()
			return false
		}
	}
	l.mu.Unlock()
	// The turn came at the same moment; it goes to the next.
	l.leave()
	return false
}

// try enters where nobody is in, and reports whether it did.
func (l *line) try() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	free := !l.taken
	l.taken = true
	return free
}

func (l *line) leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.waiting) == 0 {
		l.taken = false
		return
	}
	close(l.waiting[0])
	l.waiting = l.waiting[1:]
}
