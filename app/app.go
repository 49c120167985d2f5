// Package app is what the webview can call, one bound service an area, the
// bridge that carries events to it, and the wiring of everything below.
package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"lathe/internal/apperr"
	"lathe/internal/chat"
	"lathe/internal/execution"
	"lathe/internal/files"
	"lathe/internal/kernel"
	"lathe/internal/kernel/webview"
	"lathe/internal/model/bundled"
	"lathe/internal/model/ollama"
	"lathe/internal/paths"
	"lathe/internal/store"
)

// App is the running application.
type App struct {
	data      paths.Data
	resources paths.Resources
	lock      *os.File
	log       *slog.Logger
	logFile   *os.File

	ctx    context.Context // of everything; ends with Close
	cancel context.CancelFunc

	store     *store.Store
	blobs     *files.Blobs
	config    *config
	bundled   *bundled.Server // nil where it is switched off
	models    *registry
	chats     *chat.Engine
	execution *execution.Service
	host      *webview.Host
	events    *bridge

	usable  chan struct{}   // closed when a person can use the window, or soon after
	ready   func()          // closes it, once
	window  context.Context // of Wails; set at start-up, before any bound method is called
	frame   frame
	closing sync.Once
}

// ErrRunning says that another process has the data folder.
var ErrRunning = errors.New("another Lathe runs with this data folder")

// Open is New with the folders of this machine.
func Open() (*App, error) {
	data, err := paths.FindData()
	if err != nil {
		return nil, err
	}
	resources, err := paths.FindResources()
	if err != nil {
		return nil, err
	}
	return New(data, resources)
}

// New opens the data and starts what runs beside the window. It gives
// ErrRunning where another process has the same data folder; nothing is
// touched then.
func New(data paths.Data, resources paths.Resources) (*App, error) {
	lock, err := lockFolder(data.Root)
	if err != nil {
		return nil, err
	}
	a := &App{data: data, resources: resources, lock: lock, events: newBridge()}
	a.ctx, a.cancel = context.WithCancel(context.Background())
	a.usable = make(chan struct{})
	a.ready = sync.OnceFunc(func() { close(a.usable) })
	if err := a.open(); err != nil {
		a.cancel()
		return nil, errors.Join(err, lock.Close())
	}
	return a, nil
}

func (a *App) open() error {
	if err := a.openLog(); err != nil {
		return err
	}
	database, err := store.Open(a.ctx, a.data.Database)
	if err != nil {
		return err
	}
	if err := database.Recover(a.ctx); err != nil {
		return errors.Join(err, database.Close())
	}
	if a.config, err = loadConfig(a.ctx, database); err != nil {
		return errors.Join(err, database.Close())
	}
	a.store, a.blobs = database, files.NewBlobs(a.data.Files)
	go a.sweep()
	a.frame = loadFrame(filepath.Join(a.data.Root, "window.json"))
	a.startModels()
	a.chats = chat.NewEngine(database, a.models, a.config, func(event chat.Event) {
		a.events.add(Event{Topic: TopicTurn, Turn: &event})
	}, chat.Options{Fault: func(err error) { a.log.Error("a turn failed", "error", err) }})
	a.host = webview.NewHost(func(request webview.Request) {
		a.events.add(Event{Topic: TopicKernel, Kernel: &request})
	}, webview.WithLog(a.log.Warn), webview.WithSpare(a.roomForSpare))
	go a.warm()
	a.execution = execution.NewService(execution.Options{
		Store: database, Blobs: a.blobs, Settings: a.config.codeExecution,
		Engines: map[kernel.Engine]execution.Starter{
			kernel.Pyodide: func(ctx context.Context, _ string) (kernel.Kernel, error) { return a.host.New(ctx) },
		},
		Emit: func(event execution.Event) { a.events.add(Event{Topic: TopicRun, Run: &event}) },
		Session: func(state execution.SessionState) {
			a.events.add(Event{Topic: TopicSession, Session: &state})
		},
	})
	return nil
}

// latestBegin is when the bundled server starts even where the page has not
// said that it is usable.
const latestBegin = 2 * time.Second

// sweep deletes kept files that no run shows any more.
func (a *App) sweep() {
	hashes, err := a.store.BlobHashes(a.ctx)
	if err == nil {
		err = a.blobs.Sweep(hashes, sweepAge)
	}
	if err != nil && a.ctx.Err() == nil {
		a.log.Warn("delete files that nothing shows", "error", err)
	}
}

// sweepAge is how old a file must be to be swept: one that a run has just
// written is not in the database yet.
const sweepAge = time.Hour

// startModels starts the bundled server and looks for others in the background.
func (a *App) startModels() {
	refresh := make(chan struct{}, 1)
	ask := func() {
		select {
		case refresh <- struct{}{}:
		default:
		}
	}
	if a.config.document().Models.Bundled {
		a.bundled = bundled.Start(bundled.Options{
			Program: filepath.Join(a.resources.Ollama, "ollama"),
			Models:  a.data.Models,
			Log:     filepath.Join(a.data.Log, "model-server.log"),
			Starter: filepath.Join(a.resources.Starter, "SmolLM2-135M-Instruct.Q4_1.gguf"),
			Limits:  ollama.DefaultLimits,
			Changed: func(status bundled.Status) {
				if status.Err != nil {
					a.log.Warn("model server", "phase", status.Phase, "error", status.Err)
				}
				ask()
			},
			Begin: a.usable,
		})
		time.AfterFunc(latestBegin, a.ready)
	}
	a.models = newRegistry(a.config, a.bundled, func() { a.events.add(Event{Topic: TopicModels}) })
	ask()
	go func() {
		for {
			select {
			case <-refresh:
				a.models.refresh(a.ctx)
			case <-a.ctx.Done():
				return
			}
		}
	}()
}

func (a *App) openLog() error {
	file, err := os.OpenFile(filepath.Join(a.data.Log, "lathe.log"), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return apperr.Wrap(err, apperr.DataFolderReadOnly, "path", a.data.Root)
	}
	a.logFile = file
	a.log = slog.New(slog.NewTextHandler(file, nil))
	return nil
}

// Close ends turns, runs, kernels and the model server, and returns when what
// they had is kept. It may be called more than once.
func (a *App) Close() {
	a.closing.Do(func() {
		a.chats.Close()
		a.execution.Close()
		a.host.Close()
		a.cancel()
		if a.bundled != nil {
			a.bundled.Close()
		}
		if err := a.store.Close(); err != nil {
			a.log.Error("close the database", "error", err)
		}
		_ = a.logFile.Close()
		_ = a.lock.Close()
	})
}

// Options are the window's options; assets is the built page, icon a PNG.
func (a *App) Options(assets fs.FS, icon []byte) *options.App {
	return &options.App{
		Title:            "Lathe",
		Width:            a.frame.Width,
		Height:           a.frame.Height,
		MinWidth:         640,
		MinHeight:        480,
		BackgroundColour: options.NewRGB(246, 247, 249),
		WindowStartState: a.frame.startState(),
		SingleInstanceLock: &options.SingleInstanceLock{
			UniqueId:               instanceID(a.data),
			OnSecondInstanceLaunch: func(options.SecondInstanceData) { a.focus() },
		},
		AssetServer: &assetserver.Options{
			Assets:     assets,
			Middleware: a.assets(),
		},
		Bind: []any{
			&ChatService{a}, &ExecutionService{a}, &KernelService{a},
			&ModelsService{a}, &SettingsService{a}, &SystemService{a},
		},
		ErrorFormatter: a.formatError,
		Linux:          &linux.Options{Icon: icon, ProgramName: "lathe", WebviewGpuPolicy: gpuPolicy()},
		OnStartup:      a.startup,
		OnBeforeClose:  a.beforeClose,
		OnShutdown:     func(context.Context) { a.shutdown() },
	}
}

// gpuPolicy draws on the processor where there is no graphics card: a software
// driver in the place of one took six times the time for a streaming answer.
func gpuPolicy() linux.WebviewGpuPolicy {
	if cards, err := filepath.Glob("/dev/dri/renderD*"); err != nil || len(cards) == 0 {
		return linux.WebviewGpuPolicyNever
	}
	return linux.WebviewGpuPolicyOnDemand
}

// HandOver are the options of a second process: Wails tells the first one to
// show its window and ends this one.
func HandOver() *options.App {
	data, err := paths.FindData()
	if err != nil {
		data = paths.Data{}
	}
	return &options.App{
		StartHidden:        true,
		SingleInstanceLock: &options.SingleInstanceLock{UniqueId: instanceID(data)},
		OnStartup: func(context.Context) {
			fmt.Fprintln(os.Stderr, Failure(ErrRunning))
			os.Exit(1)
		},
	}
}

// formatError is where an error leaves for the page. The page gets its code;
// what has no code of its own is told to the log, with its cause.
func (a *App) formatError(err error) any {
	coded := apperr.Of(err)
	switch coded.Code {
	case apperr.Internal:
		a.log.Error("a call failed", "error", err)
		return apperr.New(apperr.Internal)
	case apperr.StoreFailed, apperr.KernelProtocol:
		a.log.Error("a call failed", "error", err)
	default:
	}
	return coded
}

// instanceID names the data folder on the session bus, so that a second start
// with the same folder finds the first.
func instanceID(data paths.Data) string {
	sum := sha256.Sum256([]byte(data.Root))
	return "lathe_" + hex.EncodeToString(sum[:8])
}

func (a *App) startup(ctx context.Context) {
	a.window = ctx
	go a.events.run(func(batch []Event) { runtime.EventsEmit(ctx, eventName, batch) })
	// Asked to end from outside, it ends as by its window: with everything kept.
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case <-signals:
			runtime.Quit(ctx)
		case <-a.ctx.Done():
		}
		signal.Stop(signals)
	}()
}

func (a *App) shutdown() {
	a.Close()
	a.events.close()
}

// focus brings the window to the front.
func (a *App) focus() {
	if a.window == nil {
		return
	}
	runtime.WindowUnminimise(a.window)
	runtime.WindowShow(a.window)
}

// Failure words an error that comes before there is a window to show it in.
func Failure(err error) string {
	failure := apperr.Of(err)
	switch failure.Code {
	case apperr.DatabaseNewer:
		return fmt.Sprintf("The data in %s was written by a newer Lathe. It was left untouched; start the newer version.", failure.Params["path"])
	case apperr.DatabaseDamaged:
		return fmt.Sprintf("The database %s is damaged. It was left untouched; move it away to start with an empty one.", failure.Params["path"])
	case apperr.DataFolderReadOnly:
		return fmt.Sprintf("Lathe can't write to %s. Give yourself the right to write there, or name another folder in LATHE_DATA.", failure.Params["path"])
	default:
		return "Lathe could not start: " + err.Error()
	}
}
