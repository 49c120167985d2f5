package execution

import (
	"context"
	"sync"

	"lathe/internal/apperr"
	"lathe/internal/kernel"
)

// SessionState is what the button "Session" shows of a chat.
type SessionState struct {
	ChatID    string        `json:"chatId"`
	Engine    kernel.Engine `json:"engine"`
	Phase     kernel.Phase  `json:"phase"`     // "none" where there is no session
	Variables int           `json:"variables"` // -1 where unknown
}

// NoSession is the phase of a chat without a session.
const NoSession kernel.Phase = "none"

// sessionKey names a kernel of a chat.
type sessionKey struct {
	chatID string
	engine kernel.Engine
}

// session is a chat's live kernel.
type session struct {
	key    sessionKey
	kernel kernel.Kernel

	mu    sync.Mutex
	state kernel.State
}

// pool holds the kernels of all chats: one for each chat and engine.
type pool struct {
	engines map[kernel.Engine]Starter
	changed func(SessionState)

	mu       sync.Mutex
	sessions map[sessionKey]*session
	closed   bool
	watching sync.WaitGroup
}

func newPool(engines map[kernel.Engine]Starter, changed func(SessionState)) *pool {
	return &pool{engines: engines, changed: changed, sessions: map[sessionKey]*session{}}
}

// get returns the chat's kernel and makes it where it is missing or dead.
func (p *pool) get(ctx context.Context, chatID string, engine kernel.Engine) (*session, error) {
	start, ok := p.engines[engine]
	if !ok {
		return nil, apperr.New(apperr.NoEngine, "language", string(engine))
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, apperr.New(apperr.KernelDead)
	}
	key := sessionKey{chatID, engine}
	if existing := p.sessions[key]; existing != nil && existing.phase() != kernel.Dead {
		return existing, nil
	}
	k, err := start(ctx, chatID)
	if err != nil {
		return nil, err
	}
	fresh := &session{key: key, kernel: k, state: kernel.State{Phase: kernel.Starting, Variables: -1}}
	p.sessions[key] = fresh
	p.watching.Go(func() { p.watch(fresh) })
	return fresh, nil
}

// watch follows a kernel's states until it is closed.
func (p *pool) watch(s *session) {
	for state := range s.kernel.States() {
		s.mu.Lock()
		s.state = state
		s.mu.Unlock()
		p.changed(s.view())
	}
	p.mu.Lock()
	if p.sessions[s.key] == s {
		delete(p.sessions, s.key)
	}
	p.mu.Unlock()
}

func (s *session) phase() kernel.Phase {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state.Phase
}

func (s *session) view() SessionState {
	s.mu.Lock()
	defer s.mu.Unlock()
	return SessionState{ChatID: s.key.chatID, Engine: s.key.engine, Phase: s.state.Phase, Variables: s.state.Variables}
}

// find returns a chat's session, or nil.
func (p *pool) find(chatID string, engine kernel.Engine) *session {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sessions[sessionKey{chatID, engine}]
}

func (p *pool) state(chatID string, engine kernel.Engine) SessionState {
	if s := p.find(chatID, engine); s != nil {
		return s.view()
	}
	return SessionState{ChatID: chatID, Engine: engine, Phase: NoSession, Variables: -1}
}

// close ends all kernels.
func (p *pool) close() {
	p.mu.Lock()
	p.closed = true
	sessions := make([]*session, 0, len(p.sessions))
	for _, s := range p.sessions {
		sessions = append(sessions, s)
	}
	p.mu.Unlock()
	for _, s := range sessions {
		// Ending the application must not fail on an interpreter that is gone anyway.
		_ = s.kernel.Close()
	}
	p.watching.Wait()
}
