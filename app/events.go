package app

import (
	"sync"
	"time"

	"lathe/internal/chat"
	"lathe/internal/execution"
	"lathe/internal/kernel/webview"
)

// eventName is the one Wails event that carries everything Go says unasked: a
// list of events in order.
const eventName = "lathe"

// Topic tells which field of an Event is set.
type Topic string

// The topics. Models carries nothing: the page fetches them anew.
const (
	TopicTurn    Topic = "turn"
	TopicRun     Topic = "run"
	TopicKernel  Topic = "kernel"
	TopicSession Topic = "session"
	TopicModels  Topic = "models"
)

// Event is one item of the list.
type Event struct {
	Topic   Topic                   `json:"topic"`
	Turn    *chat.Event             `json:"turn,omitempty"`
	Run     *execution.Event        `json:"run,omitempty"`
	Kernel  *webview.Request        `json:"kernel,omitempty"`
	Session *execution.SessionState `json:"session,omitempty"`
}

// batchEvery is the least time between two lists; the screen draws no faster.
const batchEvery = 8 * time.Millisecond

// bridge collects events and sends them in order, each list with one call into
// the webview. It never blocks who adds.
type bridge struct {
	mu      sync.Mutex
	waiting []Event
	wake    chan struct{}
	stop    chan struct{}
	ended   chan struct{}
}

func newBridge() *bridge {
	return &bridge{wake: make(chan struct{}, 1), stop: make(chan struct{}), ended: make(chan struct{})}
}

// add puts an event at the end of the list.
func (b *bridge) add(event Event) {
	b.mu.Lock()
	b.waiting = append(b.waiting, event)
	b.mu.Unlock()
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// run sends what is added until close is called. An event after a pause is sent at once.
func (b *bridge) run(send func([]Event)) {
	defer close(b.ended)
	for {
		select {
		case <-b.stop:
			return
		case <-b.wake:
		}
		b.mu.Lock()
		batch := b.waiting
		b.waiting = nil
		b.mu.Unlock()
		if len(batch) > 0 {
			send(batch)
		}
		select {
		case <-b.stop:
			return
		case <-time.After(batchEvery):
		}
	}
}

// close ends run and waits for it.
func (b *bridge) close() {
	close(b.stop)
	<-b.ended
}
