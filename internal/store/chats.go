package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"lathe/internal/apperr"
	"lathe/internal/chat"
	"lathe/internal/store/db"
)

var _ chat.Store = (*Store)(nil)

// Recover ends what a previous process left running: answers become
// interrupted and keep what they have, runs are lost.
func (s *Store) Recover(ctx context.Context) error {
	return s.write(ctx, "recover", func(q *db.Queries) error {
		return errors.Join(q.FinishRunningParts(ctx), q.InterruptMessages(ctx), q.LoseRuns(ctx))
	})
}

// BeginTurn implements chat.Store.
func (s *Store) BeginTurn(ctx context.Context, turn chat.Turn) error {
	return s.write(ctx, "begin a turn", func(q *db.Queries) error {
		c := turn.Chat
		if turn.NewChat {
			err := q.InsertChat(ctx, db.InsertChatParams{
				ID: c.ID, Title: c.Title, AgentID: c.AgentID, CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt,
			})
			if err != nil {
				return err
			}
		}
		for _, message := range turn.Messages {
			if err := insertMessage(ctx, q, message); err != nil {
				return err
			}
		}
		return q.SetLeaf(ctx, db.SetLeafParams{LeafID: c.LeafID, AgentID: c.AgentID, UpdatedAt: c.UpdatedAt, ID: c.ID})
	})
}

func insertMessage(ctx context.Context, q *db.Queries, m chat.Message) error {
	err := q.InsertMessage(ctx, db.InsertMessageParams{
		ID: m.ID, ChatID: m.ChatID, ParentID: sql.NullString{String: m.ParentID, Valid: m.ParentID != ""},
		Role: string(m.Role), State: string(m.State), Model: m.Model, CreatedAt: m.CreatedAt,
	})
	if err != nil {
		return err
	}
	for i, part := range m.Parts {
		if err := insertPart(ctx, q, m.ID, i, part); err != nil {
			return err
		}
	}
	return nil
}

// partData is the JSON of what a part has beside text.
type partData struct {
	Error *apperr.Error `json:"error,omitempty"`
}

func insertPart(ctx context.Context, q *db.Queries, messageID string, position int, p chat.Part) error {
	data, err := json.Marshal(partData{Error: p.Error})
	if err != nil {
		return err
	}
	done := int64(0)
	if p.Done {
		done = 1
	}
	return q.InsertPart(ctx, db.InsertPartParams{
		ID: p.ID, MessageID: messageID, Position: int64(position), Kind: string(p.Kind),
		Text: p.Text, Data: string(data), DurationMs: p.DurationMS, Done: done,
	})
}

// AddPart implements chat.Store.
func (s *Store) AddPart(ctx context.Context, messageID string, position int, part chat.Part) error {
	return s.write(ctx, "add a part", func(q *db.Queries) error {
		return insertPart(ctx, q, messageID, position, part)
	})
}

// GrowPart implements chat.Store.
func (s *Store) GrowPart(ctx context.Context, partID, text string) error {
	return s.write(ctx, "keep a part", func(q *db.Queries) error {
		return q.GrowPart(ctx, db.GrowPartParams{Text: text, ID: partID})
	})
}

// FinishPart implements chat.Store.
func (s *Store) FinishPart(ctx context.Context, part chat.Part) error {
	return s.write(ctx, "finish a part", func(q *db.Queries) error {
		return q.FinishPart(ctx, db.FinishPartParams{Text: part.Text, DurationMs: part.DurationMS, ID: part.ID})
	})
}

// FinishTurn implements chat.Store.
func (s *Store) FinishTurn(ctx context.Context, messageID, model string, state chat.State, usage chat.Usage) error {
	return s.write(ctx, "finish a turn", func(q *db.Queries) error {
		return q.FinishMessage(ctx, db.FinishMessageParams{
			State: string(state), Model: model, PromptTokens: int64(usage.PromptTokens),
			OutputTokens: int64(usage.OutputTokens), ID: messageID,
		})
	})
}

// Chat implements chat.Store.
func (s *Store) Chat(ctx context.Context, id string) (chat.Chat, error) {
	row, err := s.read.GetChat(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return chat.Chat{}, apperr.Wrap(err, apperr.NotFound, "what", "chat")
	}
	if err != nil {
		return chat.Chat{}, storeError("read a chat", err)
	}
	return chat.Chat(row), nil
}

// Branch implements chat.Store.
func (s *Store) Branch(ctx context.Context, leaf string) ([]chat.Message, error) {
	rows, err := s.read.Branch(ctx, leaf)
	if err != nil {
		return nil, storeError("read a chat", err)
	}
	messages := make([]chat.Message, len(rows))
	place := make(map[string]int, len(rows))
	ids := make([]string, len(rows))
	for i, row := range rows {
		messages[i] = chat.Message{
			ID: row.ID, ChatID: row.ChatID, ParentID: row.ParentID.String, Role: chat.Role(row.Role),
			State: chat.State(row.State), Model: row.Model, CreatedAt: row.CreatedAt, Parts: []chat.Part{},
		}
		place[row.ID], ids[i] = i, row.ID
	}
	err = inChunks(ids, func(some []string) error {
		parts, err := s.read.PartsOf(ctx, some)
		if err != nil {
			return err
		}
		for _, row := range parts {
			part, err := partOf(row)
			if err != nil {
				return err
			}
			m := &messages[place[row.MessageID]]
			m.Parts = append(m.Parts, part)
		}
		return nil
	})
	if err != nil {
		return nil, storeError("read a chat", err)
	}
	return messages, nil
}

func partOf(row db.PartsOfRow) (chat.Part, error) {
	var data partData
	if err := json.Unmarshal([]byte(row.Data), &data); err != nil {
		return chat.Part{}, fmt.Errorf("part %s: %w", row.ID, err)
	}
	return chat.Part{
		ID: row.ID, Kind: chat.PartKind(row.Kind), Text: row.Text,
		DurationMS: row.DurationMs, Error: data.Error, Done: row.Done == 1,
	}, nil
}

// Page is a piece of the list of chats, newest first. Next is the key of the
// piece after it, or "" at the end.
type Page struct {
	Chats []chat.Chat
	Next  string
}

// pageSize is the number of chats of one page.
const pageSize = 100

// ListChats returns the page that begins after a key; "" begins the list.
func (s *Store) ListChats(ctx context.Context, after string) (Page, error) {
	var chats []chat.Chat
	if after == "" {
		rows, err := s.read.ListChats(ctx, pageSize+1)
		if err != nil {
			return Page{}, storeError("list chats", err)
		}
		for _, row := range rows {
			chats = append(chats, chat.Chat(row))
		}
	} else {
		stamp, id, _ := strings.Cut(after, " ")
		updated, err := strconv.ParseInt(stamp, 10, 64)
		if err != nil {
			return Page{}, apperr.Wrap(err, apperr.BadRequest)
		}
		rows, err := s.read.ListChatsAfter(ctx, db.ListChatsAfterParams{UpdatedAt: updated, ID: id, Page: pageSize + 1})
		if err != nil {
			return Page{}, storeError("list chats", err)
		}
		for _, row := range rows {
			chats = append(chats, chat.Chat(row))
		}
	}
	page := Page{Chats: chats}
	if len(chats) > pageSize {
		page.Chats = chats[:pageSize]
		last := page.Chats[pageSize-1]
		page.Next = fmt.Sprintf("%d %s", last.UpdatedAt, last.ID)
	}
	return page, nil
}

// searchLimit is the number of chats that a search returns at most.
const searchLimit = 50

// Search returns the chats whose title or texts hold the query, newest first.
// Queries of one or two letters look at titles only.
func (s *Store) Search(ctx context.Context, query string) ([]chat.Chat, error) {
	query = strings.TrimSpace(query)
	chats := []chat.Chat{}
	switch n := utf8.RuneCountInString(query); {
	case n == 0:
	case n < 3:
		pattern := "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(query) + "%"
		rows, err := s.read.SearchTitles(ctx, db.SearchTitlesParams{Pattern: pattern, Page: searchLimit})
		if err != nil {
			return nil, storeError("search", err)
		}
		for _, row := range rows {
			chats = append(chats, chat.Chat(row))
		}
	default:
		// As one quoted phrase, nothing in the query is an operator of FTS5.
		phrase := `"` + strings.ReplaceAll(query, `"`, `""`) + `"`
		rows, err := s.read.SearchIndexed(ctx, db.SearchIndexedParams{Phrase: phrase, Page: searchLimit})
		if err != nil {
			return nil, storeError("search", err)
		}
		for _, row := range rows {
			chats = append(chats, chat.Chat(row))
		}
	}
	return chats, nil
}

// Draft is the person's edited text of a code block.
type Draft struct {
	PartID  string `json:"partId"`
	Ordinal int    `json:"ordinal"`
	Code    string `json:"code"`
}

// SaveDraft keeps an edited code block beside the original.
func (s *Store) SaveDraft(ctx context.Context, draft Draft) error {
	return s.write(ctx, "keep a draft", func(q *db.Queries) error {
		return q.SetDraft(ctx, db.SetDraftParams{PartID: draft.PartID, Ordinal: int64(draft.Ordinal), Code: draft.Code})
	})
}

// DeleteDraft brings the original of a code block back.
func (s *Store) DeleteDraft(ctx context.Context, partID string, ordinal int) error {
	return s.write(ctx, "discard a draft", func(q *db.Queries) error {
		return q.DeleteDraft(ctx, db.DeleteDraftParams{PartID: partID, Ordinal: int64(ordinal)})
	})
}

// Drafts returns the drafts of some parts.
func (s *Store) Drafts(ctx context.Context, parts []string) ([]Draft, error) {
	drafts := []Draft{}
	err := inChunks(parts, func(some []string) error {
		rows, err := s.read.DraftsOf(ctx, some)
		for _, row := range rows {
			drafts = append(drafts, Draft{PartID: row.PartID, Ordinal: int(row.Ordinal), Code: row.Code})
		}
		return err
	})
	if err != nil {
		return nil, storeError("read drafts", err)
	}
	return drafts, nil
}

// PartChat returns the id of the chat that holds a part.
func (s *Store) PartChat(ctx context.Context, partID string) (string, error) {
	id, err := s.read.PartChat(ctx, partID)
	if errors.Is(err, sql.ErrNoRows) {
		return "", apperr.Wrap(err, apperr.NotFound, "what", "message")
	}
	if err != nil {
		return "", storeError("read a part", err)
	}
	return id, nil
}
