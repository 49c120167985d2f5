package chat

import (
	"context"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"lathe/internal/agent"
	"lathe/internal/apperr"
	"lathe/internal/model"
)

// MaxMessage bounds a person's message, in bytes.
const MaxMessage = 4 << 20

// Models finds what answers.
type Models interface {
	// Resolve returns the model with a ref ("server-id/model"), or the default
	// model for "".
	Resolve(ctx context.Context, ref string) (Target, error)
}

// Target is a model to ask.
type Target struct {
	Server        model.Server
	Name          string // on the server
	Ref           string // "server-id/model"
	ContextLength int    // of the model in tokens; 0 where unknown
}

// Agents finds the profile of a chat.
type Agents interface {
	// Agent returns the agent with an id, or the default agent where it is gone.
	Agent(id string) agent.Agent
}

// Options are the engine's intervals and clock. Zero fields have defaults.
type Options struct {
	FlushEvery time.Duration // least time between two events of growing text; 16 ms
	SaveEvery  time.Duration // most time until growing text is in the store; 1 s
	Now        func() time.Time
	NewID      func() string
	// Fault gets what ended a turn and has no code of its own, for the log.
	Fault func(error)
}

// Engine runs the turns of all chats; each chat has at most one at a time.
type Engine struct {
	store   Store
	models  Models
	agents  Agents
	emit    func(Event)
	options Options

	context context.Context // of all turns; ends with Close
	cancel  context.CancelCauseFunc
	turns   sync.WaitGroup

	mu      sync.Mutex
	running map[string]*turn // by chat
}

// NewEngine returns an engine. emit gets every event, the events of one turn in
// the order of their seq; it must not block and may be called from any goroutine.
func NewEngine(store Store, models Models, agents Agents, emit func(Event), options Options) *Engine {
	if options.FlushEvery == 0 {
		options.FlushEvery = 16 * time.Millisecond
	}
	if options.SaveEvery == 0 {
		options.SaveEvery = time.Second
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	if options.NewID == nil {
		options.NewID = func() string { return uuid.Must(uuid.NewV7()).String() }
	}
	if options.Fault == nil {
		options.Fault = func(error) {}
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	return &Engine{
		store: store, models: models, agents: agents, emit: emit, options: options,
		context: ctx, cancel: cancel, running: map[string]*turn{},
	}
}

// Close interrupts all turns and waits until their ends are kept.
func (e *Engine) Close() {
	e.cancel(errInterrupted)
	e.turns.Wait()
}

// Started names a turn that has begun.
type Started struct {
	ChatID string `json:"chatId"`
	TurnID string `json:"turnId"`
}

// Send adds a person's message to a chat and begins the answer. An empty chatID
// makes a new chat. The agent is the chat's from now on; "" leaves the one it
// has, or takes the default one. When Send returns, the message is durable.
func (e *Engine) Send(ctx context.Context, chatID, agentID, text string) (Started, error) {
	switch {
	case strings.TrimSpace(text) == "":
		return Started{}, apperr.New(apperr.MessageEmpty)
	case len(text) > MaxMessage:
		return Started{}, apperr.New(apperr.MessageTooLong, "limit", "4 MB")
	case !utf8.ValidString(text):
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	now := e.options.Now().UnixMilli()
	plan := Turn{NewChat: chatID == ""}
	if plan.NewChat {
		plan.Chat = Chat{
			ID: e.options.NewID(), Title: titleOf(text), AgentID: e.agents.Agent(agentID).ID,
			CreatedAt: now, UpdatedAt: now,
		}
	}
	return e.begin(ctx, chatID, plan, func(plan *Turn) error {
		if agentID != "" {
			plan.Chat.AgentID = e.agents.Agent(agentID).ID
		}
		question := Message{
			ID: e.options.NewID(), ChatID: plan.Chat.ID, ParentID: plan.Chat.LeafID,
			Role: User, State: Done, CreatedAt: now,
			Parts: []Part{{ID: e.options.NewID(), Kind: Text, Text: text, Done: true}},
		}
		plan.Messages = append(plan.Messages, question)
		plan.Chat.LeafID = question.ID
		return nil
	})
}

// Retry answers the last message of the person anew. The former answer stays
// in the chat's tree, on a branch of its own.
func (e *Engine) Retry(ctx context.Context, chatID string) (Started, error) {
	return e.begin(ctx, chatID, Turn{}, func(plan *Turn) error {
		branch, err := e.store.Branch(ctx, plan.Chat.LeafID)
		if err != nil {
			return err
		}
		for i := len(branch) - 1; i >= 0; i-- {
			if branch[i].Role == User {
				plan.Chat.LeafID = branch[i].ID
				return nil
			}
		}
		return apperr.New(apperr.NotFound, "what", "message")
	})
}

// begin registers the turn, so that a chat has one at a time, makes its first
// change durable, and lets it run.
func (e *Engine) begin(ctx context.Context, chatID string, plan Turn, prepare func(*Turn) error) (Started, error) {
	t := &turn{engine: e, seq: -1, done: make(chan struct{})}
	t.context, t.cancel = context.WithCancelCause(e.context)
	// Whoever wants to see the chat waits until the turn has begun.
	t.mu.Lock()
	defer t.mu.Unlock()
	key := chatID
	if plan.NewChat {
		key = plan.Chat.ID
	}
	if err := e.register(key, t); err != nil {
		return Started{}, err
	}
	err := e.prepare(ctx, chatID, &plan, prepare, t)
	if err != nil {
		t.cancel(nil)
		e.unregister(key, t)
		close(t.done)
		e.turns.Done()
		return Started{}, err
	}
	t.emit(Event{Type: TurnStarted, Chat: &plan.Chat, Messages: clone(plan.Messages)})
	go t.run()
	return Started{ChatID: plan.Chat.ID, TurnID: t.message.ID}, nil
}

func (e *Engine) prepare(ctx context.Context, chatID string, plan *Turn, prepare func(*Turn) error, t *turn) error {
	if !plan.NewChat {
		chat, err := e.store.Chat(ctx, chatID)
		if err != nil {
			return err
		}
		plan.Chat = chat
	}
	if err := prepare(plan); err != nil {
		return err
	}
	now := e.options.Now().UnixMilli()
	t.agent = e.agents.Agent(plan.Chat.AgentID)
	t.message = Message{
		ID: e.options.NewID(), ChatID: plan.Chat.ID, ParentID: plan.Chat.LeafID,
		Role: Assistant, State: Running, Model: t.agent.Model, CreatedAt: now, Parts: []Part{},
	}
	plan.Messages = append(plan.Messages, t.message)
	plan.Chat.LeafID, plan.Chat.UpdatedAt = t.message.ID, now
	if err := e.store.BeginTurn(ctx, *plan); err != nil {
		return err
	}
	return nil
}

func (e *Engine) register(chatID string, t *turn) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.context.Err() != nil || e.running[chatID] != nil {
		return apperr.New(apperr.TurnRunning)
	}
	e.running[chatID] = t
	e.turns.Add(1)
	return nil
}

func (e *Engine) unregister(chatID string, t *turn) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.running[chatID] == t {
		delete(e.running, chatID)
	}
}

func (e *Engine) turn(chatID string) *turn {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.running[chatID]
}

// Stop cancels the turn of a chat and returns when its end is kept. Without a
// turn it does nothing.
func (e *Engine) Stop(ctx context.Context, chatID string) error {
	t := e.turn(chatID)
	if t == nil {
		return nil
	}
	t.stop()
	select {
	case <-t.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// View is a chat as it stands: the branch that is shown, and the last seq of a
// running turn that is contained.
type View struct {
	Chat     Chat
	Messages []Message
	Seqs     map[string]int // by turn
}

// View returns a chat. Its messages and seqs fit each other, also while a turn runs.
func (e *Engine) View(ctx context.Context, chatID string) (View, error) {
	t := e.turn(chatID)
	if t != nil {
		t.mu.Lock()
		defer t.mu.Unlock()
	}
	chat, err := e.store.Chat(ctx, chatID)
	if err != nil {
		return View{}, err
	}
	view := View{Chat: chat, Seqs: map[string]int{}}
	if chat.LeafID != "" {
		if view.Messages, err = e.store.Branch(ctx, chat.LeafID); err != nil {
			return View{}, err
		}
	}
	if t == nil || t.finished {
		return view, nil
	}
	for i := range view.Messages {
		if view.Messages[i].ID == t.message.ID {
			view.Messages[i] = t.snapshot()
			view.Seqs[t.message.ID] = t.seq
		}
	}
	return view, nil
}

// titleOf makes a chat's title from its first message: the first line with
// words, at most 60 characters.
func titleOf(text string) string {
	const limit = 60
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	line = strings.Join(strings.Fields(line), " ")
	if utf8.RuneCountInString(line) <= limit {
		return line
	}
	runes := []rune(line)[:limit-1]
	return strings.TrimRight(string(runes), " ") + "…"
}
