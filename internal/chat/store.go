package chat

import "context"

// Turn is what one turn adds to a chat before the model is asked.
type Turn struct {
	Chat     Chat // with its new leaf and time
	NewChat  bool
	Messages []Message // the person's message where it is new, then the running answer
}

// Store keeps chats. A method that changes something returns when the change is
// durable.
type Store interface {
	// BeginTurn adds the chat where it is new, the messages, and moves the leaf, as one change.
	BeginTurn(ctx context.Context, turn Turn) error
	// AddPart adds a part at a position of a message.
	AddPart(ctx context.Context, messageID string, position int, part Part) error
	// GrowPart replaces the text of a part that is not done.
	GrowPart(ctx context.Context, partID, text string) error
	// FinishPart sets the final text and duration of a part.
	FinishPart(ctx context.Context, part Part) error
	// FinishTurn sets the state of a running answer, and the model that gave it.
	FinishTurn(ctx context.Context, messageID, model string, state State, usage Usage) error
	// Chat returns a chat; an unknown id gives apperr.NotFound.
	Chat(ctx context.Context, id string) (Chat, error)
	// Branch returns the messages that end at a leaf, the first one first.
	Branch(ctx context.Context, leaf string) ([]Message, error)
}
