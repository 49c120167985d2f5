// Package bundled runs the model server that comes with the application: stock
// Ollama as a private child process on a free port of the loopback interface,
// with a model folder of its own. It ends with the application, however that ends.
package bundled

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"lathe/internal/apperr"
	"lathe/internal/model"
	"lathe/internal/model/ollama"
)

// Options says where the server finds its things.
type Options struct {
	Program string // the ollama binary; it finds its libraries from its own real path
	Models  string // folder of its models
	Log     string // file for what it prints; begun anew at each start of the application
	Starter string // GGUF file of the starter model; "" for none
	Limits  ollama.Limits
	// Begin holds the start back until it is closed, so that the server does not
	// compete with the window for the processor; nil begins at once.
	Begin <-chan struct{}
	// Changed is called, from any goroutine, with each new status.
	Changed func(Status)
}

// Phase is how far the server has come.
type Phase string

// The phases.
const (
	Starting Phase = "starting"
	Ready    Phase = "ready"
	Failed   Phase = "failed"
)

// Status is the server's phase, its address once it is ready, and why it failed.
type Status struct {
	Phase Phase
	URL   string
	Err   error
}

// restarts bounds how often a server that dies is started again; the count
// begins anew when one has lived for steady.
const (
	restarts     = 3
	steady       = time.Minute
	startTimeout = time.Minute
)

// Server is the bundled model server. It implements model.Server: requests wait
// until the process answers.
type Server struct {
	options Options
	stop    context.CancelFunc
	ended   chan struct{}

	mu      sync.Mutex
	status  Status
	current *ollama.Server
	changed chan struct{} // closed and replaced at each change of status
}

var _ model.Server = (*Server)(nil)

// Start begins to start the server and returns at once.
func Start(options Options) *Server {
	ctx, stop := context.WithCancel(context.Background())
	// One log for a life of the application: what a crash left stays to be read.
	// Where it can't be emptied, spawn says why.
	_ = os.Remove(options.Log)
	s := &Server{
		options: options, stop: stop, ended: make(chan struct{}),
		status: Status{Phase: Starting}, changed: make(chan struct{}),
	}
	go func() {
		defer close(s.ended)
		s.supervise(ctx)
	}()
	return s
}

// Close ends the process and waits for it, at most a few seconds.
func (s *Server) Close() {
	s.stop()
	<-s.ended
}

// Status returns the present status.
func (s *Server) Status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.status
}

// supervise keeps a process alive until ctx ends or it has died too often.
func (s *Server) supervise(ctx context.Context) {
	if _, err := os.Stat(s.options.Program); errors.Is(err, fs.ErrNotExist) {
		s.set(Status{Phase: Failed, Err: apperr.Wrap(err, apperr.ModelServerMissing)}, nil)
		return
	}
	if s.options.Begin != nil {
		select {
		case <-s.options.Begin:
		case <-ctx.Done():
		}
	}
	for attempt := 0; attempt <= restarts; attempt++ {
		began := time.Now()
		err := s.live(ctx)
		if ctx.Err() != nil {
			s.set(Status{Phase: Failed, Err: apperr.New(apperr.ModelServerFailed, "detail", "closed")}, nil)
			return
		}
		if time.Since(began) > steady {
			attempt = 0
		}
		phase := Starting
		if attempt == restarts {
			phase = Failed
		}
		s.set(Status{Phase: phase, Err: apperr.Wrap(err, apperr.ModelServerFailed, "detail", err.Error())}, nil)
	}
}

// live starts one process and returns when it has ended.
func (s *Server) live(ctx context.Context) error {
	address, err := freeAddress(ctx)
	if err != nil {
		return err
	}
	process, err := s.spawn(address)
	if err != nil {
		return err
	}
	defer process.end()
	base := &url.URL{Scheme: "http", Host: address}
	server := ollama.New("Lathe", base, s.options.Limits)
	if err := s.awaitReady(ctx, process, server); err != nil {
		return err
	}
	s.set(Status{Phase: Ready, URL: base.String()}, server)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-process.done:
		return fmt.Errorf("the model server ended: %w", process.err)
	}
}

func (s *Server) awaitReady(ctx context.Context, process *process, server *ollama.Server) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for {
		if _, err := server.Version(ctx); err == nil {
			return s.installStarter(ctx, server)
		}
		select {
		case <-process.done:
			return fmt.Errorf("the model server ended while it started: %w", process.err)
		case <-ctx.Done():
			return fmt.Errorf("the model server did not answer within %s", startTimeout)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// spawn starts the process with an environment of its own, so that what the
// person set for another Ollama does not reach this one.
func (s *Server) spawn(address string) (*process, error) {
	if err := os.MkdirAll(filepath.Dir(s.options.Log), 0o700); err != nil {
		return nil, fmt.Errorf("log of the model server: %w", err)
	}
	log, err := os.OpenFile(s.options.Log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("log of the model server: %w", err)
	}
	defer func() { _ = log.Close() }()
	return startProcess(s.options.Program, []string{"serve"}, append(inherited(),
		"OLLAMA_HOST="+address,
		"OLLAMA_MODELS="+s.options.Models,
		"OLLAMA_NO_CLOUD=1",
		"OLLAMA_NUM_PARALLEL=1",
		"OLLAMA_CONTEXT_LENGTH="+strconv.Itoa(model.DefaultContextLength),
		"OLLAMA_KEEP_ALIVE=15m",
		"OLLAMA_NOPRUNE=1",
		// Its key pair goes there instead of the person's home.
		"HOME="+s.options.Models,
	), log)
}

// inherited passes on what a program needs to run, and nothing for Ollama.
func inherited() []string {
	var kept []string
	for _, name := range []string{"PATH", "LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES"} {
		if value, ok := os.LookupEnv(name); ok {
			kept = append(kept, name+"="+value)
		}
	}
	return kept
}

// freeAddress returns a loopback address whose port was free a moment ago.
func freeAddress(ctx context.Context) (string, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}
	address := listener.Addr().String()
	return address, listener.Close()
}

func (s *Server) set(status Status, server *ollama.Server) {
	s.mu.Lock()
	s.status, s.current = status, server
	close(s.changed)
	s.changed = make(chan struct{})
	s.mu.Unlock()
	if s.options.Changed != nil {
		s.options.Changed(status)
	}
}

// ready waits until the server answers or has failed for good.
func (s *Server) ready(ctx context.Context) (*ollama.Server, error) {
	for {
		s.mu.Lock()
		status, server, changed := s.status, s.current, s.changed
		s.mu.Unlock()
		switch {
		case server != nil:
			return server, nil
		case status.Phase == Failed:
			return nil, status.Err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Version implements model.Server.
func (s *Server) Version(ctx context.Context) (string, error) {
	server, err := s.ready(ctx)
	if err != nil {
		return "", err
	}
	return server.Version(ctx)
}

// Models implements model.Server.
func (s *Server) Models(ctx context.Context) ([]model.Info, error) {
	server, err := s.ready(ctx)
	if err != nil {
		return nil, err
	}
	infos, err := server.Models(ctx)
	for i := range infos {
		if infos[i].Name == StarterName {
			infos[i].Title = starterTitle
		}
	}
	return infos, err
}

// Chat implements model.Server.
func (s *Server) Chat(ctx context.Context, request model.Request, sink func(model.Delta)) (model.Result, error) {
	server, err := s.ready(ctx)
	if err != nil {
		return model.Result{}, err
	}
	return server.Chat(ctx, request, sink)
}
