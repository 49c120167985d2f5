// Package model is what a language model is to the application: a server that
// lists models and streams an answer. Adapters speak a server's protocol.
package model

import (
	"context"
	"time"
)

// Server is one model server. Its methods may be called from any goroutine.
// Errors carry a code of apperr.
type Server interface {
	// Version returns the server's version; it is the cheapest request that
	// shows that the server is there and speaks the protocol.
	Version(ctx context.Context) (string, error)
	// Models lists what the server can answer with, sorted by name.
	Models(ctx context.Context) ([]Info, error)
	// Chat streams an answer. sink is called from one goroutine, in order,
	// never after Chat has returned. A nil error means that the server said
	// that the answer is complete; a stream that only ends gives
	// apperr.ModelBroken. Cancelling ctx closes the connection, which stops
	// the server's computing, and gives an error that is context.Canceled.
	Chat(ctx context.Context, request Request, sink func(Delta)) (Result, error)
}

// Info describes a model.
type Info struct {
	Name          string
	Title         string // for people; Name where nothing better is known
	Size          int64  // bytes; 0 where unknown
	ContextLength int    // tokens; 0 where unknown
	Capabilities  []string
}

// Role is who speaks in a request.
type Role string

// The roles.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
)

// Message is one turn of a request. Reasoning of earlier answers is not sent.
type Message struct {
	Role    Role
	Content string
}

// Request asks for an answer.
type Request struct {
	Model    string
	Messages []Message
	Options  Options
}

// Options are sampling options; nil fields are left to the server.
// ContextLength in tokens is always sent, because servers cut the prompt
// silently at their default.
type Options struct {
	ContextLength int
	Temperature   *float64
	TopP          *float64
	TopK          *int
	RepeatPenalty *float64
	Seed          *int
	NumPredict    *int // most tokens of the answer
	NumThread     *int
}

// Delta is a piece of an answer. One of the fields is set.
type Delta struct {
	Text      string
	Reasoning string
}

// StopReason is why an answer ended.
type StopReason string

// The reasons for an answer's end.
const (
	StopDone   StopReason = "stop"
	StopLength StopReason = "length" // the context or a limit is full
)

// Result is what the server said at the end. Zero fields are unknown.
type Result struct {
	Stop           StopReason
	PromptTokens   int
	OutputTokens   int
	OutputDuration time.Duration
}

// DefaultContextLength in tokens is asked for where neither the agent nor the
// model says anything; a model with less gets its own.
const DefaultContextLength = 8192
