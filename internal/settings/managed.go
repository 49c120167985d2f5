package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"sort"
	"strings"

	"lathe/internal/agent"
)

// ManagedPath is where an administrator puts the managed file. Only where there
// is none, the one named by LATHE_MANAGED counts, so that a person can't step
// around the administrator.
const ManagedPath = "/etc/lathe/managed.json"

// Managed is an administrator's file: keys present in it override the person's
// and are locked.
type Managed struct {
	Path string
	// Locked are the paths of the keys that are set, as "general.theme"; an
	// item of a list is locked by its id, as "agents.analyst".
	Locked []string
	body   []byte
}

// ManagedError says where a managed file is wrong. Line counts from 1.
type ManagedError struct {
	Path   string
	Line   int
	Key    string
	Reason string
}

// Error gives a line for logs.
func (e *ManagedError) Error() string {
	return fmt.Sprintf("%s:%d: %s: %s", e.Path, e.Line, e.Key, e.Reason)
}

// LoadManaged reads the managed file. Without one it returns an empty Managed.
// A file that can't be read or is wrong gives a *ManagedError; the caller then
// starts with code features off.
func LoadManaged() (Managed, error) {
	path := ManagedPath
	body, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if path = os.Getenv("LATHE_MANAGED"); path == "" {
			return Managed{}, nil
		}
		body, err = os.ReadFile(path)
	}
	if err != nil {
		return Managed{}, &ManagedError{path, 0, "", err.Error()}
	}
	return parseManaged(path, body)
}

func parseManaged(path string, body []byte) (Managed, error) {
	walk := walker{path: path, body: body, decoder: json.NewDecoder(bytes.NewReader(body))}
	if err := walk.value("", reflect.TypeOf(Document{})); err != nil {
		return Managed{}, err
	}
	if _, err := walk.decoder.Token(); !errors.Is(err, io.EOF) {
		return Managed{}, walk.fail("", "there is more after the end of the document")
	}
	sort.Strings(walk.locked)
	managed := Managed{Path: path, Locked: walk.locked, body: body}
	merged := managed.Apply(Defaults())
	if err := merged.Validate(); err != nil {
		var invalid *InvalidError
		if errors.As(err, &invalid) {
			return Managed{}, &ManagedError{path, 1, invalid.Key, invalid.Reason}
		}
		return Managed{}, &ManagedError{path, 1, "", err.Error()}
	}
	return managed, nil
}

// Apply returns the document with the administrator's keys in it.
func (m Managed) Apply(d Document) Document {
	if len(m.body) == 0 {
		return d
	}
	agents, servers := d.Agents, d.Models.Servers
	d.Agents, d.Models.Servers = nil, nil
	// The walker has checked the body against the type already.
	if err := json.Unmarshal(m.body, &d); err != nil {
		panic("settings: checked managed file no longer decodes: " + err.Error())
	}
	d.Agents = mergeByID(agents, d.Agents, func(a agent.Agent) string { return a.ID })
	d.Models.Servers = mergeByID(servers, d.Models.Servers, func(s Server) string { return s.ID })
	for i := range d.Agents {
		if d.Agents[i].Protocol == "" {
			d.Agents[i].Protocol = agent.ProtocolAuto
		}
		if d.Agents[i].CodeInterpreter == "" {
			d.Agents[i].CodeInterpreter = agent.Off
		}
	}
	return d
}

// Locks reports whether a key, or one that it lies in, is set by the administrator.
func (m Managed) Locks(key string) bool {
	for _, locked := range m.Locked {
		if key == locked || strings.HasPrefix(key, locked+".") {
			return true
		}
	}
	return false
}

// mergeByID puts the administrator's items over the person's of the same id,
// new ones at the end.
func mergeByID[T any](mine, theirs []T, id func(T) string) []T {
	merged := slices.Clone(mine)
	for _, item := range theirs {
		if i := slices.IndexFunc(merged, func(m T) bool { return id(m) == id(item) }); i >= 0 {
			merged[i] = item
		} else {
			merged = append(merged, item)
		}
	}
	if merged == nil {
		merged = []T{}
	}
	return merged
}

// walker reads JSON token by token beside the Go type that it must fit, so that
// an error can name the key and the line.
type walker struct {
	path    string
	body    []byte
	decoder *json.Decoder
	locked  []string
}

func (w *walker) fail(key, reason string) error {
	offset := min(int(w.decoder.InputOffset()), len(w.body))
	return &ManagedError{w.path, 1 + bytes.Count(w.body[:offset], []byte("\n")), key, reason}
}

func (w *walker) value(key string, kind reflect.Type) error {
	token, err := w.decoder.Token()
	if err != nil {
		return w.fail(key, "is not JSON: "+err.Error())
	}
	if kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	switch kind.Kind() {
	case reflect.Struct:
		if token != json.Delim('{') {
			return w.fail(key, "must be an object")
		}
		return w.object(key, kind)
	case reflect.Slice:
		if token != json.Delim('[') {
			return w.fail(key, "must be a list")
		}
		return w.list(key, kind.Elem())
	default:
		return w.scalar(key, token, kind)
	}
}

func (w *walker) object(key string, kind reflect.Type) error {
	for w.decoder.More() {
		token, err := w.decoder.Token()
		if err != nil {
			return w.fail(key, "is not JSON: "+err.Error())
		}
		name, _ := token.(string)
		inner := name
		if key != "" {
			inner = key + "." + name
		}
		field, ok := fieldNamed(kind, name)
		if !ok {
			return w.fail(inner, "there is no such setting")
		}
		if err := w.value(inner, field); err != nil {
			return err
		}
	}
	return w.end(key)
}

func (w *walker) list(key string, item reflect.Type) error {
	for i := 0; w.decoder.More(); i++ {
		start := len(w.locked)
		before := w.decoder.InputOffset()
		if err := w.value(fmt.Sprintf("%s[%d]", key, i), item); err != nil {
			return err
		}
		// An item is locked as a whole, under its id.
		w.locked = w.locked[:start]
		var named struct {
			ID string `json:"id"`
		}
		raw := bytes.TrimLeft(w.body[before:w.decoder.InputOffset()], ", \t\r\n")
		if err := json.Unmarshal(raw, &named); err == nil && named.ID != "" {
			w.locked = append(w.locked, key+"."+named.ID)
		}
	}
	return w.end(key)
}

func (w *walker) end(key string) error {
	if _, err := w.decoder.Token(); err != nil {
		return w.fail(key, "is not JSON: "+err.Error())
	}
	return nil
}

func (w *walker) scalar(key string, token json.Token, kind reflect.Type) error {
	fits := false
	switch value := token.(type) {
	case string:
		fits = kind.Kind() == reflect.String
	case bool:
		fits = kind.Kind() == reflect.Bool
	case float64:
		fits = kind.Kind() == reflect.Float64 || kind.Kind() == reflect.Int && value == float64(int(value))
	}
	if !fits {
		return w.fail(key, "must be "+kindNames[kind.Kind()])
	}
	w.locked = append(w.locked, key)
	return nil
}

var kindNames = map[reflect.Kind]string{
	reflect.String: "a text", reflect.Bool: "true or false",
	reflect.Int: "a whole number", reflect.Float64: "a number",
}

func fieldNamed(kind reflect.Type, name string) (reflect.Type, bool) {
	for i := range kind.NumField() {
		tag, _, _ := strings.Cut(kind.Field(i).Tag.Get("json"), ",")
		if tag == name {
			return kind.Field(i).Type, true
		}
	}
	return nil, false
}
