package webview

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"lathe/internal/apperr"
	"lathe/internal/kernel"
)

// files returns a kernel's working folder.
func files(t *testing.T, k kernel.Kernel) kernel.Files {
	t.Helper()
	folder, ok := k.(kernel.Files)
	if !ok {
		t.Fatalf("%T has no files", k)
	}
	return folder
}

// later calls f in a goroutine of its own.
func later[T any](f func() (T, error)) <-chan result[T] {
	done := make(chan result[T], 1)
	go func() {
		value, err := f()
		done <- result[T]{value, err}
	}()
	return done
}

type result[T any] struct {
	value T
	err   error
}

func (p *page) put(k kernel.Kernel, name, content string) <-chan result[bool] {
	folder := files(p.t, k)
	return later(func() (bool, error) {
		return true, folder.Put(p.t.Context(), name, strings.NewReader(content), int64(len(content)))
	})
}

func result1[T any](t *testing.T, done <-chan result[T]) (T, error) {
	t.Helper()
	select {
	case got := <-done:
		return got.value, got.err
	case <-time.After(bound):
		t.Fatal("the call has not returned")
		panic("unreachable")
	}
}

// fetch plays the page's request for a content.
func (p *page) fetch(method, id, query string, body io.Reader) *httptest.ResponseRecorder {
	recorder := httptest.NewRecorder()
	request := httptest.NewRequestWithContext(p.t.Context(), method, transfersPath+id+query, body)
	p.host.Transfers().ServeHTTP(recorder, request)
	return recorder
}

func answered(r Request, change func(*Message)) Message {
	message := Message{Type: AnswerMessage, KernelID: r.KernelID, RequestID: r.RequestID}
	if change != nil {
		change(&message)
	}
	return message
}

func TestPut(t *testing.T) {
	p := newPage(t)
	k := p.kernel()
	done := p.put(k, "folder/data.csv", "a,b\n1,2")
	time.Sleep(10 * time.Millisecond)
	p.hello("e") // asked before there is a page, and sent when there is one
	request := p.asked(PutFile)
	if request.Name != "folder/data.csv" || request.RequestID == "" {
		t.Errorf("asked for %+v", request)
	}
	if got := p.fetch(http.MethodPost, request.RequestID, "?size=1", strings.NewReader("x")); got.Code != http.StatusNotFound {
		t.Errorf("a content to be sent could be overwritten: %d", got.Code)
	}
	got := p.fetch(http.MethodGet, request.RequestID, "", nil)
	if got.Code != http.StatusOK || got.Body.String() != "a,b\n1,2" || got.Header().Get("Content-Length") != "7" {
		t.Errorf("sent %d %q with %v", got.Code, got.Body, got.Header())
	}
	if again := p.fetch(http.MethodGet, request.RequestID, "", nil); again.Code != http.StatusNotFound {
		t.Errorf("an id was good twice: %d", again.Code)
	}
	p.says(answered(request, nil))
	if _, err := result1(t, done); err != nil {
		t.Error(err)
	}

	done = p.put(k, "empty", "")
	request = p.asked(PutFile)
	if got := p.fetch(http.MethodGet, request.RequestID, "", nil); got.Code != http.StatusOK || got.Body.Len() > 0 {
		t.Errorf("sent %d %q", got.Code, got.Body)
	}
	p.says(answered(request, nil))
	if _, err := result1(t, done); err != nil {
		t.Error(err)
	}

	done = p.put(k, "full", "x")
	request = p.asked(PutFile)
	p.says(answered(request, func(m *Message) { m.Error = "no room" }))
	if _, err := result1(t, done); !apperr.Is(err, apperr.KernelFile) || apperr.Of(err).Params["detail"] != "no room" {
		t.Errorf("got %v", err)
	}
}

func TestPutThatCanNotBeReadWhole(t *testing.T) {
	for name, content := range map[string]io.Reader{
		"short":  strings.NewReader("half"),
		"broken": io.MultiReader(strings.NewReader("half"), iotest.ErrReader(errors.New("the disk is gone"))),
	} {
		p := newPage(t)
		p.hello("e")
		folder := files(t, p.kernel())
		done := later(func() (bool, error) { return true, folder.Put(t.Context(), "x", content, 100) })
		request := p.asked(PutFile)
		if got := p.fetch(http.MethodGet, request.RequestID, "", nil); got.Body.Len() >= 100 {
			t.Errorf("%s: %d bytes were sent", name, got.Body.Len())
		}
		p.says(answered(request, nil)) // whatever the page says
		if _, err := result1(t, done); !apperr.Is(err, apperr.KernelFile) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestNamesOfFiles(t *testing.T) {
	p := newPage(t)
	p.hello("e")
	folder := files(t, p.kernel())
	for _, name := range []string{
		"", ".", "..", "../x", "a/../../x", "a/./b", "/etc/passwd", "a//b", "a/", "a\x00", "a\nb", "a\x7f", "\xff",
		strings.Repeat("x", 256), strings.Repeat("x/", 600) + "x",
	} {
		if err := folder.Put(t.Context(), name, strings.NewReader(""), 0); !apperr.Is(err, apperr.KernelFileName) {
			t.Errorf("Put(%q): %v", name, err)
		}
		if _, err := folder.Get(t.Context(), name); !apperr.Is(err, apperr.KernelFileName) {
			t.Errorf("Get(%q): %v", name, err)
		}
	}
	for _, name := range []string{"a", "ü.txt", "a b", "..x", "a/b/c", "a\\b", ".hidden"} {
		if !validName(name) {
			t.Errorf("%q is refused", name)
		}
	}
	if err := folder.Put(t.Context(), "x", strings.NewReader(""), -1); !apperr.Is(err, apperr.BadRequest) {
		t.Errorf("a negative size: %v", err)
	}
}

func TestList(t *testing.T) {
	p := newPage(t)
	p.hello("e")
	folder := files(t, p.kernel())
	done := later(func() ([]kernel.File, error) { return folder.List(t.Context()) })
	request := p.asked(ListFiles)
	p.says(answered(request, func(m *Message) {
		m.Files = []File{{Name: "b", Size: 2, Modified: 1700000000123.5}, {Name: "a/c", Size: 0}, {Name: "b", Size: 5}}
	}))
	got, err := result1(t, done)
	if err != nil || len(got) != 2 || got[0].Name != "a/c" || got[1].Name != "b" || got[1].Modified.UnixMilli() != 1700000000123 {
		t.Errorf("got %+v, %v", got, err)
	}
	for name, bad := range map[string][]File{
		"a name":    {{Name: "../x"}},
		"a size":    {{Name: "x", Size: -1}},
		"a time":    {{Name: "x", Modified: 1e300}},
		"too many":  make([]File, kernel.ListLimit+1),
		"no name":   {{}},
		"a control": {{Name: "a\nb"}},
	} {
		done := later(func() ([]kernel.File, error) { return folder.List(t.Context()) })
		request := p.asked(ListFiles)
		p.says(answered(request, func(m *Message) { m.Files = bad }))
		if _, err := result1(t, done); !apperr.Is(err, apperr.KernelProtocol) {
			t.Errorf("%s: got %v", name, err)
		}
		p.asked(Restart)
	}
}

func TestGet(t *testing.T) {
	p := newPage(t)
	p.hello("e")
	k := p.kernel()
	folder := files(t, k)
	get := func() (<-chan result[io.ReadCloser], Request) {
		done := later(func() (io.ReadCloser, error) { return folder.Get(t.Context(), "out.bin") })
		return done, p.asked(GetFile)
	}
	post := func(request Request, content, size string) <-chan result[int] {
		return later(func() (int, error) {
			return p.fetch(http.MethodPost, request.RequestID, "?size="+size, strings.NewReader(content)).Code, nil
		})
	}

	for _, content := range []string{"", "content", strings.Repeat("x", 1<<20)} {
		done, request := get()
		posted := post(request, content, strconv.Itoa(len(content)))
		reader, err := result1(t, done)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(reader)
		if code, _ := result1(t, posted); err != nil || string(got) != content || code != http.StatusNoContent {
			t.Errorf("read %d bytes of %d, %v, status %d", len(got), len(content), err, code)
		}
		p.says(answered(request, nil))
		if err := reader.Close(); err != nil {
			t.Error(err)
		}
	}

	// What was cut on the way is not taken for whole.
	done, request := get()
	posted := post(request, "hal", "4")
	reader, err := result1(t, done)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(reader); err == nil {
		t.Errorf("read %q without an error", got)
	}
	if code, _ := result1(t, posted); code != http.StatusConflict {
		t.Errorf("status %d", code)
	}
	p.says(answered(request, func(m *Message) { m.Error = "not taken" }))

	// Closed early: neither the page nor the next run waits.
	done, request = get()
	posted = post(request, strings.Repeat("x", 1<<20), strconv.Itoa(1<<20))
	reader, err = result1(t, done)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(reader, make([]byte, 10)); err != nil {
		t.Error(err)
	}
	ran := execute(t.Context(), k, "waits")
	time.Sleep(10 * time.Millisecond)
	select {
	case asked := <-p.requests:
		t.Errorf("asked to %s while a file was read", asked.Type)
	default:
	}
	if err := reader.Close(); err != nil {
		t.Error(err)
	}
	_, _ = result1(t, posted)
	run := p.asked(Execute)
	p.says(answered(request, func(m *Message) { m.Error = "late" }), reply(run, kernel.StatusOK))
	p.end(ran)

	// There is no such file.
	done, request = get()
	p.says(answered(request, func(m *Message) { m.Error = "not_found" }))
	if _, err := result1(t, done); !apperr.Is(err, apperr.NotFound) {
		t.Errorf("got %v", err)
	}
	// The page says that all is well, and sends nothing.
	done, request = get()
	p.says(answered(request, nil))
	if _, err := result1(t, done); !apperr.Is(err, apperr.KernelProtocol) {
		t.Errorf("got %v", err)
	}
}

// Whatever ends in the middle, nobody hangs and nothing is left behind.
func TestErrandsThatEndEarly(t *testing.T) {
	dead := func(p *page, k kernel.Kernel) Message {
		return Message{Type: StateMessage, KernelID: idOf(p.t, k), Phase: kernel.Dead, Variables: -1, Reason: "start_failed"}
	}
	for name, end := range map[string]struct {
		how  func(p *page, k kernel.Kernel, cancel func())
		code apperr.Code
	}{
		"close":   {func(_ *page, k kernel.Kernel, _ func()) { _ = k.Close() }, apperr.KernelDead},
		"restart": {func(p *page, k kernel.Kernel, _ func()) { _ = k.Restart(p.t.Context()) }, apperr.KernelDead},
		"reload":  {func(p *page, _ kernel.Kernel, _ func()) { p.hello("next") }, apperr.KernelDead},
		"dead":    {func(p *page, k kernel.Kernel, _ func()) { p.says(dead(p, k)) }, apperr.KernelStartFailed},
		"cancel":  {func(_ *page, _ kernel.Kernel, cancel func()) { cancel() }, ""},
		"silence": {func(*page, kernel.Kernel, func()) {}, apperr.KernelSlow},
	} {
		for _, kind := range []RequestType{PutFile, ListFiles, GetFile} {
			t.Run(name+" "+string(kind), func(t *testing.T) {
				p := newPage(t, WithStartTime(200*time.Millisecond))
				p.hello("e")
				k := p.kernel()
				folder := files(t, k)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				done := later(func() (bool, error) {
					var err error
					switch kind {
					case PutFile:
						err = folder.Put(ctx, "x", bytes.NewReader(nil), 1<<40)
					case ListFiles:
						_, err = folder.List(ctx)
					default:
						_, err = folder.Get(ctx, "x")
					}
					return false, err
				})
				request := p.asked(kind)
				end.how(p, k, cancel)
				_, err := result1(t, done)
				if end.code == "" && !errors.Is(err, context.Canceled) || end.code != "" && !apperr.Is(err, end.code) {
					t.Errorf("got %v", err)
				}
				if got := p.fetch(http.MethodGet, request.RequestID, "", nil); got.Code != http.StatusNotFound {
					t.Errorf("the content is still to be had: %d", got.Code)
				}
				if got := p.fetch(http.MethodPost, request.RequestID, "?size=0", nil); got.Code != http.StatusNotFound {
					t.Errorf("a content is still taken: %d", got.Code)
				}
			})
		}
	}
}

func TestTransfersRefuseTheRest(t *testing.T) {
	p := newPage(t)
	for method, want := range map[string]int{
		http.MethodGet: http.StatusNotFound, http.MethodPost: http.StatusNotFound,
		http.MethodPut: http.StatusMethodNotAllowed, http.MethodDelete: http.StatusMethodNotAllowed,
	} {
		if got := p.fetch(method, "00000000-0000-0000-0000-000000000000", "", nil); got.Code != want {
			t.Errorf("%s: %d", method, got.Code)
		}
	}
}

func TestFilesFollowRuns(t *testing.T) {
	p := newPage(t)
	p.hello("e")
	k := p.kernel()
	ran := execute(t.Context(), k, "first")
	run := p.asked(Execute)
	done := p.put(k, "x", "")
	time.Sleep(10 * time.Millisecond)
	select {
	case asked := <-p.requests:
		t.Errorf("asked to %s while code ran", asked.Type)
	default:
	}
	p.says(reply(run, kernel.StatusOK))
	p.end(ran)
	request := p.asked(PutFile)
	p.says(answered(request, nil))
	if _, err := result1(t, done); err != nil {
		t.Error(err)
	}
	// What was put is lost with the interpreter, and the next run tells it.
	p.hello("next")
	ran = execute(t.Context(), k, "second")
	p.says(reply(p.asked(Execute), kernel.StatusOK))
	if got := p.end(ran); !got.reply.StateLost {
		t.Errorf("got %+v", got)
	}
}

func TestComplete(t *testing.T) {
	p := newPage(t)
	p.hello("e")
	k := p.kernel()
	completer, ok := k.(kernel.Completer)
	if !ok {
		t.Fatal("no completer")
	}
	nothing := func(why string) {
		t.Helper()
		got, err := completer.Complete(t.Context(), "pri", 3)
		if err != nil || len(got.Matches) > 0 || got.Matches == nil {
			t.Errorf("%s: got %+v, %v", why, got, err)
		}
	}
	nothing("while it starts")
	p.says(Message{Type: StateMessage, KernelID: idOf(t, k), Phase: kernel.Idle})
	code := strings.Repeat("é", completeText) + "pri" + "nt(1)"
	done := later(func() (kernel.Completion, error) { return completer.Complete(t.Context(), code, completeText+3) })
	request := p.asked(Complete)
	if len([]rune(request.Code)) != completeText || request.Cursor != completeText || !strings.HasSuffix(request.Code, "pri") {
		t.Errorf("asked with %d characters, cursor %d", len([]rune(request.Code)), request.Cursor)
	}
	nothing("while another one goes on")
	p.says(answered(request, func(m *Message) {
		m.Completion = &kernel.Completion{Matches: []string{"print"}, Start: completeText - 3, End: completeText}
	}))
	got, err := result1(t, done)
	if err != nil || len(got.Matches) != 1 || got.Start != completeText || got.End != completeText+3 {
		t.Errorf("got %+v, %v", got, err)
	}
	ran := execute(t.Context(), k, "busy")
	run := p.asked(Execute)
	nothing("while code runs")
	p.says(reply(run, kernel.StatusOK))
	p.end(ran)
	for _, cursor := range []int{-1, 4} {
		if _, err := completer.Complete(t.Context(), "pri", cursor); !apperr.Is(err, apperr.BadRequest) {
			t.Errorf("cursor %d: %v", cursor, err)
		}
	}
}
