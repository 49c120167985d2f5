package app

import (
	"context"

	"lathe/internal/apperr"
	"lathe/internal/chat"
	"lathe/internal/execution"
	"lathe/internal/kernel/webview"
	"lathe/internal/store"
)

// ChatService is what the page calls about chats.
type ChatService struct{ app *App }

// ChatPage is a piece of the list of chats. Next is "" at the end.
type ChatPage struct {
	Chats []chat.Chat `json:"chats"`
	Next  string      `json:"next"`
}

// ChatView is a chat as it stands.
type ChatView struct {
	Chat     chat.Chat       `json:"chat"`
	Messages []chat.Message  `json:"messages"`
	Runs     []execution.Run `json:"runs"`
	Drafts   []store.Draft   `json:"drafts"`
	Seqs     map[string]int  `json:"seqs"` // last seq contained, of running turns and runs
}

// List returns the page of chats after a key, newest first; "" begins the list.
func (s *ChatService) List(after string) (ChatPage, error) {
	page, err := s.app.store.ListChats(s.app.context(), after)
	if err != nil {
		return ChatPage{}, err
	}
	if page.Chats == nil {
		page.Chats = []chat.Chat{}
	}
	return ChatPage(page), nil
}

// Search returns the chats whose title or texts hold the query.
func (s *ChatService) Search(query string) ([]chat.Chat, error) {
	return s.app.store.Search(s.app.context(), query)
}

// Open returns a chat with its messages, runs and drafts.
func (s *ChatService) Open(chatID string) (ChatView, error) {
	ctx := s.app.context()
	// Running runs are read first: one that ends meanwhile is then in the store.
	live, seqs := s.app.execution.Live(chatID)
	view, err := s.app.chats.View(ctx, chatID)
	if err != nil {
		return ChatView{}, err
	}
	var parts []string
	for _, message := range view.Messages {
		for _, part := range message.Parts {
			if part.Kind == chat.Text {
				parts = append(parts, part.ID)
			}
		}
	}
	runs, err := s.app.store.Runs(ctx, parts)
	if err != nil {
		return ChatView{}, err
	}
	drafts, err := s.app.store.Drafts(ctx, parts)
	if err != nil {
		return ChatView{}, err
	}
	runs = mergeLive(runs, live, seqs)
	for id, seq := range view.Seqs {
		seqs[id] = seq
	}
	if view.Messages == nil {
		view.Messages = []chat.Message{}
	}
	return ChatView{Chat: view.Chat, Messages: view.Messages, Runs: runs, Drafts: drafts, Seqs: seqs}, nil
}

// mergeLive puts running runs in the place of what the store has of them; one
// that has ended since it was read is left as the store has it.
func mergeLive(stored, live []execution.Run, seqs map[string]int) []execution.Run {
	for _, run := range live {
		for i := range stored {
			if stored[i].ID != run.ID {
				continue
			}
			if stored[i].State == execution.Running {
				stored[i] = run
			} else {
				delete(seqs, run.ID)
			}
		}
	}
	return stored
}

// SendRequest is a person's message. An empty ChatID makes a new chat.
type SendRequest struct {
	ChatID  string `json:"chatId"`
	AgentID string `json:"agentId"`
	Text    string `json:"text"`
}

// Send keeps a message and begins the answer.
func (s *ChatService) Send(request SendRequest) (chat.Started, error) {
	return s.app.chats.Send(s.app.context(), request.ChatID, request.AgentID, request.Text)
}

// Retry answers the last message of the person anew.
func (s *ChatService) Retry(chatID string) (chat.Started, error) {
	return s.app.chats.Retry(s.app.context(), chatID)
}

// Stop ends the answer that a chat waits for.
func (s *ChatService) Stop(chatID string) error {
	return s.app.chats.Stop(s.app.context(), chatID)
}

// DraftRequest is an edited code block.
type DraftRequest struct {
	ChatID  string `json:"chatId"`
	PartID  string `json:"partId"`
	Ordinal int    `json:"ordinal"`
	Code    string `json:"code"`
}

// SaveDraft keeps an edited code block beside the original.
func (s *ChatService) SaveDraft(request DraftRequest) error {
	if len(request.Code) > execution.MaxCode {
		return apperr.New(apperr.CodeTooLong, "limit", execution.MaxCodeWords)
	}
	owner, err := s.app.store.PartChat(s.app.context(), request.PartID)
	if err != nil {
		return err
	}
	if owner != request.ChatID || request.Ordinal < 0 {
		return apperr.New(apperr.BadRequest)
	}
	return s.app.store.SaveDraft(s.app.context(),
		store.Draft{PartID: request.PartID, Ordinal: request.Ordinal, Code: request.Code})
}

// DeleteDraft brings the original of a code block back.
func (s *ChatService) DeleteDraft(partID string, ordinal int) error {
	return s.app.store.DeleteDraft(s.app.context(), partID, ordinal)
}

// ExecutionService is what the page calls about running code.
type ExecutionService struct{ app *App }

// Run begins to run a code block.
func (s *ExecutionService) Run(request execution.Request) (execution.Run, error) {
	return s.app.execution.Run(s.app.context(), request)
}

// Stop ends a run.
func (s *ExecutionService) Stop(runID string) error {
	return s.app.execution.Stop(s.app.context(), runID)
}

// Session returns the state of a chat's session.
func (s *ExecutionService) Session(chatID string) execution.SessionState {
	return s.app.execution.Session(chatID)
}

// Interrupt stops what runs in a chat's session; the variables stay.
func (s *ExecutionService) Interrupt(chatID string) error {
	return s.app.execution.Interrupt(s.app.context(), chatID)
}

// Restart gives a chat's session a fresh interpreter.
func (s *ExecutionService) Restart(chatID string) error {
	return s.app.execution.Restart(s.app.context(), chatID)
}

// Answer answers what input() of a run waits for; an empty answer is one. A run
// that waits for nothing, or for something else, is left as it is.
func (s *ExecutionService) Answer(runID, inputID, text string) error {
	return s.app.execution.Answer(runID, inputID, text)
}

// KernelService is the way back from the engine in the page.
type KernelService struct{ app *App }

// Hello begins a new life of the page: kernels of an earlier one are gone.
func (s *KernelService) Hello(epoch string) { s.app.host.Hello(epoch) }

// Deliver takes messages of the page's kernels; seq counts the calls of an epoch from 0.
func (s *KernelService) Deliver(epoch string, seq int, messages []webview.Message) error {
	return s.app.host.Deliver(epoch, seq, messages)
}

// context is the one that all calls of the page run in; it ends with the application.
func (a *App) context() context.Context { return a.ctx }
