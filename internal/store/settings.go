package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"lathe/internal/agent"
	"lathe/internal/settings"
	"lathe/internal/store/db"
)

// Settings returns the settings document with the agents in it. A new database
// has the defaults. Keys that a stored document lacks have their default.
func (s *Store) Settings(ctx context.Context) (settings.Document, error) {
	document := settings.Defaults()
	body, err := s.read.GetSettings(ctx)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return document, nil
	case err != nil:
		return document, storeError("read settings", err)
	}
	if err := json.Unmarshal([]byte(body), &document); err != nil {
		return document, storeError("read settings", fmt.Errorf("settings document: %w", err))
	}
	rows, err := s.read.ListAgents(ctx)
	if err != nil {
		return document, storeError("read agents", err)
	}
	document.Agents = make([]agent.Agent, len(rows))
	for i, row := range rows {
		if err := json.Unmarshal([]byte(row.Body), &document.Agents[i]); err != nil {
			return document, storeError("read agents", fmt.Errorf("agent %s: %w", row.ID, err))
		}
	}
	return document, nil
}

// SaveSettings keeps the whole document; the agents go to their own table.
func (s *Store) SaveSettings(ctx context.Context, document settings.Document) error {
	agents := document.Agents
	document.Agents = nil
	body, err := json.Marshal(document)
	if err != nil {
		return fmt.Errorf("settings document: %w", err)
	}
	return s.write(ctx, "keep settings", func(q *db.Queries) error {
		if err := q.PutSettings(ctx, string(body)); err != nil {
			return err
		}
		if err := q.DeleteAgents(ctx); err != nil {
			return err
		}
		for i, a := range agents {
			text, err := json.Marshal(a)
			if err != nil {
				return err
			}
			if err := q.InsertAgent(ctx, db.InsertAgentParams{ID: a.ID, Position: int64(i), Body: string(text)}); err != nil {
				return err
			}
		}
		return nil
	})
}
