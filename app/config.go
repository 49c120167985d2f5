package app

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"

	"lathe/internal/agent"
	"lathe/internal/apperr"
	"lathe/internal/settings"
	"lathe/internal/store"
)

// config is the settings document in use: the person's, with the
// administrator's over it.
type config struct {
	store        *store.Store
	managed      settings.Managed
	managedError *apperr.Error

	mu     sync.RWMutex
	person settings.Document
}

// loadConfig reads both documents. A managed file that is wrong turns the code
// features off, since what it wanted to forbid is unknown.
func loadConfig(ctx context.Context, s *store.Store) (*config, error) {
	person, err := s.Settings(ctx)
	if err != nil {
		return nil, err
	}
	c := &config{store: s, person: person}
	c.managed, err = settings.LoadManaged()
	if err != nil {
		c.managedError = apperr.Of(err)
		var wrong *settings.ManagedError
		if errors.As(err, &wrong) {
			detail := wrong.Reason
			if wrong.Key != "" {
				detail = wrong.Key + ": " + detail
			}
			c.managedError = apperr.Wrap(err, apperr.ManagedInvalid,
				"path", wrong.Path, "line", strconv.Itoa(wrong.Line), "detail", detail)
		}
	}
	return c, nil
}

// document returns what is in force.
func (c *config) document() settings.Document {
	c.mu.RLock()
	person := c.person
	c.mu.RUnlock()
	document := c.managed.Apply(person)
	if c.managedError != nil {
		document.CodeExecution.Enabled = false
		document.CodeInterpreter.Enabled = false
	}
	return document
}

// Agent implements chat.Agents.
func (c *config) Agent(id string) agent.Agent { return c.document().Agent(id) }

// codeExecution is what the runner asks.
func (c *config) codeExecution() settings.CodeExecution { return c.document().CodeExecution }

// change edits the person's document. Nothing is kept of a change that makes
// the document invalid.
func (c *config) change(ctx context.Context, edit func(*settings.Document)) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	changed := c.person
	changed.Models.Servers = slices.Clone(c.person.Models.Servers)
	changed.Agents = slices.Clone(c.person.Agents)
	edit(&changed)
	if err := changed.Validate(); err != nil {
		var invalid *settings.InvalidError
		if errors.As(err, &invalid) {
			return apperr.Wrap(err, apperr.SettingsInvalid, "key", invalid.Key, "detail", invalid.Reason)
		}
		return err
	}
	if err := c.store.SaveSettings(ctx, changed); err != nil {
		return err
	}
	c.person = changed
	return nil
}

// locked returns an error where the administrator has set one of the keys.
func (c *config) locked(keys ...string) error {
	for _, key := range keys {
		if c.managed.Locks(key) {
			return apperr.New(apperr.SettingsLocked, "key", key)
		}
	}
	return nil
}
