// Package client uses servers of the Model Context Protocol: programs of others on this machine,
// and services on the network. It knows the protocol, and what a server may do wrong; which
// server may be used, and for what, its caller decides.
//
// A server gets no capability of the client: it can't ask for a model, for folders, or ask the
// user.
package client

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"errand/host/tool"
	"errand/planner/message"
)

const (
	// maxMessage is the most bytes of one message of a server.
	maxMessage = 16 << 20
	// maxUnasked is the most bytes that a server may send between two calls.
	maxUnasked = 64 << 20
	// connectTimeout bounds the start of a server and its list of tools.
	connectTimeout = 30 * time.Second
	// maxStarts is how often a server is started in startsWithin.
	maxStarts    = 5
	startsWithin = time.Minute
	// listedFor is how long a list of tools counts as current where the server can't tell of changes. A
	// call reads it again all the same.
	listedFor = time.Minute
)

// Codes of errors.
const (
	CodeUnavailable = "mcp_unavailable"        // it can't be started or reached
	CodeRestarts    = "mcp_restarts"           // it ended too often
	CodeLost        = "mcp_connection_lost"    // during a call
	CodeChanged     = "definition_changed"     // the tool is not what the user agreed to
	CodeFailed      = "mcp_tool_failed"        // the tool says so
	CodeAnswer      = "mcp_bad_answer"         // it can't be used
	CodeInput       = "mcp_asked_for_input"    // it wants an answer of the user or a model
	CodeFlooded     = "mcp_sent_too_much"      // too much
	CodeProtocol    = "mcp_protocol_error"     // JSON-RPC
	CodeNoAnswer    = "mcp_no_answer_in_time"  // the start took too long
	CodeClosed      = "mcp_closed"             // the program ends
	CodeBadRequest  = "mcp_arguments_rejected" // the server rejected the arguments
)

// Options describe a server.
type Options struct {
	Name    string // as the user calls it
	Version string // of this program
	// Open opens a connection. It is called at the first use and after the last connection ended.
	Open func(ctx context.Context) (Connection, error)
}

// Server is a server, which is connected when it is used. It may be used by several goroutines
// at once. Close ends it.
type Server struct {
	o      Options
	ending context.Context
	end    context.CancelFunc
	waits  sync.WaitGroup // for the goroutines of sessions

	lock   chan struct{} // holds one element while free; guards the fields below
	now    *session
	starts []time.Time
}

// session is a connection in use.
type session struct {
	*mcp.ClientSession
	Connection
	stale  *atomic.Bool // the list of tools has changed
	listed time.Time
	tools  []Definition
	over   chan struct{} // closed when the connection has ended
}

// New returns a server. It opens nothing.
func New(o Options) *Server {
	s := &Server{o: o, lock: make(chan struct{}, 1)}
	s.ending, s.end = context.WithCancel(context.Background())
	s.lock <- struct{}{}
	return s
}

// Close ends the connection and the server's process. Calls under way fail.
func (s *Server) Close() error {
	s.end()
	<-s.lock
	defer func() { s.lock <- struct{}{} }()
	s.drop()
	s.waits.Wait()
	return nil
}

// drop ends the connection. The caller holds the lock.
func (s *Server) drop() {
	if s.now == nil {
		return
	}
	s.now.close()
	s.now = nil
}

// close ends a session. The process goes first, because closing a connection waits for it.
func (c *session) close() {
	c.stop()
	_ = c.Close()
}

// Definitions returns the tools of the server, sorted by name. It connects to it if necessary.
func (s *Server) Definitions(ctx context.Context) ([]Definition, error) {
	c, err := s.use(ctx, true)
	if err != nil {
		return nil, err
	}
	return slices.Clone(c.tools), nil
}

// IsConnected reports whether the server is running or connected now.
func (s *Server) IsConnected() bool {
	select {
	case <-s.lock:
		defer func() { s.lock <- struct{}{} }()
		return s.now != nil && !s.now.isOver()
	default: // it is being connected
		return true
	}
}

func (c *session) isOver() bool {
	select {
	case <-c.over:
		return true
	default:
		return false
	}
}

// use returns the session with a current list of tools. fresh: the list is read again even if
// nothing says that it has changed.
func (s *Server) use(ctx context.Context, fresh bool) (*session, error) {
	select {
	case <-s.lock:
		defer func() { s.lock <- struct{}{} }()
	case <-ctx.Done():
		return nil, tool.AsError(ctx.Err())
	}
	if s.ending.Err() != nil {
		return nil, tool.UnavailableError(CodeClosed, message.New("mcp.closed", "server", s.o.Name))
	}
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	stop := context.AfterFunc(s.ending, cancel)
	defer stop()
	if s.now != nil && s.now.isOver() {
		s.drop()
	}
	if s.now == nil {
		fresh = true
		if err := s.connect(ctx); err != nil {
			return nil, s.explain(ctx, err)
		}
	}
	c := s.now
	if !fresh && !c.stale.Load() && (c.tells || time.Since(c.listed) < listedFor) {
		return c, nil
	}
	c.stale.Store(false)
	c.sent.reset()
	tools, err := list(ctx, c.ClientSession)
	if errors.Is(err, mcp.ErrSessionMissing) { // the service was started again
		s.drop()
		if err = s.connect(ctx); err == nil {
			c = s.now
			tools, err = list(ctx, c.ClientSession)
		}
	}
	if err != nil {
		err = s.explain(ctx, err)
		s.drop() // what a server that can't list its tools does is not known
		return nil, err
	}
	next := *c // callers may hold the earlier one
	next.tools, next.listed = tools, time.Now()
	s.now = &next
	return s.now, nil
}

// useNow is use for a call: where a server can't tell of changes, the list is read again, so that no
// tool is called whose definition has changed.
func (s *Server) useNow(ctx context.Context) (*session, error) {
	began := time.Now()
	c, err := s.use(ctx, false)
	if err != nil || c.tells || !c.listed.Before(began) {
		return c, err
	}
	return s.use(ctx, true)
}

// forget drops a session whose server no longer knows it.
func (s *Server) forget(c *session) {
	<-s.lock
	defer func() { s.lock <- struct{}{} }()
	if s.now != nil && s.now.ClientSession == c.ClientSession {
		s.drop()
	}
}

// connect opens a connection. The caller holds the lock.
func (s *Server) connect(ctx context.Context) error {
	s.starts = slices.DeleteFunc(s.starts, func(t time.Time) bool { return time.Since(t) > startsWithin })
	if len(s.starts) >= maxStarts {
		return tool.NewError(tool.ToolUnavailable, CodeRestarts, message.New("mcp.restarts", "server", s.o.Name, "count", maxStarts))
	}
	s.starts = append(s.starts, time.Now())
	opened, err := s.o.Open(ctx)
	if err != nil {
		return err
	}
	c := &session{Connection: opened, stale: &atomic.Bool{}, over: make(chan struct{})}
	o := &mcp.ClientOptions{
		Logger: slog.New(slog.DiscardHandler), Capabilities: &mcp.ClientCapabilities{},
		MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true},
	}
	if opened.tells {
		o.ToolListChangedHandler = func(context.Context, *mcp.ToolListChangedRequest) { c.stale.Store(true) }
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "errand", Title: "Errand", Version: s.o.Version}, o)
	// The connection outlives the call that opens it.
	alive, cancel := context.WithCancel(context.WithoutCancel(ctx))
	late := context.AfterFunc(ctx, cancel)
	c.ClientSession, err = client.Connect(alive, opened.transport, nil)
	if late() && err == nil {
		c.stop = joinStops(opened.stop, cancel)
		s.now = c
		s.waits.Go(func() {
			_ = c.Wait()
			close(c.over)
			c.stop()
		})
		return nil
	}
	cancel()
	if err == nil {
		err = context.Cause(ctx)
	}
	lost := s.describe(ctx, err, opened)
	if opened.stop != nil {
		opened.stop()
	}
	if c.ClientSession != nil {
		_ = c.Close()
	}
	return lost
}

func joinStops(stops ...func()) func() {
	return func() {
		for _, stop := range stops {
			if stop != nil {
				stop()
			}
		}
	}
}

// explain describes an error of the current connection. The caller holds the lock.
func (s *Server) explain(ctx context.Context, err error) error {
	if s.now == nil {
		return s.describe(ctx, err, Connection{})
	}
	return s.describe(ctx, err, s.now.Connection)
}

// describe makes the typed error of a server that can't be used.
func (s *Server) describe(ctx context.Context, err error, c Connection) error {
	if e, ok := errors.AsType[*tool.Error](err); ok {
		return e
	}
	var e *tool.Error
	switch {
	case s.ending.Err() != nil:
		e = tool.UnavailableError(CodeClosed, message.New("mcp.closed", "server", s.o.Name))
	case c.sent.isOver():
		e = tool.NewError(tool.ExecutionError, CodeFlooded, message.New("mcp.sent_too_much", "server", s.o.Name, "limit", maxUnasked))
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		e = tool.NewError(tool.ToolTimeout, CodeNoAnswer, message.New("mcp.no_answer", "server", s.o.Name))
	case ctx.Err() != nil:
		return tool.AsError(ctx.Err())
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, mcp.ErrConnectionClosed):
		e = tool.NewError(tool.ToolUnavailable, CodeUnavailable, message.New("mcp.ended", "server", s.o.Name))
	default:
		e = tool.NewError(tool.ToolUnavailable, CodeUnavailable, message.New("mcp.unavailable", "server", s.o.Name, "cause", clipped(err.Error())))
	}
	if c.explain != nil {
		e.Details = c.explain()
	}
	return e
}
