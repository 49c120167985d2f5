package execution

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"lathe/internal/kernel"
)

// idleKernel is a kernel that does nothing but have states.
type idleKernel struct {
	states chan kernel.State
	once   sync.Once
	closed chan struct{}
}

func newIdleKernel() *idleKernel {
	return &idleKernel{states: make(chan kernel.State, 1), closed: make(chan struct{})}
}

func (k *idleKernel) Execute(context.Context, kernel.Request, func(kernel.Event)) (kernel.Reply, error) {
	return kernel.Reply{Status: kernel.StatusOK}, nil
}
func (k *idleKernel) Interrupt(context.Context) error { return nil }
func (k *idleKernel) Restart(context.Context) error   { return nil }
func (k *idleKernel) States() <-chan kernel.State     { return k.states }
func (k *idleKernel) Close() error {
	k.once.Do(func() { close(k.states); close(k.closed) })
	return nil
}

func newTestPool() (*pool, func() []*idleKernel) {
	var mu sync.Mutex
	var made []*idleKernel
	p := newPool(map[kernel.Engine]Starter{
		kernel.Pyodide: func(context.Context, string) (kernel.Kernel, error) {
			mu.Lock()
			defer mu.Unlock()
			made = append(made, newIdleKernel())
			return made[len(made)-1], nil
		},
	}, func(SessionState) {})
	return p, func() []*idleKernel {
		mu.Lock()
		defer mu.Unlock()
		return made
	}
}

func (p *pool) mustGet(t *testing.T, chatID string) *session {
	t.Helper()
	s, err := p.get(t.Context(), chatID, kernel.Pyodide)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A kernel that could not start is closed and replaced, and the pool still ends.
func TestDeadKernelIsReplaced(t *testing.T) {
	p, made := newTestPool()
	first := p.mustGet(t, "c")
	first.release()
	made()[0].states <- kernel.State{Phase: kernel.Dead, Variables: -1}
	deadline := time.Now().Add(10 * time.Second)
	for p.state("c", kernel.Pyodide).Phase != kernel.Dead {
		if time.Now().After(deadline) {
			t.Fatal("the death was not noticed")
		}
		time.Sleep(time.Millisecond)
	}
	if second := p.mustGet(t, "c"); second == first || len(made()) != 2 {
		t.Error("the dead kernel was used again")
	}
	<-made()[0].closed
	p.close()
	<-made()[1].closed
}

// The kernel that has been idle longest makes room, and its chat is told.
func TestIdleKernelsMakeRoom(t *testing.T) {
	p, made := newTestPool()
	defer p.close()
	busy := p.mustGet(t, "busy")
	for i := range maxSessions {
		p.mustGet(t, fmt.Sprint(i)).release()
	}
	<-made()[1].closed // of the chat "0"
	if len(p.sessions) != maxSessions || p.find("busy", kernel.Pyodide) != busy || p.find("0", kernel.Pyodide) != nil {
		t.Errorf("alive: %v", p.sessions)
	}
	again := p.mustGet(t, "0")
	if !again.lost || p.mustGet(t, "3").lost {
		t.Error("who lost variables and who did not is mixed up")
	}
}
