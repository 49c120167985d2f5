package app

import (
	"context"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"lathe/internal/apperr"
	"lathe/internal/chat"
	"lathe/internal/model"
	"lathe/internal/model/bundled"
	"lathe/internal/model/ollama"
	"lathe/internal/settings"
)

// Origin is how the application came to know a model server.
type Origin string

// The origins.
const (
	OriginBundled Origin = "bundled"
	OriginFound   Origin = "found"
	OriginAdded   Origin = "added"
)

// defaultOllama is where an Ollama listens that nobody configured.
const defaultOllama = "http://127.0.0.1:11434"

// probeTimeout bounds how long a server may take to say that it is there.
const probeTimeout = 5 * time.Second

// knownServer is a model server with what its last probe told.
type knownServer struct {
	id, name, url string
	origin        Origin
	locked        bool
	server        model.Server

	state   bundled.Phase
	version string
	err     *apperr.Error
	models  []model.Info
}

// registry knows the model servers and which model answers.
type registry struct {
	config  *config
	bundled *bundled.Server // nil where it is switched off
	changed func()

	probing sync.Mutex // one refresh at a time
	mu      sync.Mutex
	servers []*knownServer // replaced as a whole, never changed
}

func newRegistry(c *config, private *bundled.Server, changed func()) *registry {
	return &registry{config: c, bundled: private, changed: changed, servers: []*knownServer{}}
}

// candidates lists the servers to probe, in the order of the screen.
func (r *registry) candidates() []*knownServer {
	document := r.config.document()
	var list []*knownServer
	if r.bundled != nil {
		list = append(list, &knownServer{
			id: settings.BundledServer, name: "Lathe", origin: OriginBundled, server: r.bundled,
		})
	}
	added := map[string]bool{}
	for _, s := range document.Models.Servers {
		base, err := settings.ParseServerURL(s.URL)
		if err != nil || s.Kind != "ollama" {
			continue
		}
		added[base.String()] = true
		list = append(list, &knownServer{
			id: s.ID, name: s.Name, url: base.String(), origin: OriginAdded,
			server: r.adapter(s.ID, s.Name, base),
			locked: r.config.managed.Locks("models.servers." + s.ID),
		})
	}
	if base := localOllama(); base != nil && !added[base.String()] {
		list = append(list, &knownServer{
			id: settings.FoundServer, name: "Ollama", url: base.String(), origin: OriginFound,
			server: r.adapter(settings.FoundServer, "Ollama", base),
		})
	}
	return list
}

// adapter keeps the adapter of a server that has not moved, with what it has learnt.
func (r *registry) adapter(id, name string, base *url.URL) model.Server {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.servers {
		if s.id == id && s.url == base.String() {
			return s.server
		}
	}
	return ollama.New(name, base, ollama.DefaultLimits)
}

// localOllama is where an Ollama of this machine would be: as OLLAMA_HOST says,
// under the rules of Ollama's own client, else at its default port.
func localOllama() *url.URL {
	text := strings.Trim(strings.TrimSpace(os.Getenv("OLLAMA_HOST")), `"'`)
	if text == "" {
		text = defaultOllama
	}
	base, err := settings.ParseServerURL(text)
	if err != nil {
		return nil
	}
	if base.Port() == "" && base.Scheme == "http" {
		base.Host += ":11434"
	}
	if base.Hostname() == "0.0.0.0" {
		base.Host = "127.0.0.1:" + base.Port()
	}
	return base
}

// refresh asks every server what it has. A found server that does not answer is
// not listed at all.
func (r *registry) refresh(ctx context.Context) {
	r.probing.Lock()
	defer r.probing.Unlock()
	list := r.candidates()
	var probes sync.WaitGroup
	for _, s := range list {
		probes.Go(func() { s.probe(ctx, r.bundled) })
	}
	probes.Wait()
	list = slices.DeleteFunc(list, func(s *knownServer) bool {
		return s.origin == OriginFound && s.state != bundled.Ready
	})
	r.mu.Lock()
	r.servers = list
	r.mu.Unlock()
	r.changed()
}

func (s *knownServer) probe(ctx context.Context, private *bundled.Server) {
	if s.origin == OriginBundled {
		status := private.Status()
		s.state, s.url = status.Phase, status.URL
		if status.Phase != bundled.Ready {
			s.err = apperr.Of(status.Err)
			return
		}
	}
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	version, err := s.server.Version(ctx)
	if err == nil {
		s.version = version
		s.models, err = s.server.Models(ctx)
	}
	if err != nil {
		s.state, s.err = bundled.Failed, apperr.Of(err)
		return
	}
	s.state = bundled.Ready
}

func (r *registry) list() []*knownServer {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.servers
}

// effective is the model that answers where an agent names none.
func (r *registry) effective() string {
	if ref := r.config.document().Models.Default; ref != "" {
		return ref
	}
	if r.bundled != nil && r.starterExpected() {
		return settings.BundledServer + "/" + bundled.StarterName
	}
	for _, s := range r.list() {
		for _, m := range s.models {
			if len(m.Capabilities) == 0 || slices.Contains(m.Capabilities, "completion") {
				return s.id + "/" + m.Name
			}
		}
	}
	return ""
}

// starterExpected reports whether the bundled server has the starter model, or
// may have it once it has started.
func (r *registry) starterExpected() bool {
	switch r.bundled.Status().Phase {
	case bundled.Failed:
		return false
	case bundled.Starting:
		return true
	case bundled.Ready:
	}
	for _, s := range r.list() {
		if s.origin == OriginBundled && s.state == bundled.Ready {
			return slices.ContainsFunc(s.models, func(m model.Info) bool { return m.Name == bundled.StarterName })
		}
	}
	return true
}

// Resolve implements chat.Models.
func (r *registry) Resolve(ctx context.Context, ref string) (chat.Target, error) {
	if ref == "" {
		if ref = r.effective(); ref == "" {
			r.refresh(ctx)
			ref = r.effective()
		}
	}
	if ref == "" {
		if r.bundled != nil {
			if err := r.bundled.Status().Err; err != nil {
				return chat.Target{}, err
			}
		}
		return chat.Target{}, apperr.New(apperr.ModelNone)
	}
	id, name, ok := strings.Cut(ref, "/")
	if !ok || name == "" {
		return chat.Target{}, apperr.New(apperr.ModelNotFound, "model", ref, "server", id)
	}
	for _, s := range slices.Concat(r.list(), r.candidates()) {
		if s.id != id {
			continue
		}
		target := chat.Target{Server: s.server, Name: name, Ref: ref}
		for _, m := range s.models {
			if m.Name == name {
				target.ContextLength = m.ContextLength
			}
		}
		return target, nil
	}
	return chat.Target{}, apperr.New(apperr.ModelNotFound, "model", name, "server", id)
}
