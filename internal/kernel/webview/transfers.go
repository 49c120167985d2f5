package webview

import (
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/google/uuid"
)

// transfersPath is where the content of files crosses.
const transfersPath = "/transfers/"

// transfers are the contents that may cross at present, by an id that nobody
// can guess and that is good for one request.
type transfers struct {
	mu      sync.Mutex
	waiting map[string]*transfer
}

func (s *transfers) add(t *transfer) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting == nil {
		s.waiting = make(map[string]*transfer)
	}
	id := uuid.NewString()
	s.waiting[id] = t
	return id
}

// take returns what waits under an id, once, or nil.
func (s *transfers) take(id string, upload bool) *transfer {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.waiting[id]
	if t == nil || t.upload() != upload {
		return nil
	}
	delete(s.waiting, id)
	return t
}

// end withdraws a transfer that is over for who has asked for it.
func (s *transfers) end(id string, t *transfer) {
	s.mu.Lock()
	delete(s.waiting, id)
	s.mu.Unlock()
	t.end()
}

// Transfers serves the contents of files to the page, and takes them from it:
// GET /transfers/{id} for a Put, POST /transfers/{id}?size=N for a Get. Each id
// is good once. The workers' policy must not let them reach this path.
func (h *Host) Transfers() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := strings.TrimPrefix(r.URL.Path, transfersPath)
		w.Header().Set("Cache-Control", "no-store")
		switch r.Method {
		case http.MethodGet:
			if t := h.transfers.take(id, false); t != nil {
				t.send(w)
				return
			}
		case http.MethodPost:
			if t := h.transfers.take(id, true); t != nil {
				t.receive(w, r)
				return
			}
		default:
			w.Header().Set("Allow", "GET, POST")
			http.Error(w, "only GET and POST", http.StatusMethodNotAllowed)
			return
		}
		http.NotFound(w, r)
	})
}

// transfer is one content on its way. A download goes to the page, an upload
// comes from it and is read by who has asked for it.
type transfer struct {
	size  int64 // of a download
	count atomic.Int64

	mu      sync.Mutex
	content io.Reader // of a download; nil when it must not be read any more
	err     error     // why a download was not sent whole

	reader *io.PipeReader // of an upload
	writer *io.PipeWriter
	began  chan struct{} // closed when an upload begins
	shut   chan struct{} // closed when the reader of an upload has closed it
	once   sync.Once
}

func newDownload(content io.Reader, size int64) *transfer {
	return &transfer{content: content, size: size}
}

func newUpload() *transfer {
	reader, writer := io.Pipe()
	return &transfer{reader: reader, writer: writer, began: make(chan struct{}), shut: make(chan struct{})}
}

func (t *transfer) upload() bool { return t.reader != nil }

// moved is how many bytes have crossed.
func (t *transfer) moved() int64 {
	if t == nil {
		return 0
	}
	return t.count.Load()
}

// busy reports whether it is up to the reader of an upload to go on.
func (t *transfer) busy() bool {
	if t == nil || !t.upload() {
		return false
	}
	select {
	case <-t.began:
		return true
	default:
		return false
	}
}

// closed is closed when the reader of an upload has closed it.
func (t *transfer) closed() <-chan struct{} {
	if t == nil {
		return nil
	}
	return t.shut
}

// end keeps a download from being read any more, and returns when it is not.
func (t *transfer) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.content = nil
}

func (t *transfer) fault() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}

var errEnded = errors.New("the transfer has ended")

// read reads from the content of a download while that is allowed.
func (t *transfer) read(buffer []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.content == nil {
		return 0, errEnded
	}
	return t.content.Read(buffer)
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(buffer []byte) (int, error) { return f(buffer) }

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(data []byte) (int, error) { return f(data) }

// send answers with the content of a download.
func (t *transfer) send(w http.ResponseWriter) {
	header := w.Header()
	header.Set("Content-Type", "application/octet-stream")
	header.Set("Content-Length", strconv.FormatInt(t.size, 10))
	counted := writerFunc(func(data []byte) (int, error) {
		n, err := w.Write(data)
		t.count.Add(int64(n))
		return n, err
	})
	n, err := io.CopyBuffer(counted, io.LimitReader(readerFunc(t.read), t.size), make([]byte, 1<<18))
	if err == nil && n < t.size {
		err = io.ErrUnexpectedEOF
	}
	if t.size == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if err != nil && !errors.Is(err, errEnded) {
		t.mu.Lock()
		t.err = err
		t.mu.Unlock()
	}
}

// receive gives the content of an upload to its reader. The page says how long
// it is, so that one that was cut on the way is not taken for whole.
func (t *transfer) receive(w http.ResponseWriter, r *http.Request) {
	close(t.began)
	counted := writerFunc(func(data []byte) (int, error) {
		t.count.Add(int64(len(data)))
		return t.writer.Write(data)
	})
	n, err := io.CopyBuffer(counted, readerFunc(r.Body.Read), make([]byte, 1<<18))
	if size, parseErr := strconv.ParseInt(r.URL.Query().Get("size"), 10, 64); err == nil && (parseErr != nil || n != size) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		t.writer.CloseWithError(err)
		http.Error(w, "not taken", http.StatusConflict)
		return
	}
	_ = t.writer.Close() // never fails
	w.WriteHeader(http.StatusNoContent)
}

// cut ends an upload for its reader; with an error, unless it was whole before.
func (t *transfer) cut(err error) {
	if err != nil {
		t.writer.CloseWithError(err)
		return
	}
	_ = t.writer.Close()
}

// Read implements io.Reader for an upload.
func (t *transfer) Read(buffer []byte) (int, error) { return t.reader.Read(buffer) }

// Close implements io.Closer for an upload; what has not come is not waited for.
func (t *transfer) Close() error {
	t.once.Do(func() { close(t.shut) })
	return t.reader.Close()
}
