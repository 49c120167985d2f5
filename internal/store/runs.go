package store

import (
	"context"
	"encoding/json"
	"fmt"

	"lathe/internal/execution"
	"lathe/internal/kernel"
	"lathe/internal/store/db"
)

var _ execution.Store = (*Store)(nil)

// StartRun implements execution.Store.
func (s *Store) StartRun(ctx context.Context, run execution.Run) error {
	return s.write(ctx, "begin a run", func(q *db.Queries) error {
		return q.InsertRun(ctx, db.InsertRunParams{
			ID: run.ID, ChatID: run.ChatID, PartID: run.PartID, Ordinal: int64(run.Ordinal),
			Engine: string(run.Engine), Language: run.Language, Code: run.Code,
			State: string(run.State), StartedAt: run.StartedAt,
		})
	})
}

// SaveOutputs implements execution.Store.
func (s *Store) SaveOutputs(ctx context.Context, runID string, outputs []execution.Output) error {
	return s.write(ctx, "keep outputs", func(q *db.Queries) error {
		return replaceOutputs(ctx, q, runID, outputs)
	})
}

// FinishRun implements execution.Store.
func (s *Store) FinishRun(ctx context.Context, run execution.Run) error {
	return s.write(ctx, "finish a run", func(q *db.Queries) error {
		failure := ""
		if run.Error != nil {
			text, err := json.Marshal(run.Error)
			if err != nil {
				return err
			}
			failure = string(text)
		}
		lost := int64(0)
		if run.StateLost {
			lost = 1
		}
		err := q.FinishRun(ctx, db.FinishRunParams{
			State: string(run.State), StateLost: lost, Error: failure, DurationMs: run.DurationMS, ID: run.ID,
		})
		if err != nil {
			return err
		}
		return replaceOutputs(ctx, q, run.ID, run.Outputs)
	})
}

func replaceOutputs(ctx context.Context, q *db.Queries, runID string, outputs []execution.Output) error {
	if err := q.DeleteOutputs(ctx, runID); err != nil {
		return err
	}
	for i, output := range outputs {
		body, err := json.Marshal(output)
		if err != nil {
			return err
		}
		err = q.InsertOutput(ctx, db.InsertOutputParams{RunID: runID, Position: int64(i), Body: string(body)})
		if err != nil {
			return err
		}
		seen := map[string]bool{}
		for _, blob := range output.Blobs {
			if seen[blob.Hash] {
				continue
			}
			seen[blob.Hash] = true
			err := q.InsertBlob(ctx, db.InsertBlobParams{Hash: blob.Hash, RunID: runID, Position: int64(i), Size: blob.Size})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// Runs returns the newest run of every code block of some parts, with outputs.
func (s *Store) Runs(ctx context.Context, parts []string) ([]execution.Run, error) {
	runs := []execution.Run{}
	place := map[string]int{}
	err := inChunks(parts, func(some []string) error {
		rows, err := s.read.RunsOf(ctx, some)
		if err != nil {
			return err
		}
		for _, row := range rows {
			run, err := runOf(row)
			if err != nil {
				return err
			}
			place[run.ID] = len(runs)
			runs = append(runs, run)
		}
		return nil
	})
	if err != nil {
		return nil, storeError("read runs", err)
	}
	ids := make([]string, len(runs))
	for i, run := range runs {
		ids[i] = run.ID
	}
	err = inChunks(ids, func(some []string) error {
		rows, err := s.read.OutputsOf(ctx, some)
		if err != nil {
			return err
		}
		for _, row := range rows {
			var output execution.Output
			if err := json.Unmarshal([]byte(row.Body), &output); err != nil {
				return fmt.Errorf("output of run %s: %w", row.RunID, err)
			}
			run := &runs[place[row.RunID]]
			run.Outputs = append(run.Outputs, output)
		}
		return nil
	})
	if err != nil {
		return nil, storeError("read outputs", err)
	}
	return runs, nil
}

func runOf(row db.Run) (execution.Run, error) {
	run := execution.Run{
		ID: row.ID, ChatID: row.ChatID, PartID: row.PartID, Ordinal: int(row.Ordinal),
		Engine: kernel.Engine(row.Engine), Language: row.Language, Code: row.Code,
		State: execution.State(row.State), StateLost: row.StateLost == 1,
		StartedAt: row.StartedAt, DurationMS: row.DurationMs, Outputs: []execution.Output{},
	}
	if row.Error != "" {
		if err := json.Unmarshal([]byte(row.Error), &run.Error); err != nil {
			return run, fmt.Errorf("run %s: %w", row.ID, err)
		}
	}
	return run, nil
}

// BlobHashes returns the hashes of the files that kept outputs need.
func (s *Store) BlobHashes(ctx context.Context) (map[string]bool, error) {
	hashes, err := s.read.BlobHashes(ctx)
	if err != nil {
		return nil, storeError("list files", err)
	}
	needed := make(map[string]bool, len(hashes))
	for _, hash := range hashes {
		needed[hash] = true
	}
	return needed, nil
}
