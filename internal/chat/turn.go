package chat

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"lathe/internal/agent"
	"lathe/internal/apperr"
	"lathe/internal/model"
)

// Why a turn's context ended.
var (
	errCancelled   = errors.New("the person stopped the turn")
	errInterrupted = errors.New("the application ends")
)

// finalWrite bounds the last writes of a turn, which go on after a cancel.
const finalWrite = 10 * time.Second

// turn is one answer in the making. mu orders its events: whoever holds it sees
// a message that fits seq.
type turn struct {
	engine  *Engine
	agent   agent.Agent
	context context.Context
	cancel  context.CancelCauseFunc
	done    chan struct{} // closed after the last event

	mu       sync.Mutex
	seq      int
	message  Message
	finished bool

	// The part that grows, the last of message.Parts; its text is here until it is done.
	growing   bool
	text      strings.Builder
	sent      int         // bytes of text that events have told
	blank     string      // white space that waits for words before it makes a part
	began     time.Time   // the growing part's first word
	flushed   time.Time   // last event of growing text
	timer     *time.Timer // tells growing text
	savedSize int         // bytes of it that are in the store
	saver     *time.Timer // writes it
}

// emit gives an event its place. mu is held.
func (t *turn) emit(event Event) {
	t.seq++
	event.ChatID, event.TurnID, event.Seq = t.message.ChatID, t.message.ID, t.seq
	t.engine.emit(event)
}

func (t *turn) stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cancel(errCancelled)
}

// snapshot returns the message as its events have told it so far. mu is held.
func (t *turn) snapshot() Message {
	message := t.message
	message.Parts = slices.Clone(t.message.Parts)
	if t.growing {
		message.Parts[len(message.Parts)-1].Text = t.text.String()[:t.sent]
	}
	return message
}

// run makes the answer; whatever happens, it ends with one turn_finished.
func (t *turn) run() {
	defer t.engine.turns.Done()
	defer close(t.done)
	result, err := t.answer()
	t.finish(result, err)
	t.cancel(nil)
}

// answer asks the model. A panic below becomes an error, so that the turn still ends.
func (t *turn) answer() (result model.Result, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("fault in a turn: %v\n%s", fault, debug.Stack())
		}
	}()
	target, err := t.engine.models.Resolve(t.context, t.agent.Model)
	if err != nil {
		return result, err
	}
	t.mu.Lock()
	t.message.Model = target.Ref
	t.mu.Unlock()
	branch, err := t.engine.store.Branch(t.context, t.message.ParentID)
	if err != nil {
		return result, err
	}
	request := model.Request{
		Model:    target.Name,
		Messages: conversation(t.agent.SystemPrompt, branch),
		Options:  optionsOf(t.agent.Options, target.ContextLength),
	}
	ctx, cancel := context.WithCancelCause(t.context)
	defer cancel(nil)
	result, err = target.Server.Chat(ctx, request, func(delta model.Delta) {
		if err := t.take(delta); err != nil {
			cancel(err)
		}
	})
	if cause := context.Cause(ctx); err != nil && cause != nil {
		return result, cause
	}
	return result, err
}

// conversation is what the model gets to read: text only, no empty turns.
func conversation(system string, branch []Message) []model.Message {
	messages := make([]model.Message, 0, len(branch)+1)
	if system != "" {
		messages = append(messages, model.Message{Role: model.System, Content: system})
	}
	for _, message := range branch {
		var text strings.Builder
		for _, part := range message.Parts {
			if part.Kind == Text {
				text.WriteString(part.Text)
			}
		}
		if text.Len() == 0 {
			continue
		}
		role := model.User
		if message.Role == Assistant {
			role = model.Assistant
		}
		messages = append(messages, model.Message{Role: role, Content: text.String()})
	}
	return messages
}

func optionsOf(o agent.Options, modelLength int) model.Options {
	length := model.DefaultContextLength
	if o.ContextLength != nil {
		length = *o.ContextLength
	}
	if modelLength > 0 {
		length = min(length, modelLength)
	}
	return model.Options{
		ContextLength: length, Temperature: o.Temperature, TopP: o.TopP, TopK: o.TopK,
		RepeatPenalty: o.RepeatPenalty, Seed: o.Seed, NumPredict: o.NumPredict, NumThread: o.NumThread,
	}
}

// take adds a piece of the answer. An error means that the store failed.
func (t *turn) take(delta model.Delta) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	kind, text := Text, delta.Text
	if delta.Reasoning != "" {
		kind, text = Reasoning, delta.Reasoning
	}
	if !t.growing || t.message.Parts[len(t.message.Parts)-1].Kind != kind {
		// Models put blank lines around their reasoning; those make no part.
		if text = t.blank + text; strings.TrimSpace(text) == "" {
			t.blank = text
			return nil
		}
		t.blank = ""
		if err := t.open(kind); err != nil {
			return err
		}
	}
	t.text.WriteString(text)
	t.flushSoon()
	t.saveSoon()
	return nil
}

// open finishes the growing part and begins one of a kind. mu is held.
func (t *turn) open(kind PartKind) error {
	if err := t.closePart(t.context); err != nil {
		return err
	}
	part := Part{ID: t.engine.options.NewID(), Kind: kind}
	if err := t.engine.store.AddPart(t.context, t.message.ID, len(t.message.Parts), part); err != nil {
		return err
	}
	t.message.Parts = append(t.message.Parts, part)
	t.growing, t.sent, t.savedSize = true, 0, 0
	t.text.Reset()
	t.began = t.engine.options.Now()
	t.emit(Event{Type: PartAdded, Part: &part})
	return nil
}

// flushSoon tells the growing text at once where the last event is long enough
// ago, else when it will be. mu is held.
func (t *turn) flushSoon() {
	if t.timer != nil {
		return
	}
	wait := t.engine.options.FlushEvery - t.engine.options.Now().Sub(t.flushed)
	if wait <= 0 {
		t.flush()
		return
	}
	t.timer = time.AfterFunc(wait, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.timer = nil
		if t.growing {
			t.flush()
		}
	})
}

// flush tells what the growing part has gained. mu is held.
func (t *turn) flush() {
	if t.text.Len() == t.sent {
		return
	}
	part := &t.message.Parts[len(t.message.Parts)-1]
	t.emit(Event{Type: PartAppended, PartID: part.ID, Text: t.text.String()[t.sent:]})
	t.sent = t.text.Len()
	t.flushed = t.engine.options.Now()
}

// largeText is the size in bytes from which growing text is written less often,
// in proportion, which keeps the writing linear.
const largeText = 256 << 10

// saveSoon lets growing text be written, so that a crash loses little of it. mu is held.
func (t *turn) saveSoon() {
	if t.saver != nil {
		return
	}
	wait := t.engine.options.SaveEvery * time.Duration(1+t.savedSize/largeText)
	t.saver = time.AfterFunc(wait, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.saver = nil
		if !t.growing || t.text.Len() == t.savedSize {
			return
		}
		part := t.message.Parts[len(t.message.Parts)-1]
		if err := t.engine.store.GrowPart(t.context, part.ID, t.text.String()); err != nil {
			t.cancel(err)
			return
		}
		t.savedSize = t.text.Len()
	})
}

// closePart makes the growing part final: durable first, then told. mu is held.
func (t *turn) closePart(ctx context.Context) error {
	if !t.growing {
		return nil
	}
	part := &t.message.Parts[len(t.message.Parts)-1]
	part.Text = t.text.String()
	if part.Kind == Reasoning {
		part.DurationMS = t.engine.options.Now().Sub(t.began).Milliseconds()
	}
	if err := t.engine.store.FinishPart(ctx, *part); err != nil {
		return err
	}
	t.flush()
	part.Done = true
	t.growing = false
	t.emit(Event{Type: PartFinished, PartID: part.ID, DurationMS: part.DurationMS})
	return nil
}

// finish ends the turn: last part, error, state and event.
func (t *turn) finish(result model.Result, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.context), finalWrite)
	defer cancel()
	for _, timer := range []*time.Timer{t.timer, t.saver} {
		if timer != nil {
			timer.Stop()
		}
	}
	state, failure := outcome(result, err, t.agent.Options.NumPredict)
	if failure != nil && failure.Code == apperr.Internal {
		t.engine.options.Fault(failure)
		failure = apperr.Wrap(failure, apperr.Internal)
	}
	if closeErr := t.closePart(ctx); closeErr != nil {
		state, failure = Failed, apperr.Of(closeErr)
		t.flush()
		t.growing = false
	}
	if failure != nil {
		state = t.addError(ctx, state, failure)
	}
	usage := usageOf(result)
	if storeErr := t.engine.store.FinishTurn(ctx, t.message.ID, t.message.Model, state, usage); storeErr != nil && state != Failed {
		// What is told is what a restart would show: an answer without its end.
		state = t.addError(ctx, Failed, apperr.Of(storeErr))
	}
	t.message.State, t.finished = state, true
	event := Event{Type: TurnFinished, State: state}
	if usage != (Usage{}) {
		event.Usage = &usage
	}
	// Whoever hears of the end may begin the next turn at once.
	t.engine.unregister(t.message.ChatID, t)
	t.emit(event)
}

// addError appends an error part and tells it even where it can't be kept. mu is held.
func (t *turn) addError(ctx context.Context, state State, failure *apperr.Error) State {
	part := Part{ID: t.engine.options.NewID(), Kind: ErrorPart, Error: failure, Done: true}
	if err := t.engine.store.AddPart(ctx, t.message.ID, len(t.message.Parts), part); err != nil {
		state = Failed
	}
	t.message.Parts = append(t.message.Parts, part)
	t.emit(Event{Type: PartAdded, Part: &part})
	return state
}

// outcome says how a turn ended, and what a person must be told about it.
func outcome(result model.Result, err error, limit *int) (State, *apperr.Error) {
	switch {
	case errors.Is(err, errCancelled):
		return Cancelled, nil
	case errors.Is(err, errInterrupted):
		return Interrupted, nil
	case err != nil:
		return Failed, apperr.Of(err)
	case result.Stop == model.StopLength && limit != nil && result.OutputTokens >= *limit:
		return Limit, apperr.New(apperr.AnswerLimit)
	case result.Stop == model.StopLength:
		return Limit, apperr.New(apperr.ContextFull)
	default:
		return Done, nil
	}
}

func usageOf(result model.Result) Usage {
	usage := Usage{PromptTokens: result.PromptTokens, OutputTokens: result.OutputTokens}
	if seconds := result.OutputDuration.Seconds(); seconds > 0 {
		usage.TokensPerSecond = float64(result.OutputTokens) / seconds
	}
	return usage
}

// clone copies messages, so that an event keeps what it told.
func clone(messages []Message) []Message {
	copies := slices.Clone(messages)
	for i := range copies {
		copies[i].Parts = slices.Clone(copies[i].Parts)
	}
	return copies
}
