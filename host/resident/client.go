package resident

import (
	"bufio"
	"context"
	"errors"
	"net"
	"os"
	"time"

	"errand/host/tool"
	"errand/planner/message"
)

// Timeouts of a client.
const (
	dialTimeout  = 2 * time.Second
	startTimeout = 20 * time.Second // until a started process answers, or an old one has ended
	startPause   = 20 * time.Millisecond
	silence      = 20 * time.Second // without a sign of life of a process with a call
	// silentTimeout is how long a process that holds its place may answer nothing. A machine under load
	// needs some time.
	silentTimeout = 8 * time.Second
	maxHold       = time.Hour
)

// Codes of errors.
const (
	codeBusy   = "resident_busy"
	codeEnding = "resident_ending"
	// CodeLost is the error of a call whose process ended before it answered.
	CodeLost = "resident_lost"
)

// Client connects to the user's process and starts it on first need. The zero value finds and
// starts none. It is safe for concurrent use.
type Client struct {
	Place    Place
	Identity Identity
	// Start starts a process and returns a function that reports how it ended, or nil while it
	// runs. Nil: none is started.
	Start func() (failed func() error, err error)

	peer func(*net.UnixConn) (uid int, err error) // nil: as the system says
}

// UnavailableError is why there is no process to make a call: nothing was sent.
type UnavailableError struct{ Cause error }

func (e *UnavailableError) Error() string { return e.Cause.Error() }

// Unwrap returns the cause.
func (e *UnavailableError) Unwrap() error { return e.Cause }

// AsMessage returns why.
func (e *UnavailableError) AsMessage() message.Message {
	return message.FromError(e.Cause)
}

// silentError means that a process holds its place and does not answer: it is suspended, or hangs.
type silentError struct{ pid int }

func (e *silentError) Error() string { return e.AsMessage().String() }

// AsMessage says which process it is.
func (e *silentError) AsMessage() message.Message {
	return message.New("resident.no_answer", "pid", e.pid)
}

// IsSilent reports whether an error means that there is a process which does not answer.
func IsSilent(err error) bool {
	_, is := errors.AsType[*silentError](err)
	return is
}

// connection is a connection to a process that has greeted.
type connection struct {
	conn   *net.UnixConn
	in     *bufio.Reader
	status Status
}

// Do makes a request. It starts a process if there is none, and replaces one that is of another
// version or has other settings. started receives the status of the process before the request
// is sent; it may be nil. If nothing was sent, the error is an [UnavailableError]. If the
// process ends before it answers, the error is a *tool.Error with [CodeLost]. When ctx is done,
// the call is cancelled, and the error is that of ctx.
func (c *Client) Do(ctx context.Context, r Request, e Events, started func(Status)) (Answer, error) {
	end := time.Now().Add(startTimeout)
	for {
		at, err := c.connect(ctx, end)
		if err != nil {
			return Answer{}, c.unavailable(ctx, err)
		}
		if started != nil {
			started(at.status)
		}
		a, err := at.do(ctx, r, e)
		if err == nil && a.Err != nil && a.Err.Code == codeEnding && time.Now().Before(end) { // it ended in between
			if pause(ctx) != nil {
				return Answer{}, ctx.Err()
			}
			continue
		}
		return a, err
	}
}

func (c *Client) unavailable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &UnavailableError{err}
}

// Ask is Do for a process that runs already, of any version and settings. Without one, the
// error is an [UnavailableError].
func (c *Client) Ask(ctx context.Context, r Request) (Answer, Status, error) {
	at, err := c.dial(ctx)
	if err != nil {
		return Answer{}, Status{}, c.unavailable(ctx, err)
	}
	a, err := at.do(ctx, r, Events{})
	return a, at.status, err
}

// Status returns the status of the running process. Without one, the error is an
// [UnavailableError].
func (c *Client) Status(ctx context.Context) (Status, error) {
	at, err := c.dial(ctx)
	if err != nil {
		return Status{}, c.unavailable(ctx, err)
	}
	return at.status, at.conn.Close()
}

// Stop ends the running process with its browser, and waits until it has ended. It returns
// false if there is none. A process that does not answer is an error.
func (c *Client) Stop(ctx context.Context) (bool, error) {
	at, err := c.dial(ctx)
	if IsSilent(err) {
		return false, err
	}
	if err != nil {
		return false, ctx.Err()
	}
	if err := at.order(ctx, DoStop); err != nil {
		return true, err
	}
	return true, at.awaitEnd(ctx)
}

// WasKilled reports whether the last process was killed, and none runs now.
func (c *Client) WasKilled(ctx context.Context) bool {
	if c == nil || !c.Place.isMarked() {
		return false
	}
	_, err := c.Status(ctx)
	_, none := errors.AsType[*UnavailableError](err)
	return none && !IsSilent(err)
}

// Matches reports whether a process runs that a call can use as it is.
func (c *Client) Matches(ctx context.Context) bool {
	s, err := c.Status(ctx)
	return err == nil && s.Protocol == protocol && s.Identity == c.Identity
}

// connect connects to a process with the client's identity. It ends another one if it can, and
// starts one if there is none.
func (c *Client) connect(ctx context.Context, end time.Time) (*connection, error) {
	var failed func() error
	var silentUntil time.Time
	for {
		at, err := c.dial(ctx)
		if IsSilent(err) { // another start would find the place taken
			if silentUntil.IsZero() {
				silentUntil = time.Now().Add(silentTimeout)
			}
			if time.Now().After(silentUntil) {
				return nil, err
			}
			continue
		}
		if err == nil && at.status.Protocol == protocol && at.status.Identity == c.Identity {
			return at, nil
		}
		switch {
		case err == nil && failed != nil: // the one that was started has other settings
			_ = at.conn.Close()
			return nil, message.Error("resident.other_settings")
		case err == nil:
			if err := at.order(ctx, DoRetire); err != nil {
				return nil, err
			}
			if err := at.awaitEnd(ctx); err != nil {
				return nil, err
			}
		case c.Start == nil || errors.Is(err, errOtherUser):
			return nil, err
		case failed == nil:
			if failed, err = c.Start(); err != nil {
				return nil, err
			}
		default:
			if err := failed(); err != nil && !errors.Is(err, ErrRunning) {
				return nil, err
			} else if err != nil { // another start was faster, or an old process is ending
				failed = nil
			}
		}
		if time.Now().After(end) {
			return nil, message.Error("resident.start_timeout", "limit", startTimeout)
		}
		if err := pause(ctx); err != nil {
			return nil, err
		}
	}
}

func pause(ctx context.Context) error {
	select {
	case <-time.After(startPause):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

var errOtherUser = message.Error("resident.other_user")

// dial connects to a running process and reads its greeting.
func (c *Client) dial(ctx context.Context) (*connection, error) {
	if c == nil || c.Place == (Place{}) {
		return nil, message.Error("resident.no_place")
	}
	dialer := net.Dialer{Timeout: dialTimeout}
	conn, err := dialer.DialContext(ctx, "unix", c.Place.Socket())
	if err != nil {
		return nil, err
	}
	at := &connection{conn: conn.(*net.UnixConn)}
	peer := c.peer
	if peer == nil {
		peer = peerUser
	}
	if uid, err := peer(at.conn); err != nil || uid != os.Geteuid() {
		return nil, errors.Join(errOtherUser, err, conn.Close())
	}
	at.in = bufio.NewReader(at.conn)
	_ = at.conn.SetDeadline(time.Now().Add(dialTimeout))
	forget := context.AfterFunc(ctx, func() { _ = at.conn.SetDeadline(time.Unix(1, 0)) })
	defer forget()
	err = writeFrame(at.conn, hello{protocol, c.Identity}, maxGreeting)
	if err == nil {
		err = readFrame(at.in, &at.status, maxGreeting, false)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) && ctx.Err() == nil {
		_ = conn.Close()
		return nil, &silentError{c.Place.pid()}
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return at, nil
}

// order asks the process to end. It keeps the connection.
func (at *connection) order(ctx context.Context, do Do) error {
	a, err := at.exchange(ctx, Request{Do: do}, Events{})
	if err == nil && a.Err != nil {
		err = a.Err
	}
	if err != nil {
		_ = at.conn.Close()
	}
	return err
}

// awaitEnd waits until the process has ended.
func (at *connection) awaitEnd(ctx context.Context) error {
	defer at.conn.Close()
	_ = at.conn.SetReadDeadline(time.Now().Add(startTimeout))
	forget := context.AfterFunc(ctx, func() { _ = at.conn.SetReadDeadline(time.Unix(1, 0)) })
	defer forget()
	var err error
	for err == nil { // signs of life
		_, err = at.in.ReadByte()
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return message.Error("resident.not_ended", "pid", at.status.PID)
	}
	return nil
}

// do makes a request and closes the connection.
func (at *connection) do(ctx context.Context, r Request, e Events) (Answer, error) {
	defer at.conn.Close()
	return at.exchange(ctx, r, e)
}

func (at *connection) exchange(ctx context.Context, r Request, e Events) (Answer, error) {
	forget := context.AfterFunc(ctx, func() { _ = at.conn.Close() }) // cancels the call
	defer forget()
	_ = at.conn.SetDeadline(time.Now().Add(silence))
	err := writeFrame(at.conn, r, maxRequest)
	holds := map[int]func(){}
	defer func() {
		for _, release := range holds {
			release()
		}
	}()
	for err == nil {
		_ = at.conn.SetDeadline(time.Now().Add(silence))
		var got event
		if err = readFrame(at.in, &got, maxEvent, true); err != nil {
			break
		}
		switch {
		case got.Answer != nil:
			var a Answer
			if a, err = readAnswer(at.in, *got.Answer); err == nil {
				return a, nil
			}
		case got.Note != nil && e.Note != nil:
			if n, ok := got.Note.unpack(); ok {
				e.Note(n)
			}
		case got.Hold > 0 && e.Hold != nil && holds[got.Hold] == nil && len(holds) < maxConnections:
			holds[got.Hold] = e.Hold()
		case got.Release > 0 && holds[got.Release] != nil:
			holds[got.Release]()
			delete(holds, got.Release)
		}
	}
	if ctx.Err() != nil {
		return Answer{}, ctx.Err()
	}
	lost := tool.NewError(tool.ExecutionError, CodeLost, message.New("resident.lost", "cause", err)).WithHint(message.New("resident.lost_hint"))
	lost.Retriable = false
	return Answer{}, lost
}
