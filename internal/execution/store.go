package execution

import "context"

// Store keeps runs. A method returns when the change is durable.
type Store interface {
	// StartRun adds a running run.
	StartRun(ctx context.Context, run Run) error
	// SaveOutputs replaces the outputs of a run that goes on.
	SaveOutputs(ctx context.Context, runID string, outputs []Output) error
	// FinishRun sets how a run ended, and its outputs.
	FinishRun(ctx context.Context, run Run) error
	// PartChat returns the id of the chat that holds a part; an unknown part
	// gives apperr.NotFound.
	PartChat(ctx context.Context, partID string) (string, error)
}

// Blobs keeps large and binary outputs as files.
type Blobs interface {
	// Put returns the hash of the content once it is on disk.
	Put(content []byte) (string, error)
}
