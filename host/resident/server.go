package resident

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"errand/host/tool"
	"errand/planner/message"
)

// Limits of a server.
const (
	maxConnections = 32
	greetTimeout   = 5 * time.Second // until a client has said what it wants
	writeTimeout   = 10 * time.Second
	signOfLife     = 5 * time.Second // pause between signs of life during a call
	callTimeout    = time.Hour       // one call, with all of its holds
	endTimeout     = 10 * time.Second
)

// Handler does what clients ask for.
type Handler interface {
	// Handle answers one request. It returns soon after ctx is done. Several goroutines may call
	// it at once.
	Handle(ctx context.Context, r Request, e Events) Answer
	// Browser returns the product of the running browser, or "", and the number of its pages. A
	// process with pages is not idle.
	Browser() (product string, pages int)
}

// ServerOptions configure a server. [Listen] rejects the zero value, because it has no place
// and no handler.
type ServerOptions struct {
	Place    Place
	Identity Identity
	Handler  Handler
	// InUse reports whether the process is needed though it has no call and no page. Nil: it is not.
	InUse func() bool
	Idle  time.Duration // time without a call and a page after which the server ends; 0: never
	Log   *slog.Logger  // nil: nothing is logged

	peer func(*net.UnixConn) (uid int, err error) // who is at the other end; nil: as the system says
}

// Server is a listening process. [Server.Serve] answers clients until the process has to end.
type Server struct {
	o        ServerOptions
	lock     *flock.Flock
	listener *net.UnixListener
	since    time.Time
	replaced bool // the process before this one was killed
	activity *activity
	slots    chan struct{} // one for each connection

	stop    context.CancelCauseFunc
	stopped context.Context
	serving sync.WaitGroup

	mu       sync.Mutex
	answered bool       // a call has been made, so that replaced was reported
	farewell []net.Conn // of clients that wait for the end of the process
}

// ErrRunning means that another process of the user serves at the place.
var ErrRunning = message.Error("resident.running")

// Why a server ends.
var (
	errIdle    = errors.New("idle")
	errOrdered = errors.New("ordered")
)

// Listen takes the place of the user's process. If another process has it, the error is
// [ErrRunning]. The caller calls Serve and then Close.
func Listen(o ServerOptions) (*Server, error) {
	if o.Handler == nil {
		return nil, message.Error("resident.no_place")
	}
	if err := o.Place.prepare(); err != nil {
		return nil, err
	}
	if o.peer == nil {
		o.peer = peerUser
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{o: o, since: time.Now(), activity: newActivity(), slots: make(chan struct{}, maxConnections)}
	s.lock = flock.New(o.Place.lock(), flock.SetPermissions(0o600))
	mine, err := s.lock.TryLock() // released when the process ends, even if it crashes
	if err != nil {
		return nil, err
	}
	if !mine {
		return nil, errors.Join(ErrRunning, s.lock.Close())
	}
	if err := s.listen(); err != nil {
		return nil, errors.Join(err, s.lock.Close())
	}
	s.stopped, s.stop = context.WithCancelCause(context.Background())
	return s, nil
}

// listen makes the socket and the mark. Ones that are there are from a process that was killed,
// because the lock is free.
func (s *Server) listen() error {
	at := s.o.Place.Socket()
	if err := os.Remove(at); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	s.replaced = s.o.Place.isMarked()
	if err := os.WriteFile(s.o.Place.mark(), []byte(strconv.Itoa(os.Getpid())+"\n"), 0o600); err != nil {
		return err
	}
	var err error
	s.listener, err = net.ListenUnix("unix", &net.UnixAddr{Name: at, Net: "unix"})
	if err != nil {
		return err
	}
	if err := os.Chmod(at, 0o600); err != nil { // the folder is private anyway
		return errors.Join(err, s.listener.Close())
	}
	return nil
}

// Serve answers clients until ctx is done, a client orders the end, or the process was idle for
// long enough. It returns after the last call has ended.
func (s *Server) Serve(ctx context.Context) error {
	unwatch := context.AfterFunc(ctx, func() { s.stop(context.Canceled) })
	defer unwatch()
	s.serving.Go(func() {
		if s.o.Idle > 0 && s.activity.waitIdle(s.stopped, s.o.Idle, s.isInUse) {
			s.stop(errIdle)
		}
	})
	context.AfterFunc(s.stopped, func() { _ = s.listener.Close() })
	s.o.Log.Info("start", "pid", os.Getpid(), "program", s.o.Identity.Program)
	for {
		c, err := s.listener.AcceptUnix()
		if err != nil {
			if s.stopped.Err() == nil { // no more files, for example
				s.o.Log.Warn("accept", "error", err)
				select {
				case <-time.After(100 * time.Millisecond):
				case <-s.stopped.Done():
				}
				continue
			}
			break
		}
		select {
		case s.slots <- struct{}{}:
			s.serving.Go(func() {
				defer func() { <-s.slots }()
				if !s.serve(c) {
					_ = c.Close()
				}
			})
		default: // too many: the client goes on without the process
			_ = c.Close()
		}
	}
	s.serving.Wait()
	s.o.Log.Info("end", "reason", context.Cause(s.stopped))
	return nil
}

// Close releases the place. Clients that wait for the end of the process learn of it when the
// process exits.
func (s *Server) Close() error {
	s.stop(context.Canceled)
	s.serving.Wait()
	err := errors.Join(s.listener.Close(), os.Remove(s.o.Place.mark()))
	if errors.Is(err, net.ErrClosed) || errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, s.lock.Close())
}

func (s *Server) isInUse() bool {
	_, pages := s.o.Handler.Browser()
	return pages > 0 || s.o.InUse != nil && s.o.InUse()
}

// status describes the process.
func (s *Server) status() Status {
	product, pages := s.o.Handler.Browser()
	calls, idle := s.activity.state()
	if s.isInUse() {
		idle = 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return Status{
		Protocol: protocol, Identity: s.o.Identity, PID: os.Getpid(), Since: s.since, Browser: product, Pages: pages, Calls: calls,
		IdleSeconds: int(idle.Seconds()), Replaced: s.replaced && !s.answered,
	}
}

// serve serves one connection. It returns true if the connection stays open until the end of
// the process.
func (s *Server) serve(c *net.UnixConn) (stays bool) {
	if uid, err := s.o.peer(c); err != nil || uid != os.Geteuid() {
		s.o.Log.Warn("refuse", "uid", uid, "error", err)
		return false
	}
	_ = c.SetDeadline(time.Now().Add(greetTimeout))
	in := bufio.NewReader(c)
	var from hello
	if err := readFrame(in, &from, maxGreeting, false); err != nil {
		return false
	}
	if err := writeFrame(c, s.status(), maxGreeting); err != nil {
		return false
	}
	var r Request
	if err := readFrame(in, &r, maxRequest, true); err != nil {
		return false
	}
	_ = c.SetDeadline(time.Time{})
	out := &eventWriter{conn: c}
	if err := r.check(); err != nil {
		_ = out.answer(Answer{Err: tool.NewError(tool.ValidationError, "bad_request", message.FromError(err))})
		return false
	}
	switch r.Do {
	case DoStop:
		return s.end(c, out)
	case DoRetire:
		if !s.activity.close() {
			_ = out.answer(Answer{Err: busyError()})
			return false
		}
		return s.end(c, out)
	}
	if !s.activity.begin() {
		_ = out.answer(Answer{Err: endingError()})
		return false
	}
	defer s.activity.end()
	s.call(c, in, out, r)
	return false
}

// end tells a client that the process ends. The client reads the end of the connection when the
// process has ended.
func (s *Server) end(c net.Conn, out *eventWriter) (stays bool) {
	s.activity.close()
	if out.answer(Answer{}) != nil {
		return false
	}
	s.mu.Lock()
	s.farewell = append(s.farewell, c)
	s.mu.Unlock()
	s.stop(errOrdered)
	return true
}

// call makes the call of a client and cancels it when the client is gone.
func (s *Server) call(c net.Conn, in *bufio.Reader, out *eventWriter, r Request) {
	ctx, cancel := context.WithTimeout(s.stopped, callTimeout)
	defer cancel()
	gone := make(chan struct{})
	go func() { // ends with the connection
		defer close(gone)
		_, _ = in.ReadByte() // a client says nothing more
		cancel()
	}()
	answered := make(chan Answer, 1)
	go func() { answered <- s.handle(ctx, r, out) }()
	tick := time.NewTicker(signOfLife)
	defer tick.Stop()
	var a Answer
	for waiting := true; waiting; {
		select {
		case a = <-answered:
			waiting = false
		case <-tick.C:
			if out.send(event{}) != nil {
				cancel()
			}
		}
	}
	if r.Do == DoOpen || r.Do == DoCall {
		s.mu.Lock()
		s.answered = true
		s.mu.Unlock()
	}
	_ = out.answer(a)
	_ = c.Close()
	<-gone
}

// handle is the handler's. A panic fails the call, not the process with the user's pages.
func (s *Server) handle(ctx context.Context, r Request, out *eventWriter) (a Answer) {
	defer func() {
		if p := recover(); p != nil {
			s.o.Log.Error("panic", "request", string(r.Do), "tool", r.Call.Tool, "panic", p)
			a = Answer{Err: tool.NewError(tool.ExecutionError, "resident_panic", message.New("resident.panic")), Result: tool.Result{Partial: true}}
		}
	}()
	return s.o.Handler.Handle(ctx, r, Events{Note: out.note, Hold: out.hold})
}

func busyError() *tool.Error {
	return tool.NewError(tool.ToolUnavailable, codeBusy, message.New("resident.busy"))
}

func endingError() *tool.Error {
	return tool.NewError(tool.ToolUnavailable, codeEnding, message.New("resident.ending"))
}
