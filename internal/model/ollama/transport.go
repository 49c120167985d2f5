package ollama

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// maxDetail bounds in bytes what is kept of a server's own words.
const maxDetail = 2000

// errNotProtocol marks an answer that is no JSON from its first letter on.
var errNotProtocol = errors.New("the answer is not the protocol's")

// verdict takes what a body's reader found, since the API client passes over
// errors of reading.
type verdict struct{ err error }

type verdictKey struct{}

// errBodyBroken marks an answer whose connection broke before its end.
var errBodyBroken = errors.New("the connection broke")

// errTooMuch marks an answer that is larger than any that a server should give.
var errTooMuch = errors.New("the answer is too large")

// maxReply bounds in bytes one whole reply; a day of streaming stays below it.
const maxReply = 1 << 30

// refusedError is a reply with status 400 or above.
type refusedError struct {
	status int
	detail string // the server's words, at most maxDetail bytes; may be empty
	json   bool   // they came as the protocol's {"error": …}
}

func (e *refusedError) Error() string { return e.statusText() + ": " + e.detail }

func (e *refusedError) statusText() string {
	return strings.TrimSpace(strconv.Itoa(e.status) + " " + http.StatusText(e.status))
}

// transport mends what the API client passes over: replies of status 400 and
// above with an empty or foreign body, and connections that break in the middle.
type transport struct{}

// base has no proxy: models on this machine and in this network are asked directly.
var base = &http.Transport{
	MaxIdleConnsPerHost:    4,
	IdleConnTimeout:        90 * time.Second,
	MaxResponseHeaderBytes: 64 << 10,
}

func (transport) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := base.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= http.StatusBadRequest {
		defer func() { _ = response.Body.Close() }()
		return nil, refusal(response)
	}
	found, _ := request.Context().Value(verdictKey{}).(*verdict)
	response.Body = &checkedBody{body: response.Body, left: maxReply, found: found}
	return response, nil
}

func refusal(response *http.Response) *refusedError {
	refused := &refusedError{status: response.StatusCode}
	body, _ := io.ReadAll(io.LimitReader(response.Body, 64<<10))
	var said struct {
		Error string `json:"error"`
	}
	if err := json.Unmarshal(body, &said); err == nil && said.Error != "" {
		refused.detail, refused.json = shorten(said.Error), true
	} else if text := strings.TrimSpace(string(body)); !strings.HasPrefix(text, "<") {
		// A web page of some proxy is no sentence.
		refused.detail = shorten(text)
	}
	return refused
}

// checkedBody names a connection that breaks and an answer that is none, so that
// they are told apart from what a server says, and bounds the whole.
type checkedBody struct {
	body  io.ReadCloser
	left  int64
	begun bool
	found *verdict // may be nil
}

func (b *checkedBody) Read(p []byte) (int, error) {
	n, err := b.body.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return b.fail(errTooMuch)
	}
	if words := bytes.TrimLeft(p[:n], " \t\r\n"); !b.begun && len(words) > 0 {
		b.begun = true
		if words[0] != '{' && words[0] != '[' {
			return b.fail(errNotProtocol)
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		_, err = b.fail(fmt.Errorf("%w: %w", errBodyBroken, err))
	}
	return n, err
}

func (b *checkedBody) fail(err error) (int, error) {
	if b.found != nil {
		b.found.err = err
	}
	return 0, err
}

func (b *checkedBody) Close() error { return b.body.Close() }

// refuseRedirect keeps prompts from travelling to an address nobody named.
func refuseRedirect(request *http.Request, _ []*http.Request) error {
	return fmt.Errorf("the server redirects to %s", request.URL.Host)
}

// shorten cuts a server's words to maxDetail bytes of valid UTF-8.
func shorten(text string) string {
	text = strings.ToValidUTF8(strings.TrimSpace(text), "\uFFFD")
	if len(text) <= maxDetail {
		return text
	}
	cut := maxDetail
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}

func seconds(d time.Duration) string { return strconv.Itoa(int(d.Seconds())) }
