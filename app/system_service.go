package app

import (
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"lathe/internal/apperr"
)

// SystemService is what the page calls of the desktop.
type SystemService struct{ app *App }

// Ready is called by the page when a person can use it. Where
// LATHE_READY_FILE names a file, it is made then, so that a start can be timed
// from outside.
func (s *SystemService) Ready() {
	s.app.ready()
	if path := os.Getenv("LATHE_READY_FILE"); path != "" {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			s.app.log.Warn("tell that the window is ready", "error", err)
		}
	}
}

// OpenLink opens an address in the system's browser or mail program. The page
// has shown the whole address and asked before. Only http, https and mailto
// are opened.
func (s *SystemService) OpenLink(address string) error {
	if err := checkLink(address); err != nil {
		return err
	}
	runtime.BrowserOpenURL(s.app.window, encodeLink(address))
	return nil
}

// encodeLink writes what Wails refuses to hand over, because a shell would read
// it, in the way that means the same in an address.
func encodeLink(address string) string {
	var out strings.Builder
	for _, b := range []byte(address) {
		if strings.IndexByte(`;|$<>*{}()~!'`, b) >= 0 || b >= 0x80 {
			fmt.Fprintf(&out, "%%%02X", b)
		} else {
			out.WriteByte(b)
		}
	}
	return out.String()
}

func checkLink(address string) error {
	u, err := url.Parse(address)
	allowed := err == nil && (u.Scheme == "mailto" && u.Opaque != "" ||
		(u.Scheme == "http" || u.Scheme == "https") && u.Host != "")
	if !allowed || strings.ContainsAny(address, "\x00\n\r\t \\`\"[]") {
		return apperr.Wrap(err, apperr.LinkRefused, "url", address)
	}
	return nil
}

// SaveText asks where to save a text and writes it there. It tells whether the
// person chose a place.
func (s *SystemService) SaveText(name, content string) (bool, error) {
	path, err := runtime.SaveFileDialog(s.app.window, runtime.SaveDialogOptions{DefaultFilename: name})
	if err != nil || path == "" {
		return false, err
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		return false, apperr.Wrap(err, apperr.SaveFailed, "path", path, "detail", err.Error())
	}
	return true, nil
}

// CopyText puts a text on the clipboard.
func (s *SystemService) CopyText(text string) error {
	return runtime.ClipboardSetText(s.app.window, text)
}
