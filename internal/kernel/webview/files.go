package webview

import (
	"context"
	"errors"
	"io"
	"math"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"lathe/internal/apperr"
	"lathe/internal/kernel"
)

var _ kernel.Files = (*Kernel)(nil)

// The errors of the page's answers that have a code of their own; everything
// else is told as it is.
const fileMissing = "not_found"

// maxName is the most bytes of a name, and maxElement of what stands between
// two slashes.
const (
	maxName    = 1024
	maxElement = 255
)

// validName reports whether a name is a clean path below the working folder
// without control characters.
func validName(name string) bool {
	if name == "" || name == "." || len(name) > maxName || !utf8.ValidString(name) ||
		path.IsAbs(name) || path.Clean(name) != name || name == ".." || strings.HasPrefix(name, "../") ||
		strings.ContainsFunc(name, unicode.IsControl) {
		return false
	}
	for element := range strings.SplitSeq(name, "/") {
		if len(element) > maxElement {
			return false
		}
	}
	return true
}

// Put implements kernel.Files. The content crosses in one piece, so the
// webview needs its size in memory; a file that could not be sent whole is not
// written. Content is not read any more when Put has returned.
func (k *Kernel) Put(ctx context.Context, name string, content io.Reader, size int64) error {
	if !validName(name) {
		return apperr.New(apperr.KernelFileName, "name", name)
	}
	if size < 0 {
		return apperr.New(apperr.BadRequest, "detail", "a file of unknown size")
	}
	if err := k.enter(ctx); err != nil {
		return err
	}
	defer k.line.leave()
	t := newDownload(content, size)
	request := Request{Type: PutFile, KernelID: k.id, RequestID: k.host.transfers.add(t), Name: name}
	defer k.host.transfers.end(request.RequestID, t)
	answer, err := k.ask(ctx, request, t)
	if err != nil {
		return err
	}
	if err := t.fault(); err != nil {
		return apperr.Wrap(err, apperr.KernelFile, "name", name, "detail", err.Error())
	}
	return fileError(answer, name)
}

// List implements kernel.Files. Hidden files, those that Python makes for
// itself, and links that lead out of the folder are left out. Times are in the
// precision of milliseconds.
func (k *Kernel) List(ctx context.Context) ([]kernel.File, error) {
	if err := k.enter(ctx); err != nil {
		return nil, err
	}
	defer k.line.leave()
	answer, err := k.ask(ctx, Request{Type: ListFiles, KernelID: k.id, RequestID: uuid.NewString()}, nil)
	if err == nil {
		err = fileError(answer, "")
	}
	if err != nil {
		return nil, err
	}
	files := make([]kernel.File, len(answer.Files))
	for i, file := range answer.Files {
		modified := time.UnixMicro(int64(math.Round(file.Modified * 1000)))
		files[i] = kernel.File{Name: file.Name, Size: file.Size, Modified: modified}
	}
	slices.SortFunc(files, func(a, b kernel.File) int { return strings.Compare(a.Name, b.Name) })
	// A worker may lie in this, too.
	return slices.CompactFunc(files, func(a, b kernel.File) bool { return a.Name == b.Name }), nil
}

// Get implements kernel.Files. The content streams: ctx bounds the reading as
// well, and the kernel's next run waits until the content is at its end or
// closed. It may be of any length, as the code that made the file may have
// changed it since it was listed.
func (k *Kernel) Get(ctx context.Context, name string) (io.ReadCloser, error) {
	if !validName(name) {
		return nil, apperr.New(apperr.KernelFileName, "name", name)
	}
	if err := k.enter(ctx); err != nil {
		return nil, err
	}
	t := newUpload()
	request := Request{Type: GetFile, KernelID: k.id, RequestID: k.host.transfers.add(t), Name: name}
	ended := make(chan error, 1)
	go func() {
		defer k.line.leave()
		defer k.host.transfers.end(request.RequestID, t)
		answer, err := k.ask(ctx, request, t)
		if errors.Is(err, errClosed) {
			err = nil
		} else if err == nil {
			err = fileError(answer, name)
		}
		t.cut(err)
		ended <- err
	}()
	select {
	case <-t.began:
		return t, nil
	case err := <-ended:
		if err == nil {
			select {
			case <-t.began: // it was short
				return t, nil
			default:
				err = apperr.New(apperr.KernelProtocol, "detail", "a file without its content")
			}
		}
		return nil, err
	}
}

// fileError is the error that an answer tells.
func fileError(answer Message, name string) error {
	switch answer.Error {
	case "":
		return nil
	case fileMissing:
		return apperr.New(apperr.NotFound, "what", "file")
	default:
		return apperr.New(apperr.KernelFile, "name", name, "detail", cut(answer.Error, maxDetail))
	}
}

// maxDetail is the most bytes of a detail that a worker may give.
const maxDetail = 500

// cut returns the beginning of a text, without half a character at its end.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "")
}
