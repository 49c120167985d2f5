package execution

import (
	"context"
	"slices"
	"sync"
	"time"

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

// maxSessions bounds the kernels that live at a time; an interpreter in the
// webview takes some hundred megabytes.
const maxSessions = 4

// sessionKey names a kernel of a chat.
type sessionKey struct {
	chatID string
	engine kernel.Engine
}

// session is a chat's live kernel.
type session struct {
	key    sessionKey
	kernel kernel.Kernel
	// lost says that the chat had a kernel before, with variables that are gone;
	// the first run tells it.
	lost bool

	mu    sync.Mutex
	state kernel.State
	runs  int // that wait or go on
	used  time.Time
}

// pool holds the kernels of all chats: one for each chat and engine.
type pool struct {
	engines map[kernel.Engine]Starter
	changed func(SessionState)

	mu       sync.Mutex
	sessions map[sessionKey]*session
	given    map[sessionKey]bool // chats whose kernel was closed to make room
	closed   bool
	watching sync.WaitGroup
}

func newPool(engines map[kernel.Engine]Starter, changed func(SessionState)) *pool {
	return &pool{
		engines: engines, changed: changed,
		sessions: map[sessionKey]*session{}, given: map[sessionKey]bool{},
	}
}

// get returns the chat's kernel for one run, and makes it where it is missing or
// dead. release must follow when the run has ended. Where too many kernels
// live, the one that has been idle longest is closed.
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
	if existing := p.sessions[key]; existing != nil {
		if existing.take() {
			return existing, nil
		}
		p.drop(existing)
	}
	p.makeRoom()
	k, err := start(ctx, chatID)
	if err != nil {
		return nil, err
	}
	fresh := &session{
		key: key, kernel: k, lost: p.given[key], runs: 1, used: time.Now(),
		state: kernel.State{Phase: kernel.Starting, Variables: -1},
	}
	delete(p.given, key)
	p.sessions[key] = fresh
	p.watching.Go(func() { p.watch(fresh) })
	return fresh, nil
}

// makeRoom closes what has been idle longest until one more kernel fits. Busy
// kernels stay, also beyond the limit. mu is held.
func (p *pool) makeRoom() {
	idle := []*session{}
	for _, s := range p.sessions {
		if s.idle() {
			idle = append(idle, s)
		}
	}
	slices.SortFunc(idle, func(a, b *session) int { return a.used.Compare(b.used) })
	for len(p.sessions) >= maxSessions && len(idle) > 0 {
		p.drop(idle[0])
		p.given[idle[0].key] = true
		idle = idle[1:]
	}
}

// drop closes a kernel and forgets it. mu is held.
func (p *pool) drop(s *session) {
	delete(p.sessions, s.key)
	// An interpreter that can't be closed is gone already.
	_ = s.kernel.Close()
	p.changed(SessionState{ChatID: s.key.chatID, Engine: s.key.engine, Phase: NoSession, Variables: -1})
}

// watch follows a kernel's states until it is closed.
func (p *pool) watch(s *session) {
	for state := range s.kernel.States() {
		s.mu.Lock()
		s.state = state
		s.mu.Unlock()
		p.mu.Lock()
		current := p.sessions[s.key] == s
		p.mu.Unlock()
		if current {
			p.changed(s.view())
		}
	}
}

// take counts one more run; false where the kernel is dead.
func (s *session) take() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state.Phase == kernel.Dead {
		return false
	}
	s.runs++
	return true
}

// release counts a run that has ended.
func (s *session) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.runs--
	s.used = time.Now()
}

func (s *session) idle() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.runs == 0
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
