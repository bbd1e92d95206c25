// Package servers lets the program use servers of the Model Context Protocol, which errand.toml names
// as [mcp.servers.NAME]. The user agrees once to each of them, with the class of every tool. A tool
// whose definition has changed since can't be called until the user has reviewed it.
//
// A server is started or connected at the first call of one of its tools, and ends with the
// program.
package servers

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"

	"errand/app/config"
	"errand/host/mcp/client"
	"errand/host/mcp/pins"
	"errand/host/tool"
	"errand/planner/message"
	"errand/policy/glob"
)

// Options are what a [Set] needs of the program.
type Options struct {
	Config  *config.Loaded
	Env     []string // of the program, in the form of os.Environ
	Version string   // of the program
	Now     func() time.Time
	// Client returns what reaches services that have these hosts alone. It enforces policy and
	// records connections.
	Client func(caller string, hosts []string) (*http.Client, error)
	// Taken reports that tools of others have names that begin with name and a dot.
	Taken func(name string) bool
	// LookPath finds a program by its name, and refuses one that tools may change.
	LookPath func(name string) (string, error)
	// AddSecret keeps a value out of records and messages.
	AddSecret func(value string)
	// AddCloser registers what ends the servers.
	AddCloser func(closer func() error)
}

// Set is the servers of the configuration. It may be used by several goroutines at once.
type Set struct {
	o     Options
	store pins.Store

	mu      sync.Mutex
	servers map[string]*client.Server // by name, those that were used
	read    bool
	file    pins.File
	info    os.FileInfo // of the file when it was read
}

// New makes a set. It reads and starts nothing.
func New(o Options) *Set {
	s := &Set{o: o, store: pins.Store{Dir: o.Config.Paths.Data}, servers: map[string]*client.Server{}}
	return s
}

// Tools implements [tool.Source]: the tools that the user agreed to, of servers that are enabled. It
// starts no server.
func (s *Set) Tools(context.Context) ([]tool.Tool, error) {
	if len(s.o.Config.MCP.Servers) == 0 {
		return nil, nil
	}
	file, err := s.lock()
	if err != nil {
		return nil, nil //nolint:nilerr // the program goes on without them; List says why
	}
	var all []tool.Tool
	for _, name := range s.names() {
		t := s.o.Config.MCP.Servers[name]
		agreed := file.Find(name)
		if !t.IsEnabled() || agreed == nil || agreed.Access != t.Access() || s.o.Taken(name) {
			continue
		}
		for _, pinned := range agreed.Tools {
			if made := s.tool(name, t, pinned); made != nil && Includes(t.Tools, pinned.Name) {
				all = append(all, made)
			}
		}
	}
	return all, nil
}

func (s *Set) names() []string { return slices.Sorted(maps.Keys(s.o.Config.MCP.Servers)) }

// Includes reports whether globs of tools' own names include one. No globs include all.
func Includes(globs []string, name string) bool {
	return len(globs) == 0 || slices.ContainsFunc(globs, func(g string) bool { return glob.Match(g, name) })
}

// lock returns the content of mcp.lock, which another program may change.
func (s *Set) lock() (pins.File, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	info := s.store.Stat()
	if s.read && isSameFile(info, s.info) {
		return s.file, nil
	}
	file, err := s.store.Read()
	if err != nil {
		return file, err
	}
	s.file, s.info, s.read = file, info, true
	return file, nil
}

func isSameFile(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == b
	}
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
}

// serverTool is a tool of a server.
type serverTool struct {
	set             *Set
	server, ownName string
	pin             string
	spec            tool.Spec
}

// tool makes a tool of what the user agreed to; nil: it can't be one.
func (s *Set) tool(server string, t config.ToolServer, p pins.Tool) tool.Tool {
	d, err := p.Parse()
	if err != nil {
		return nil
	}
	timeout := t.TimeoutMS
	if timeout == 0 {
		timeout = s.o.Config.Run.StepTimeoutMS
	}
	spec := d.Spec(server, p.IsRead(), timeout)
	if host := hostPattern(t.URL); host != "" {
		spec.Hosts = []string{host}
	}
	if spec.Validate() != nil {
		return nil
	}
	return &serverTool{s, server, p.Name, p.Pin, spec}
}

// Spec implements [tool.Tool].
func (t *serverTool) Spec() tool.Spec { return t.spec }

// Call implements [tool.Tool].
func (t *serverTool) Call(ctx context.Context, call tool.Call) (tool.Result, error) {
	server, err := t.set.server(t.server)
	if err != nil {
		return tool.Result{Error: tool.AsError(err)}, nil
	}
	r := server.Call(ctx, t.ownName, t.pin, call.Args)
	if len(t.spec.Hosts) == 0 {
		r.From = []string{"mcp:" + t.server}
	}
	return r, nil
}

// DeclaredEffect implements [tool.Classifier].
func (t *serverTool) DeclaredEffect(tool.Call) tool.Effect { return t.spec.Effect }

// Classify implements [tool.Classifier]: it compares the tool's definition with the one that the user
// agreed to, before anybody is asked about the call.
func (t *serverTool) Classify(ctx context.Context, _ tool.Call) (tool.Effect, error) {
	server, err := t.set.server(t.server)
	if err != nil {
		return t.spec.Effect, err
	}
	return t.spec.Effect, server.Check(ctx, t.ownName, t.pin)
}

// server returns a server of the configuration, which connects when it is used.
func (s *Set) server(name string) (*client.Server, error) {
	t, ok := s.o.Config.MCP.Servers[name]
	if !ok {
		return nil, unknownServer(name, s.names())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if held, ok := s.servers[name]; ok {
		return held, nil
	}
	if len(s.servers) == 0 {
		s.o.AddCloser(s.close)
	}
	made := client.New(client.Options{Name: name, Version: s.o.Version, Open: s.opener(name, t)})
	s.servers[name] = made
	return made, nil
}

// close ends all servers at once.
func (s *Set) close() error {
	s.mu.Lock()
	all := slices.Collect(maps.Values(s.servers))
	s.mu.Unlock()
	errs := make([]error, len(all))
	var waits sync.WaitGroup
	for i, server := range all {
		waits.Go(func() { errs[i] = server.Close() })
	}
	waits.Wait()
	return errors.Join(errs...)
}

// unknownServer refuses a name that errand.toml doesn't have.
func unknownServer(name string, known []string) error {
	e := tool.NewError(tool.ValidationError, "unknown_server", message.New("mcp.unknown_server", "server", name))
	if near := message.Nearest(name, known); near != "" {
		return e.WithHint(message.New("mcp.unknown_server_near", "near", near))
	}
	return e.WithHint(message.New("mcp.unknown_server_hint", "servers", known))
}
