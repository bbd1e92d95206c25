// Package pins keeps which servers of the Model Context Protocol the user agreed to, and the
// definitions of their tools as the user saw them, in mcp.lock.
package pins

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"github.com/pelletier/go-toml/v2"

	"errand/host/atomicfile"
	"errand/host/mcp/client"
	"errand/host/realpath"
	"errand/host/tool"
	"errand/planner/message"
)

// FileName is the name of the file in the data folder.
const FileName = "mcp.lock"

const (
	fileVersion = 1
	maxFile     = 64 << 20 // bytes
	fileHead    = "# Servers of the Model Context Protocol that you agreed to. Written by `errand mcp review`; don't edit.\n\n"
)

// File is the content of mcp.lock.
type File struct {
	Version int      `toml:"version"`
	Servers []Server `toml:"server"` // sorted by name
}

// Server is one server that the user agreed to.
type Server struct {
	Name     string    `toml:"name"`
	Access   string    `toml:"access"` // how it is reached and what it may use
	AgreedAt time.Time `toml:"agreed_at"`
	Tools    []Tool    `toml:"tool"` // sorted by name
}

// Tool is one tool that the user agreed to.
type Tool struct {
	Name       string `toml:"name"` // the server's own
	Class      string `toml:"class"`
	Pin        string `toml:"pin"`
	Definition string `toml:"definition"` // as JSON
}

// IsRead reports whether the user said that the tool changes nothing.
func (t Tool) IsRead() bool { return t.Class == string(tool.Read) }

// Parse returns the definition that the user saw.
func (t Tool) Parse() (client.Definition, error) {
	var d client.Definition
	if err := json.Unmarshal([]byte(t.Definition), &d); err != nil {
		return d, err
	}
	if d.Pin() != t.Pin || d.Name != t.Name {
		return d, message.Error("mcp.other_pin", "tool", t.Name)
	}
	return d, nil
}

// Pin returns the entry of a definition.
func Pin(d client.Definition, class tool.SideEffectClass) Tool {
	return Tool{Name: d.Name, Class: string(class), Pin: d.Pin(), Definition: string(d.Canonical())}
}

// Find returns the entry of a server; nil: there is none.
func (f *File) Find(name string) *Server {
	if i := slices.IndexFunc(f.Servers, func(s Server) bool { return s.Name == name }); i >= 0 {
		return &f.Servers[i]
	}
	return nil
}

// Find returns the entry of a tool by the server's own name; nil: there is none.
func (s *Server) Find(name string) *Tool {
	if s == nil {
		return nil
	}
	if i := slices.IndexFunc(s.Tools, func(t Tool) bool { return t.Name == name }); i >= 0 {
		return &s.Tools[i]
	}
	return nil
}

// Store is mcp.lock in a data folder.
type Store struct{ Dir string }

func (s Store) path() string { return filepath.Join(s.Dir, FileName) }

// Stat returns information on the file that changes with each write; nil: there is no file.
func (s Store) Stat() os.FileInfo {
	info, err := os.Stat(s.path())
	if err != nil {
		return nil
	}
	return info
}

// Read reads the file. Without one, the user agreed to no server.
func (s Store) Read() (File, error) {
	text, err := realpath.ReadFile(s.path(), maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return File{Version: fileVersion}, nil
	}
	if err != nil {
		return File{}, s.unreadable(tool.FileFault(err))
	}
	var f File
	if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&f); err != nil {
		return File{}, s.unreadable(message.FromError(err))
	}
	if f.Version != fileVersion {
		return File{}, s.unreadable(message.New("mcp.lock_version", "version", f.Version))
	}
	for _, server := range f.Servers {
		for _, t := range server.Tools {
			if _, err := t.Parse(); err != nil {
				return File{}, s.unreadable(message.FromError(err))
			}
		}
	}
	return f, nil
}

func (s Store) unreadable(cause any) error {
	return tool.UnavailableError("bad_mcp_lock", message.New("mcp.bad_lock", "path", s.path(), "cause", cause)).
		WithHint(message.New("mcp.bad_lock_hint"))
}

// Set puts an entry in place of the one with its name.
func (s Store) Set(entry Server) error {
	slices.SortFunc(entry.Tools, func(a, b Tool) int { return strings.Compare(a.Name, b.Name) })
	return s.update(func(f *File) {
		f.remove(entry.Name)
		f.Servers = append(f.Servers, entry)
		slices.SortFunc(f.Servers, func(a, b Server) int { return strings.Compare(a.Name, b.Name) })
	})
}

// Remove removes the entry of a server, if there is one.
func (s Store) Remove(name string) error {
	return s.update(func(f *File) { f.remove(name) })
}

func (f *File) remove(name string) {
	f.Servers = slices.DeleteFunc(f.Servers, func(s Server) bool { return s.Name == name })
}

// update changes the file. Another program waits meanwhile.
func (s Store) update(change func(*File)) error {
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return err
	}
	lock := flock.New(s.path()+".lock", flock.SetPermissions(0o600))
	if err := lock.Lock(); err != nil {
		return err
	}
	defer func() { _ = lock.Unlock() }()
	f, err := s.Read()
	if err != nil {
		return err
	}
	change(&f)
	b := bytes.NewBufferString(fileHead)
	if err := toml.NewEncoder(b).Encode(f); err != nil {
		return err
	}
	return atomicfile.Write(s.path(), b.Bytes(), 0o600)
}
