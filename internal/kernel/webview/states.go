package webview

import (
	"sync"

	"lathe/internal/kernel"
)

// states tells a kernel's state to everyone who asked, the newest only.
type states struct {
	mu      sync.Mutex
	present kernel.State
	readers []chan kernel.State
	closed  bool
}

func (s *states) subscribe() <-chan kernel.State {
	s.mu.Lock()
	defer s.mu.Unlock()
	reader := make(chan kernel.State, 1)
	reader <- s.present
	if s.closed {
		close(reader)
		return reader
	}
	s.readers = append(s.readers, reader)
	return reader
}

func (s *states) now() kernel.State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.present
}

func (s *states) set(state kernel.State) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || state == s.present {
		return
	}
	s.present = state
	for _, reader := range s.readers {
		// Only this goroutine sends, so after the old one is out there is room.
		select {
		case <-reader:
		default:
		}
		reader <- state
	}
}

// close tells the last state and ends all readers' channels.
func (s *states) close(last kernel.State) {
	s.set(last)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.closed = true
	for _, reader := range s.readers {
		close(reader)
	}
	s.readers = nil
}
