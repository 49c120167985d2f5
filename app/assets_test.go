package app

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lathe/internal/apperr"
)

type onlyBlob struct{ hash, content string }

func (b onlyBlob) Blob(_ context.Context, hash string) (io.ReadSeekCloser, error) {
	if hash != b.hash {
		return nil, apperr.New(apperr.NotFound, "what", "file")
	}
	return struct {
		io.ReadSeeker
		io.Closer
	}{bytes.NewReader([]byte(b.content)), io.NopCloser(nil)}, nil
}

const knownHash = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

// assetHandler is the middleware before a page that answers every address with its path.
func assetHandler(t *testing.T) http.Handler {
	t.Helper()
	folder := t.TempDir()
	for name, content := range map[string]string{
		"pyodide.asm.wasm": "wasm", "pyodide.mjs": "mjs", "pyodide-lock.json": "{}", "a-1.0.whl": "wheel",
		".complete": "stamp", "secret.txt": "secret",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/etc/hostname", filepath.Join(folder, "link.json")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(folder, "folder.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	page := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "page "+r.URL.Path)
	})
	return assetMiddleware(onlyBlob{knownHash, "picture"}, folder)(page)
}

func ask(t *testing.T, handler http.Handler, method, address string) *http.Response {
	t.Helper()
	request := httptest.NewRequest(method, "http://wails"+address, nil)
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	return recorder.Result()
}

func TestAssetPolicies(t *testing.T) {
	handler := assetHandler(t)
	const worker = "default-src 'none'; script-src wails://wails/worker/ wails://wails/pyodide/ 'wasm-unsafe-eval'; " +
		"connect-src wails://wails/pyodide/; worker-src 'none'"
	for address, policy := range map[string]string{
		"/": pagePolicy, "/index.html": pagePolicy, "/assets/x.js": pagePolicy, "/workers/x.js": pagePolicy,
		"/worker/w.js": worker, "/pyodide/pyodide.mjs": worker, "/pyodide/none.js": worker,
		"/blobs/" + knownHash + "?type=image/png": blobPolicy,
	} {
		response := ask(t, handler, http.MethodGet, address)
		if got := response.Header.Get("Content-Security-Policy"); got != policy {
			t.Errorf("policy of %s:\n%s\nwant:\n%s", address, got, policy)
		}
		if response.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s may be sniffed", address)
		}
	}
	if strings.Contains(strings.ReplaceAll(pagePolicy+worker, "'wasm-unsafe-eval'", ""), "unsafe-eval") ||
		strings.Contains(worker, "unsafe-inline") || strings.Contains(worker, "blob:") || strings.Contains(worker, "data:") {
		t.Error("a policy lets scripts come from strings")
	}
}

// TestAssetFiles: C101, WebAssembly comes with its own type.
func TestAssetFiles(t *testing.T) {
	handler := assetHandler(t)
	for address, want := range map[string]struct{ kind, body string }{
		"/pyodide/pyodide.asm.wasm":                     {"application/wasm", "wasm"},
		"/pyodide/pyodide.mjs":                          {"text/javascript", "mjs"},
		"/pyodide/pyodide-lock.json":                    {"application/json", "{}"},
		"/pyodide/a-1.0.whl":                            {"application/zip", "wheel"},
		"/blobs/" + knownHash + "?type=image/png":       {"image/png", "picture"},
		"/blobs/" + knownHash + "?type=image/svg+xml":   {"image/svg+xml", "picture"},
		"/blobs/" + knownHash + "?type=image/svg%2Bxml": {"image/svg+xml", "picture"},
		"/other.js": {"text/plain; charset=utf-8", "page /other.js"},
	} {
		response := ask(t, handler, http.MethodGet, address)
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		if response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != want.kind || string(body) != want.body {
			t.Errorf("%s gave %d %q %q", address, response.StatusCode, response.Header.Get("Content-Type"), body)
		}
	}
}

func TestAssetsRefused(t *testing.T) {
	handler := assetHandler(t)
	for _, address := range []string{
		"/pyodide/", "/pyodide/.complete", "/pyodide/secret.txt", "/pyodide/none.whl", "/pyodide/link.json", "/pyodide/folder.json",
		"/pyodide/../secret.js", "/pyodide/%2e%2e/x.js", "/pyodide/a/b.js", "/pyodide/..%2fx.js", "/pyodide/%00.js",
		"/x/../worker/w.js", "//worker/w.js", "/./worker/w.js", "/worker/", "/worker/../index.html",
		"/blobs/", "/blobs/" + knownHash, "/blobs/" + knownHash + "?type=text/html", "/blobs/" + knownHash + "?type=application/javascript",
		"/blobs/" + strings.Repeat("0", 64) + "?type=image/png", "/blobs/../" + knownHash + "?type=image/png",
		"/blobs/" + strings.ToUpper(knownHash) + "?type=image/png",
	} {
		if response := ask(t, handler, http.MethodGet, address); response.StatusCode != http.StatusNotFound {
			t.Errorf("%s gave %d", address, response.StatusCode)
		}
	}
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete, "PROPFIND"} {
		if response := ask(t, handler, method, "/"); response.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("%s / gave %d", method, response.StatusCode)
		}
	}
}
