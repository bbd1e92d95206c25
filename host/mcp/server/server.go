// Package server speaks the Model Context Protocol to clients, over standard input and output or over
// HTTP. It knows the protocol; what the tools are and do is the caller's.
package server

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// MaxMessage is the most bytes of one message of a client.
	MaxMessage = 4 << 20
	// refreshEach is how often a server looks whether its tools have changed.
	refreshEach = 5 * time.Second
	// lastCalls is how long calls may still take when their client has closed its connection.
	lastCalls = 5 * time.Second
	settle    = 50 * time.Millisecond
)

// Tool is a tool as clients see it.
type Tool struct {
	Name        string // [A-Za-z0-9_-]{1,64}
	Alias       string // another name that calls may use; empty: none
	Title       string
	Description string
	Schema      json.RawMessage // of its arguments, of type object
	ReadOnly    bool            // it changes nothing
	Destructive bool            // it may delete or overwrite something
	Idempotent  bool            // the same call again has no further effect
	OpenWorld   bool            // it reaches something outside of this machine, or text of others
}

// Result is the result of a call.
type Result struct {
	Text       string
	Structured any // the same as plain JSON values; nil: none
	IsError    bool
}

// Session is what a server asks for one client. Its methods may be called by several goroutines at
// once.
type Session interface {
	// Call calls a tool by its Name. args is as the client sent it, and may be empty. progress, which
	// may be nil, hears numbers that grow.
	Call(ctx context.Context, name string, args json.RawMessage, progress func(done float64, text string)) Result
	// Close ends the session. Calls under way are interrupted.
	Close()
}

// Options configure a [Server].
type Options struct {
	Name, Title, Version, Instructions string

	Tools func(context.Context) ([]Tool, error)
	Open  func(client string) Session // client is the name that it gives itself
	Log   *slog.Logger                // gets no contents of messages
}

// Server serves clients. Close it after the last of them.
type Server struct {
	o   Options
	mcp *mcp.Server

	mu       sync.Mutex
	tools    map[string]string // the offered tools by name, as JSON
	aliases  map[string]string // names by aliases
	sessions map[*mcp.ServerSession]Session
	waits    sync.WaitGroup // for the ends of the sessions and of watch
	stop     context.CancelFunc

	requests atomic.Int64 // under way
}

// New returns a server, which looks for changes of its tools until it is closed. The error is that of
// the list of tools.
func New(ctx context.Context, o Options) (*Server, error) {
	s := &Server{o: o, tools: map[string]string{}, aliases: map[string]string{}, sessions: map[*mcp.ServerSession]Session{}}
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: o.Name, Title: o.Title, Version: o.Version}, &mcp.ServerOptions{
		Instructions: o.Instructions, Logger: o.Log,
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{ListChanged: true}},
	})
	s.mcp.AddReceivingMiddleware(s.receive)
	if err := s.refresh(ctx); err != nil {
		return nil, err
	}
	watched, stop := context.WithCancel(context.WithoutCancel(ctx))
	s.stop = stop
	s.waits.Go(func() { s.watch(watched) })
	return s, nil
}

// watch looks for changes of the tools until the server is closed.
func (s *Server) watch(ctx context.Context) {
	look := time.NewTicker(refreshEach)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
			if err := s.refresh(ctx); err != nil && ctx.Err() == nil {
				s.o.Log.Warn("tools/list", "error", err)
			}
		}
	}
}

// ServeStdio serves one client until it closes the connection, or ctx ends.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	inner, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	ended := make(chan error, 1)
	var isOver atomic.Bool // the client has closed the connection
	go func() {
		ended <- s.mcp.Run(inner, &mcp.IOTransport{Reader: drainingReader{in, func() { isOver.Store(true); s.drain(inner) }}, Writer: keptOpen{out, &isOver}, MaxLineLength: MaxMessage})
	}()
	select {
	case err := <-ended:
		s.Close()
		if isOver.Load() { // its answers may have nowhere to go
			return nil
		}
		return err
	case <-ctx.Done():
		s.endSessions()
		cancel()
		<-ended
		s.Close()
		return nil
	}
}

// drain waits until the requests under way have their answers, or for a while, and then interrupts
// their calls.
func (s *Server) drain(ctx context.Context) {
	late := time.NewTimer(lastCalls)
	defer late.Stop()
	look := time.NewTicker(settle)
	defer look.Stop()
	for idle := 0; idle < 2; { // a request may have been read and not begun
		select {
		case <-look.C:
			idle++
			if s.requests.Load() > 0 {
				idle = 0
			}
		case <-late.C:
			s.endSessions()
			return
		case <-ctx.Done():
			return
		}
	}
}

// drainingReader calls drain before it reports the end of its input.
type drainingReader struct {
	io.Reader
	drain func()
}

func (r drainingReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if n == 0 && err != nil {
		r.drain()
	}
	return n, err
}

// Close leaves the input to its owner.
func (r drainingReader) Close() error { return nil }

// keptOpen is an output that its owner closes. It notes that the client doesn't read any more.
type keptOpen struct {
	io.Writer
	isOver *atomic.Bool
}

func (w keptOpen) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil {
		w.isOver.Store(true)
	}
	return n, err
}

func (keptOpen) Close() error { return nil }

// Close ends all sessions and waits for their ends.
func (s *Server) Close() {
	s.stop()
	s.endSessions()
	for session := range s.mcp.Sessions() {
		_ = session.Close()
	}
	s.waits.Wait()
}

// endSessions ends the sessions, so that calls under way return.
func (s *Server) endSessions() {
	s.mu.Lock()
	all := make([]Session, 0, len(s.sessions))
	for _, session := range s.sessions {
		all = append(all, session)
	}
	s.mu.Unlock()
	for _, session := range all {
		session.Close()
	}
}

// session returns the session of a request's client, which the first request opens.
func (s *Server) session(req *mcp.CallToolRequest) Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	if held, ok := s.sessions[req.Session]; ok {
		return held
	}
	name := ""
	if info := req.ClientInfo(); info != nil {
		name = info.Name
	}
	opened := s.o.Open(name)
	s.sessions[req.Session] = opened
	s.waits.Go(func() {
		_ = req.Session.Wait()
		opened.Close()
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.sessions, req.Session)
	})
	return opened
}

// refresh offers the tools that there are now. Clients hear of a change.
func (s *Server) refresh(ctx context.Context) error {
	list, err := s.o.Tools(ctx)
	if err != nil {
		return err
	}
	now, aliases := map[string]string{}, map[string]string{}
	for _, t := range list {
		b, err := json.Marshal(t)
		if err != nil {
			return err
		}
		now[t.Name] = string(b)
		if t.Alias != "" {
			aliases[t.Alias] = t.Name
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var gone []string
	for name := range s.tools {
		if _, still := now[name]; !still {
			gone = append(gone, name)
		}
	}
	slices.Sort(gone)
	if len(gone) > 0 {
		s.mcp.RemoveTools(gone...)
	}
	for _, t := range list {
		if s.tools[t.Name] != now[t.Name] {
			s.mcp.AddTool(describe(t), s.call)
		}
	}
	s.tools, s.aliases = now, aliases
	return nil
}
