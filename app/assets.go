package app

import (
	"context"
	"io"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
)

// pagePolicy is the content security policy of the window's page. No script
// comes from a string, and nothing from outside of the application.
const pagePolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; " +
	"img-src 'self' data: blob:; media-src 'self' blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; " +
	"frame-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'none'"

// blobPolicy is the policy of a kept file: a picture, whatever is in it. An SVG
// may style itself and can do nothing else.
const blobPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

// workerPolicy is the policy of the workers that untrusted Python runs in: the
// scripts and files of the engine at the given origin, and nothing else.
func workerPolicy(origin string) string {
	return "default-src 'none'; script-src " + origin + "/worker/ " + origin + "/pyodide/ 'wasm-unsafe-eval'; " +
		"connect-src " + origin + "/pyodide/; worker-src 'none'"
}

// blobTypes are the types that a kept file may be shown as.
var blobTypes = map[string]bool{
	"image/png": true, "image/jpeg": true, "image/gif": true, "image/webp": true, "image/svg+xml": true,
}

// pyodideTypes are the types of the engine's files. WebAssembly compiles while
// it loads only when it comes with its own type.
var pyodideTypes = map[string]string{
	".wasm": "application/wasm", ".js": "text/javascript", ".mjs": "text/javascript",
	".json": "application/json", ".zip": "application/zip", ".whl": "application/zip",
	".bin": "application/octet-stream",
}

var (
	plainName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]*$`)
	blobHash  = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

// blobOpener opens kept files by their hash.
type blobOpener interface {
	Blob(ctx context.Context, hash string) (io.ReadSeekCloser, error)
}

// assets is what stands before the files of the page.
func (a *App) assets() assetserver.Middleware {
	return assetMiddleware(a.blobs, a.resources.Pyodide)
}

// assetMiddleware gives every answer its policy, and serves kept files under
// /blobs/ and the engine's under /pyodide/. The rest are files of the page.
func assetMiddleware(blobs blobOpener, pyodide string) assetserver.Middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			header := w.Header()
			header.Set("X-Content-Type-Options", "nosniff")
			header.Set("Referrer-Policy", "no-referrer")
			header.Set("Content-Security-Policy", pagePolicy)
			if r.Method != http.MethodGet && r.Method != http.MethodHead {
				http.Error(w, "only GET", http.StatusMethodNotAllowed)
				return
			}
			address := r.URL.Path
			// The policy goes by the address, so each file has exactly one.
			if address != path.Clean("/"+address) && address != "" {
				http.NotFound(w, r)
				return
			}
			switch {
			case strings.HasPrefix(address, "/pyodide/"):
				header.Set("Content-Security-Policy", workerPolicy(origin(r)))
				servePyodide(w, r, pyodide, strings.TrimPrefix(address, "/pyodide/"))
			case strings.HasPrefix(address, "/worker/"):
				header.Set("Content-Security-Policy", workerPolicy(origin(r)))
				next.ServeHTTP(w, r)
			case strings.HasPrefix(address, "/blobs/"):
				header.Set("Content-Security-Policy", blobPolicy)
				serveBlob(w, r, blobs, strings.TrimPrefix(address, "/blobs/"))
			default:
				next.ServeHTTP(w, r)
			}
		})
	}
}

// origin is where the webview asks from. Wails takes scheme and host out of the
// address and leaves the host in the request.
func origin(r *http.Request) string {
	if r.Host == "wails" {
		return "wails://wails"
	}
	return "http://" + r.Host
}

// servePyodide serves a file of the engine's folder by its plain name.
func servePyodide(w http.ResponseWriter, r *http.Request, folder, name string) {
	kind := pyodideTypes[path.Ext(name)]
	if !plainName.MatchString(name) || kind == "" {
		http.NotFound(w, r)
		return
	}
	full := filepath.Join(folder, name)
	info, err := os.Lstat(full)
	if err != nil || !info.Mode().IsRegular() {
		http.NotFound(w, r)
		return
	}
	file, err := os.Open(full) // #nosec G304 -- a plain name in the application's own folder
	if err != nil {
		http.NotFound(w, r)
		return
	}
	defer func() { _ = file.Close() }()
	header := w.Header()
	header.Set("Content-Type", kind)
	if path.Ext(name) == ".whl" {
		header.Set("Cache-Control", "public, max-age=31536000, immutable") // the version is in the name
	} else {
		header.Set("Cache-Control", "no-cache")
		header.Set("ETag", `"`+strconv.FormatInt(info.ModTime().UnixNano(), 36)+"-"+strconv.FormatInt(info.Size(), 36)+`"`)
	}
	http.ServeContent(w, r, name, time.Time{}, file)
}

// serveBlob serves a kept file as the picture that the address says it is.
func serveBlob(w http.ResponseWriter, r *http.Request, blobs blobOpener, hash string) {
	// In a query, an unescaped plus (image/svg+xml) is read as a space.
	kind := strings.ReplaceAll(r.URL.Query().Get("type"), " ", "+")
	if !blobHash.MatchString(hash) || !blobTypes[kind] {
		http.NotFound(w, r)
		return
	}
	content, err := blobs.Blob(r.Context(), hash)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	defer func() { _ = content.Close() }()
	header := w.Header()
	header.Set("Content-Type", kind)
	header.Set("Cache-Control", "public, max-age=31536000, immutable")
	http.ServeContent(w, r, "", time.Time{}, content)
}
