package webview

import "sync"

// mailbox holds a run's messages for the goroutine that follows the run. Who
// puts waits while it is full, which in the end makes the code wait.
type mailbox struct {
	limit int
	wake  chan struct{} // has a token while there is something to take

	mu     sync.Mutex
	room   *sync.Cond
	items  []Message
	size   int
	closed bool
}

func newMailbox(limit int) *mailbox {
	m := &mailbox{limit: limit, wake: make(chan struct{}, 1)}
	m.room = sync.NewCond(&m.mu)
	return m
}

// put adds a message, after waiting for room. A closed mailbox drops it.
func (m *mailbox) put(message Message) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for m.size >= m.limit && !m.closed {
		m.room.Wait()
	}
	if m.closed {
		return
	}
	m.items = append(m.items, message)
	m.size += message.size()
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// take returns what is there.
func (m *mailbox) take() []Message {
	m.mu.Lock()
	defer m.mu.Unlock()
	items := m.items
	m.items, m.size = nil, 0
	m.room.Broadcast()
	return items
}

// close drops what is there and what still comes.
func (m *mailbox) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.items, m.size, m.closed = nil, 0, true
	m.room.Broadcast()
}
