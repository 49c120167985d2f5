package app

import (
	"context"
	"net"
	"slices"
	"strings"

	"lathe/internal/apperr"
	"lathe/internal/model/bundled"
	"lathe/internal/settings"
)

// ModelsService is what the page calls about model servers.
type ModelsService struct{ app *App }

// ModelInfo is a model in the list.
type ModelInfo struct {
	Ref           string   `json:"ref"`
	Name          string   `json:"name"`
	Title         string   `json:"title"`
	Size          int64    `json:"size"`
	ContextLength int      `json:"contextLength"`
	Capabilities  []string `json:"capabilities"`
	Included      bool     `json:"included"`
}

// ModelServer is a server in the list.
type ModelServer struct {
	ID      string        `json:"id"`
	Name    string        `json:"name"`
	Kind    string        `json:"kind"`
	URL     string        `json:"url"`
	Origin  Origin        `json:"origin"`
	State   bundled.Phase `json:"state"`
	Version string        `json:"version"`
	Error   *apperr.Error `json:"error,omitempty"`
	Models  []ModelInfo   `json:"models"`
	Locked  bool          `json:"locked"`
}

// ModelsView is the Models tab.
type ModelsView struct {
	Servers   []ModelServer `json:"servers"`
	Default   string        `json:"default"`
	Effective string        `json:"effective"`
	Locked    bool          `json:"locked"`
}

// View returns what the last look at the servers found.
func (s *ModelsService) View() ModelsView {
	r := s.app.models
	view := ModelsView{
		Servers: []ModelServer{}, Default: s.app.config.document().Models.Default,
		Effective: r.effective(), Locked: s.app.config.managed.Locks("models.default"),
	}
	for _, known := range r.list() {
		server := ModelServer{
			ID: known.id, Name: known.name, Kind: "ollama", URL: known.url, Origin: known.origin,
			State: known.state, Version: known.version, Error: known.err, Models: []ModelInfo{}, Locked: known.locked,
		}
		for _, m := range known.models {
			server.Models = append(server.Models, ModelInfo{
				Ref: known.id + "/" + m.Name, Name: m.Name, Title: m.Title, Size: m.Size,
				ContextLength: m.ContextLength, Capabilities: append([]string{}, m.Capabilities...),
				Included: known.origin == OriginBundled && m.Name == bundled.StarterName,
			})
		}
		view.Servers = append(view.Servers, server)
	}
	return view
}

// Refresh looks at all servers and returns what it found.
func (s *ModelsService) Refresh() ModelsView {
	s.app.models.refresh(s.app.context())
	return s.View()
}

// AddServer adds an Ollama server by its address, once it has answered.
func (s *ModelsService) AddServer(address string) (ModelsView, error) {
	base, err := settings.ParseServerURL(address)
	if err != nil {
		return ModelsView{}, apperr.Wrap(err, apperr.ModelURLInvalid, "url", address, "detail", err.Error())
	}
	for _, known := range s.app.models.list() {
		if known.url == base.String() {
			return ModelsView{}, apperr.New(apperr.ModelServerTwice, "url", base.String())
		}
	}
	ctx, cancel := context.WithTimeout(s.app.context(), probeTimeout)
	defer cancel()
	if _, err := s.app.models.adapter("", base.Host, base).Version(ctx); err != nil {
		return ModelsView{}, err
	}
	err = s.app.config.change(s.app.context(), func(d *settings.Document) {
		d.Models.Servers = append(d.Models.Servers, settings.Server{
			ID: freeID(base.Hostname(), base.Port(), d.Models.Servers), Name: base.Host, Kind: "ollama", URL: base.String(),
		})
	})
	if err != nil {
		return ModelsView{}, err
	}
	return s.Refresh(), nil
}

// freeID makes a readable id that no server has.
func freeID(host, port string, servers []settings.Server) string {
	id := strings.NewReplacer(":", "-", ".", "-", "[", "", "]", "").Replace(net.JoinHostPort(host, port))
	taken := func(id string) bool {
		return id == settings.BundledServer || id == settings.FoundServer ||
			slices.ContainsFunc(servers, func(s settings.Server) bool { return s.ID == id })
	}
	for taken(id) {
		id += "-2"
	}
	return id
}

// RemoveServer forgets a server that was added. The default model goes with it.
func (s *ModelsService) RemoveServer(id string) (ModelsView, error) {
	if err := s.app.config.locked("models.servers." + id); err != nil {
		return ModelsView{}, err
	}
	err := s.app.config.change(s.app.context(), func(d *settings.Document) {
		d.Models.Servers = slices.DeleteFunc(d.Models.Servers, func(server settings.Server) bool { return server.ID == id })
		if strings.HasPrefix(d.Models.Default, id+"/") {
			d.Models.Default = ""
		}
	})
	if err != nil {
		return ModelsView{}, err
	}
	return s.Refresh(), nil
}

// SetDefault chooses the model that answers where an agent names none; "" is
// the starter model.
func (s *ModelsService) SetDefault(ref string) (ModelsView, error) {
	if err := s.app.config.locked("models.default"); err != nil {
		return ModelsView{}, err
	}
	err := s.app.config.change(s.app.context(), func(d *settings.Document) { d.Models.Default = ref })
	return s.View(), err
}
