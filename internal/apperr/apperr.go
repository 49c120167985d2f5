// Package apperr holds the error that crosses the border to the webview: a
// code and parameters. The webview's message catalogue puts it into words, so
// no sentence for a person is written in Go.
package apperr

import (
	"context"
	"errors"
	"fmt"
)

// Code names one kind of failure. Each code has an entry "error.<code>" in the
// message catalogue (a test on the webview's side holds that for this list).
type Code string

// The codes, by area. Parameters that a code carries stand behind it.
const (
	Internal    Code = "internal" // the log says more
	BadRequest  Code = "bad_request"
	NotFound    Code = "not_found" // what
	StoreFailed Code = "store_failed"

	ModelUnreachable   Code = "model_unreachable"     // server, url
	ModelNotFound      Code = "model_not_found"       // model, server
	ModelNone          Code = "model_none"            //
	ModelRefused       Code = "model_refused"         // status, detail
	ModelBroken        Code = "model_broken"          // server: the stream ended before its end
	ModelStreamError   Code = "model_stream_error"    // detail: an error that the server put into its stream
	ModelBadReply      Code = "model_bad_reply"       // server: not the protocol
	ModelSlow          Code = "model_slow"            // seconds: nothing came for so long
	ModelTooLarge      Code = "model_too_large"       // detail
	ModelServerMissing Code = "model_server_missing"  // the bundled server is not installed
	ModelServerFailed  Code = "model_server_failed"   // detail
	ModelURLInvalid    Code = "model_url_invalid"     // url
	ModelNotOllama     Code = "model_not_ollama"      // url
	ModelServerTwice   Code = "model_server_twice"    // url
	ContextFull        Code = "context_full"          // the answer was cut: the context is full
	AnswerLimit        Code = "answer_limit"          // the answer was cut: the agent's limit of tokens
	TurnRunning        Code = "turn_running"          //
	MessageEmpty       Code = "message_empty"         //
	MessageTooLong     Code = "message_too_long"      // limit
	ExecutionOff       Code = "execution_off"         //
	NoEngine           Code = "no_engine"             // language
	CodeTooLong        Code = "code_too_long"         // limit
	KernelDead         Code = "kernel_dead"           //
	KernelStartFailed  Code = "kernel_start_failed"   // detail
	KernelSlow         Code = "kernel_slow"           // the interpreter did not start in time
	KernelUnsupported  Code = "kernel_unsupported"    // detail: the webview lacks what the engine needs
	KernelProtocol     Code = "kernel_protocol"       // detail
	KernelFile         Code = "kernel_file"           // name, detail: a file of the working folder could not be written or read
	KernelFileName     Code = "kernel_file_name"      // name: it leads out of the working folder, or is none
	InputTooLong       Code = "input_too_long"        // limit: in bytes
	SettingsInvalid    Code = "settings_invalid"      // key, detail
	SettingsLocked     Code = "settings_locked"       // key
	ManagedInvalid     Code = "managed_invalid"       // path, line, detail
	DatabaseNewer      Code = "database_newer"        // path
	DatabaseDamaged    Code = "database_damaged"      // path
	DataFolderReadOnly Code = "data_folder_read_only" // path
	LinkRefused        Code = "link_refused"          // url
	SaveFailed         Code = "save_failed"           // path, detail
)

// Error is a failure with a code. Params are plain words for the sentence;
// they never hold a secret.
type Error struct {
	Code   Code              `json:"code"`
	Params map[string]string `json:"params"`
	cause  error
}

// New returns an error with a code and pairs of parameter name and value.
// It panics on an odd number of pairs, which only a programming fault gives.
func New(code Code, pairs ...string) *Error {
	return Wrap(nil, code, pairs...)
}

// Wrap is New with the cause kept for errors.Is, errors.As and the log.
func Wrap(cause error, code Code, pairs ...string) *Error {
	if len(pairs)%2 != 0 {
		panic("apperr: odd number of parameters for " + string(code))
	}
	params := make(map[string]string, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		params[pairs[i]] = pairs[i+1]
	}
	return &Error{Code: code, Params: params, cause: cause}
}

// Error gives a line for logs, not for people.
func (e *Error) Error() string {
	text := string(e.Code)
	if len(e.Params) > 0 {
		text += fmt.Sprintf(" %v", e.Params)
	}
	if e.cause != nil {
		text += ": " + e.cause.Error()
	}
	return text
}

// Unwrap returns the cause, or nil.
func (e *Error) Unwrap() error { return e.cause }

// Of returns err as an *Error: the one in its chain, or Internal with the text
// of err as detail. Of(nil) is nil.
func Of(err error) *Error {
	if err == nil {
		return nil
	}
	var coded *Error
	if errors.As(err, &coded) {
		return coded
	}
	if errors.Is(err, context.Canceled) {
		return Wrap(err, Internal, "detail", "canceled")
	}
	return Wrap(err, Internal, "detail", err.Error())
}

// Is reports whether err carries code.
func Is(err error, code Code) bool {
	var coded *Error
	return errors.As(err, &coded) && coded.Code == code
}
