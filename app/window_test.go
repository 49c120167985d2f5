package app

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	goruntime "runtime"
	"sync"
	"testing"
	"time"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"lathe/internal/paths"
)

// The tests of this package that need a webview share one real window, with
// the built page and the engine's real files. Wails wants the main thread, so
// the window runs there and the tests beside it.
func init() { goruntime.LockOSThread() }

// shared is the application whose window is open, and why there is none.
var shared struct {
	app    *App
	reason error
}

const pageBound = time.Minute

func TestMain(m *testing.M) {
	flag.Parse()
	if testing.Short() {
		shared.reason = errors.New("-short leaves the window out")
		os.Exit(m.Run())
	}
	code := 1
	if err := withWindow(func() { code = m.Run() }); err != nil {
		shared.reason = err
		code = m.Run()
	}
	os.Exit(code)
}

// withWindow opens the window, and runs tests while it is open.
func withWindow(tests func()) error {
	if os.Getenv("DISPLAY") == "" {
		return errors.New("the tests of the window need a display: run them under xvfb-run, or leave them out with -short")
	}
	page := os.Getenv("LATHE_TEST_PAGE")
	if page == "" {
		page = filepath.Join("..", "frontend", "dist")
	}
	if _, err := os.Stat(filepath.Join(page, "index.html")); err != nil {
		return fmt.Errorf("the page is not built: run `npm run build` in frontend: %w", err)
	}
	resources, err := filepath.Abs(filepath.Join("..", "build", "bin", "resources"))
	if err != nil {
		return err
	}
	data, err := os.MkdirTemp("", "lathe-window-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(data) }()
	managed := filepath.Join(data, "managed.json")
	if err := os.WriteFile(managed, []byte(`{"models": {"bundled": false}}`), 0o600); err != nil {
		return err
	}
	for name, value := range map[string]string{
		"LATHE_DATA": filepath.Join(data, "lathe"), "LATHE_MANAGED": managed,
		"XDG_DATA_HOME": data, "XDG_CACHE_HOME": data, "XDG_CONFIG_HOME": data,
	} {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	SetWebviewEnvironment()
	folders, err := paths.FindData()
	if err != nil {
		return err
	}
	a, err := New(folders, paths.ResourcesIn(resources))
	if err != nil {
		return err
	}
	shared.app = a
	options := a.Options(os.DirFS(page), nil)
	options.SingleInstanceLock = nil
	options.AssetServer.Middleware = assetserver.ChainMiddleware(options.AssetServer.Middleware, testFiles)
	var once sync.Once
	ready := options.OnDomReady
	options.OnDomReady = func(ctx context.Context) {
		if ready != nil {
			ready(ctx)
		}
		once.Do(func() {
			go func() {
				tests()
				runtime.Quit(ctx)
			}()
		})
	}
	return wails.Run(options)
}

// testFiles adds files to the page that only tests ask for. They stand behind
// the production middleware, and so have its policies.
func testFiles(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if content, there := testContents[r.URL.Path]; there {
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = io.WriteString(w, content)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// testContents are the contents of testFiles by address.
var testContents = map[string]string{"/worker/bare.js": bareWorker}

// evaluate runs the body of an async function in the page and returns its
// result as text.
func evaluate(t *testing.T, a *App, body string) string {
	t.Helper()
	name := fmt.Sprintf("test-%d", time.Now().UnixNano())
	answers := make(chan string, 1)
	stop := runtime.EventsOnce(a.window, name, func(data ...any) { answers <- fmt.Sprint(data...) })
	defer stop()
	runtime.WindowExecJS(a.window, "(async () => {"+body+"})().then(String, (e) => 'failed: ' + e).then((r) => window.runtime.EventsEmit('"+name+"', r))")
	select {
	case answer := <-answers:
		return answer
	case <-time.After(pageBound):
		t.Fatalf("the page has not answered: %s", body)
		return ""
	}
}

// window returns the application with its window, or skips or fails the test.
func window(t *testing.T) *App {
	t.Helper()
	if shared.app == nil {
		if testing.Short() {
			t.Skip(shared.reason)
		}
		t.Fatal(shared.reason)
	}
	return shared.app
}
