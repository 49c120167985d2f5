package execution

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"

	"lathe/internal/apperr"
	"lathe/internal/kernel"
	"lathe/internal/settings"
)

// MaxCode bounds the code of one run, in bytes, and MaxCodeWords says it.
const (
	MaxCode      = 8 << 20
	MaxCodeWords = "8 MB"
)

// Starter makes the kernel of a chat. It may return before the interpreter is up.
type Starter func(ctx context.Context, chatID string) (kernel.Kernel, error)

// Options are what the service works with.
type Options struct {
	Store    Store
	Blobs    Blobs
	Settings func() settings.CodeExecution
	Engines  map[kernel.Engine]Starter
	// Emit gets every event, those of one run in the order of their seq; it
	// must not block and may be called from any goroutine.
	Emit func(Event)
	// Session gets every change of a chat's session, under the same rules.
	Session    func(SessionState)
	Limits     Limits
	FlushEvery time.Duration // least time between two events of outputs; 16 ms
}

// Service runs the code blocks that a person wants to run.
type Service struct {
	store   Store
	options Options
	pool    *pool

	context context.Context // of all runs; ends with Close
	cancel  context.CancelCauseFunc
	runs    sync.WaitGroup

	mu   sync.Mutex
	live map[string]*live // by run
}

// NewService returns a service.
func NewService(options Options) *Service {
	if options.FlushEvery == 0 {
		options.FlushEvery = 16 * time.Millisecond
	}
	if options.Limits == (Limits{}) {
		options.Limits = DefaultLimits
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	return &Service{
		store: options.Store, options: options, pool: newPool(options.Engines, options.Session),
		context: ctx, cancel: cancel, live: map[string]*live{},
	}
}

func (s *Service) emit(event Event) { s.options.Emit(event) }

// Close stops all runs, ends all kernels, and returns when that is kept.
func (s *Service) Close() {
	// Under the lock of register: no run begins after the cancel.
	s.mu.Lock()
	s.cancel(errStopped)
	s.mu.Unlock()
	s.pool.close()
	s.runs.Wait()
}

// Request asks for a code block of an answer to be run.
type Request struct {
	ChatID   string `json:"chatId"`
	PartID   string `json:"partId"`
	Ordinal  int    `json:"ordinal"` // of the fence in the part, from 0
	Language string `json:"language"`
	Code     string `json:"code"`
}

// Run begins to run a block and returns the run. A block that is running
// already is not run twice: its run is returned. When Run returns, the run is
// durable. It is the gate of Run: what the screen would not offer is refused.
func (s *Service) Run(ctx context.Context, request Request) (Run, error) {
	config := s.options.Settings()
	language, known := LanguageOf(request.Language)
	switch {
	case !config.Enabled:
		return Run{}, apperr.New(apperr.ExecutionOff)
	case !known:
		return Run{}, apperr.New(apperr.NoEngine, "language", request.Language)
	case len(request.Code) > MaxCode:
		return Run{}, apperr.New(apperr.CodeTooLong, "limit", MaxCodeWords)
	case request.Ordinal < 0:
		return Run{}, apperr.New(apperr.BadRequest)
	}
	owner, err := s.store.PartChat(ctx, request.PartID)
	if err != nil {
		return Run{}, err
	}
	if owner != request.ChatID {
		return Run{}, apperr.New(apperr.NotFound, "what", "message")
	}
	engine := kernel.Engine(config.Engine)
	l := &live{service: s, seq: -1, done: make(chan struct{}), recorder: newRecorder(s.options.Blobs, s.options.Limits)}
	l.run = Run{
		ID: uuid.Must(uuid.NewV7()).String(), ChatID: request.ChatID, PartID: request.PartID,
		Ordinal: request.Ordinal, Engine: engine, Language: language, Code: request.Code,
		State: Running, StartedAt: time.Now().UnixMilli(), Outputs: []Output{},
	}
	// Whoever asks for the chat's runs waits until this one has begun.
	l.mu.Lock()
	defer l.mu.Unlock()
	other, err := s.register(l)
	if err != nil {
		return Run{}, err
	}
	if other != nil {
		other.mu.Lock()
		defer other.mu.Unlock()
		return other.snapshot(), nil
	}
	session, err := s.start(ctx, l)
	if err != nil {
		s.unregister(l)
		close(l.done)
		s.runs.Done()
		return Run{}, err
	}
	l.emit(Event{Type: RunStarted, Run: l.head()})
	if session.lost {
		event := kernel.Event{Type: kernel.Notice, Code: NoticeStateLost}
		l.recorder.add(event, l.recorder.prepare(event))
		session.lost = false
	}
	started := l.run
	timeout := time.Duration(config.TimeoutSeconds) * time.Second
	go func() {
		defer s.runs.Done()
		defer close(l.done)
		l.follow(session, timeout)
		l.cancel(nil)
	}()
	return started, nil
}

func (s *Service) start(ctx context.Context, l *live) (*session, error) {
	session, err := s.pool.get(ctx, l.run.ChatID, l.run.Engine)
	if err != nil {
		return nil, err
	}
	if err := s.store.StartRun(ctx, l.run); err != nil {
		session.release()
		return nil, err
	}
	l.context, l.cancel = context.WithCancelCause(s.context)
	return session, nil
}

// register adds a run, or returns the one that has the same block already.
func (s *Service) register(l *live) (*live, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.context.Err() != nil {
		return nil, apperr.New(apperr.KernelDead)
	}
	for _, other := range s.live {
		if other.run.PartID == l.run.PartID && other.run.Ordinal == l.run.Ordinal {
			return other, nil
		}
	}
	s.live[l.run.ID] = l
	s.runs.Add(1)
	return nil, nil
}

func (s *Service) unregister(l *live) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.live, l.run.ID)
}

// find returns a run that goes on, or nil.
func (s *Service) find(runID string) *live {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.live[runID]
}

// Stop stops a run and returns when its end is kept. A run that has ended is
// left as it is.
func (s *Service) Stop(ctx context.Context, runID string) error {
	l := s.find(runID)
	if l == nil {
		return nil
	}
	l.mu.Lock()
	cancel := l.cancel
	l.mu.Unlock()
	if cancel == nil { // it never began
		return nil
	}
	cancel(errStopped)
	select {
	case <-l.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Live returns the running runs of a chat with the seq of their last event.
func (s *Service) Live(chatID string) ([]Run, map[string]int) {
	s.mu.Lock()
	var some []*live
	for _, l := range s.live {
		if l.run.ChatID == chatID {
			some = append(some, l)
		}
	}
	s.mu.Unlock()
	runs, seqs := []Run{}, map[string]int{}
	for _, l := range some {
		l.mu.Lock()
		if l.seq >= 0 && l.run.State == Running {
			runs = append(runs, l.snapshot())
			seqs[l.run.ID] = l.seq
		}
		l.mu.Unlock()
	}
	return runs, seqs
}

// Session returns the state of a chat's session for the engine that Run uses.
func (s *Service) Session(chatID string) SessionState {
	return s.pool.state(chatID, kernel.Engine(s.options.Settings().Engine))
}

// Interrupt stops what runs in a chat's session and keeps its variables.
func (s *Service) Interrupt(ctx context.Context, chatID string) error {
	if session := s.pool.find(chatID, kernel.Engine(s.options.Settings().Engine)); session != nil {
		return session.kernel.Interrupt(ctx)
	}
	return nil
}

// Restart gives a chat's session a fresh interpreter; its variables are gone.
func (s *Service) Restart(ctx context.Context, chatID string) error {
	if session := s.pool.find(chatID, kernel.Engine(s.options.Settings().Engine)); session != nil {
		return session.kernel.Restart(ctx)
	}
	return nil
}
