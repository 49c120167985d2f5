// Package chat holds what a conversation is, and the turn loop that makes an
// answer: model → (approve → run → model)* → done.
package chat

import "lathe/internal/apperr"

// Chat is one conversation. Times are in milliseconds since 1970.
type Chat struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
	AgentID   string `json:"agentId"`
	LeafID    string `json:"leafId"` // the last message of the branch that is shown; "" in an empty chat
	CreatedAt int64  `json:"createdAt"`
	UpdatedAt int64  `json:"updatedAt"`
}

// Role is who speaks.
type Role string

// The roles.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// State is how far a message has come. A person's message is always Done.
type State string

// The states of a message; all but Running are ends of a turn.
const (
	Running     State = "running"
	Done        State = "done"
	Cancelled   State = "cancelled"
	Denied      State = "denied"
	Failed      State = "failed"
	Interrupted State = "interrupted" // the app ended before the turn did
	Limit       State = "limit"
)

// Message is one turn of a speaker, a node in the chat's tree.
type Message struct {
	ID        string `json:"id"`
	ChatID    string `json:"chatId"`
	ParentID  string `json:"parentId"` // "" for the first
	Role      Role   `json:"role"`
	State     State  `json:"state"`
	Model     string `json:"model,omitempty"` // "server-id/model" that answered
	CreatedAt int64  `json:"createdAt"`
	Parts     []Part `json:"parts"`
}

// PartKind tells what a part is.
type PartKind string

// The kinds of parts.
const (
	Text      PartKind = "text"
	Reasoning PartKind = "reasoning"
	CodeRun   PartKind = "code_run"
	File      PartKind = "file"
	ErrorPart PartKind = "error"
)

// Part is an ordered piece of a message. A part grows until it is Done and
// never changes afterwards.
type Part struct {
	ID         string        `json:"id"`
	Kind       PartKind      `json:"kind"`
	Text       string        `json:"text,omitempty"`       // text, reasoning
	DurationMS int64         `json:"durationMs,omitempty"` // reasoning: from its first word to its last
	Error      *apperr.Error `json:"error,omitempty"`      // error
	Done       bool          `json:"done"`
}

// EventType names a step of a turn.
type EventType string

// The types of turn events. The first of a turn is started and the last is
// finished, each exactly once, whatever happens.
const (
	TurnStarted  EventType = "turn_started"
	PartAdded    EventType = "part_added"
	PartAppended EventType = "part_appended"
	PartFinished EventType = "part_finished"
	TurnFinished EventType = "turn_finished"
)

// Event tells a change of one turn. A turn has the id of the message that it
// makes. Seq counts from 0 without gaps for each turn.
type Event struct {
	ChatID string    `json:"chatId"`
	TurnID string    `json:"turnId"`
	Seq    int       `json:"seq"`
	Type   EventType `json:"type"`

	Chat     *Chat     `json:"chat,omitempty"`     // started: the chat with its new leaf
	Messages []Message `json:"messages,omitempty"` // started: the person's message where it is new, then the answer

	Part       *Part  `json:"part,omitempty"`       // added
	PartID     string `json:"partId,omitempty"`     // appended, finished
	Text       string `json:"text,omitempty"`       // appended
	DurationMS int64  `json:"durationMs,omitempty"` // finished part

	State State  `json:"state,omitempty"` // finished turn
	Usage *Usage `json:"usage,omitempty"` // finished turn, where the server told it
}

// Usage is what a turn took.
type Usage struct {
	PromptTokens    int     `json:"promptTokens"`
	OutputTokens    int     `json:"outputTokens"`
	TokensPerSecond float64 `json:"tokensPerSecond"` // of output, as the server measured; 0 where unknown
}
