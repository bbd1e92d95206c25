package resident

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"errand/build/must"
	"errand/build/poll"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
)

// fakeBrowser is a handler whose calls a test makes.
type fakeBrowser struct {
	handle func(ctx context.Context, r Request, e Events) Answer
	pages  atomic.Int64
	calls  atomic.Int64
}

func (f *fakeBrowser) Handle(ctx context.Context, r Request, e Events) Answer {
	f.calls.Add(1)
	if f.handle == nil {
		return Answer{Result: tool.OK(map[string]any{"url": r.Call.Args["url"]})}
	}
	return f.handle(ctx, r, e)
}

func (f *fakeBrowser) Browser() (string, int) { return "Chrome/1", int(f.pages.Load()) }

// testPlace returns a place with a short path.
func testPlace(t *testing.T) Place {
	t.Helper()
	dir, err := os.MkdirTemp("", "r")
	must.Succeed(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	p, ok := FindPlace(dir, "", false)
	if !ok {
		t.Fatal("no place")
	}
	return p
}

var identity = Identity{Program: "1", Settings: "s"}

// dismiss tells the clients that wait for the end of the process, as its exit does.
func dismiss(s *Server) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.farewell {
		_ = c.Close()
	}
	s.farewell = nil
}

// serve starts a server and returns a client for it.
func serve(t *testing.T, f *fakeBrowser, change func(*ServerOptions)) (*Server, *Client) {
	t.Helper()
	o := ServerOptions{Place: testPlace(t), Identity: identity, Handler: f}
	if change != nil {
		change(&o)
	}
	s, err := Listen(o)
	must.Succeed(t, err)
	ended := make(chan error, 1)
	go func() {
		err := s.Serve(t.Context())
		err = errors.Join(err, s.Close())
		dismiss(s)
		ended <- err
	}()
	t.Cleanup(func() {
		s.stop(context.Canceled)
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return s, &Client{Place: o.Place, Identity: identity}
}

func openRequest(url string) Request {
	return Request{
		Do: DoOpen, Visit: Visit{Run: "r1", Origin: plan.UserGoal}, Caller: tool.Caller{RunID: "r1", ActionID: "a1", Tool: "open"},
		Call: tool.Call{Args: map[string]any{"url": url}},
	}
}

// TestCallAndNotes checks that a call gets its result, its notes and its holds.
func TestCallAndNotes(t *testing.T) {
	f := &fakeBrowser{handle: func(_ context.Context, r Request, e Events) Answer {
		e.Note(trace.PageNote{Event: trace.PagePopupOpened, Tab: "t2"})
		release := e.Hold()
		e.Note(trace.PluginNote{}) // no browser makes one
		release()
		release()
		return Answer{Result: tool.Result{OK: true, Payload: r.Call.Args, Artifacts: []tool.Artifact{tool.NewArtifact("a", "b", []byte("data"))}}, Egress: trace.Egress{Requests: 2}}
	}}
	_, c := serve(t, f, nil)
	var notes []trace.Note
	holds, released := 0, 0
	a, err := c.Do(t.Context(), openRequest("https://a.example/"), Events{
		Note: func(n trace.Note) { notes = append(notes, n) },
		Hold: func() func() { holds++; return func() { released++ } },
	}, nil)
	if err != nil || a.Err != nil || string(a.Result.Artifacts[0].Data) != "data" || a.Egress.Requests != 2 {
		t.Errorf("answer %+v, %v", a, err)
	}
	if len(notes) != 1 || notes[0].(trace.PageNote).Tab != "t2" || holds != 1 || released != 1 {
		t.Errorf("notes %v, %d holds, %d released", notes, holds, released)
	}
}

// TestOtherUser checks that both sides refuse another user, and one that can't be told.
func TestOtherUser(t *testing.T) {
	stranger := func(*net.UnixConn) (int, error) { return os.Geteuid() + 1, nil }
	unknown := func(*net.UnixConn) (int, error) { return -1, errors.New("unknown") }
	for _, tt := range []struct {
		name           string
		server, client func(*net.UnixConn) (int, error)
	}{
		{"a client of another user", stranger, nil},
		{"a client whose user is unknown", unknown, nil},
		{"a server of another user", nil, stranger},
		{"a server whose user is unknown", nil, unknown},
	} {
		f := &fakeBrowser{}
		_, c := serve(t, f, func(o *ServerOptions) { o.peer = tt.server })
		c.peer = tt.client
		if _, err := c.Do(t.Context(), openRequest("x"), Events{}, nil); !isUnavailable(err) || f.calls.Load() != 0 {
			t.Errorf("%s: %v after %d calls", tt.name, err, f.calls.Load())
		}
	}
}

func isUnavailable(err error) bool {
	_, is := errors.AsType[*UnavailableError](err)
	return is
}

// TestRealOtherUser connects as another user, which needs root: the kernel says who it is, even
// where the folder lets everyone in.
func TestRealOtherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	f := &fakeBrowser{}
	_, c := serve(t, f, nil)
	must.Succeed(t, os.Chmod(filepath.Dir(c.Place.dir), 0o755))
	must.Succeed(t, os.Chmod(c.Place.dir, 0o755))
	must.Succeed(t, os.Chmod(c.Place.Socket(), 0o666))
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip(err)
	}
	out, err := exec.Command(python, "-c", `import os,socket,sys
os.setuid(65534)
s=socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
try:
    s.sendall(b"\0\0\0\2{}")
    print(len(s.recv(1)))
except OSError:
    print(0)`, c.Place.Socket()).CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "0" || f.calls.Load() != 0 {
		t.Errorf("another user gets %q, %v", out, err)
	}
	if _, err := c.Status(t.Context()); err != nil {
		t.Errorf("the own user: %v", err)
	}
}

// TestPrivateFolder checks that no socket is made in a folder that others may enter or replace.
func TestPrivateFolder(t *testing.T) {
	for name, spoil := range map[string]func(dir string) error{
		"open to others": func(dir string) error { return errors.Join(os.Mkdir(dir, 0o755), os.Chmod(dir, 0o755)) },
		"a link":         func(dir string) error { return os.Symlink(t.TempDir(), dir) },
		"a file":         func(dir string) error { return os.WriteFile(dir, nil, 0o600) },
	} {
		p := testPlace(t)
		must.Succeed(t, spoil(p.dir))
		if s, err := Listen(ServerOptions{Place: p, Identity: identity, Handler: &fakeBrowser{}}); err == nil {
			t.Errorf("%s: it listens", name)
			_ = s.Close()
		}
	}
	if _, err := Listen(ServerOptions{}); err == nil {
		t.Error("zero options are accepted")
	}
	if _, err := (&Client{}).Do(t.Context(), openRequest("x"), Events{}, nil); !isUnavailable(err) {
		t.Errorf("the zero client: %v", err)
	}
}

// TestOneServer checks that a second start ends, and that a place of a killed process is taken.
func TestOneServer(t *testing.T) {
	s, c := serve(t, &fakeBrowser{}, nil)
	if _, err := Listen(ServerOptions{Place: c.Place, Identity: identity, Handler: &fakeBrowser{}}); !errors.Is(err, ErrRunning) {
		t.Errorf("a second server: %v", err)
	}
	info, err := os.Stat(c.Place.Socket())
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket has mode %v, %v", info.Mode(), err)
	}
	if st, err := c.Status(t.Context()); err != nil || st.Replaced || st.PID != os.Getpid() || !st.Since.Equal(s.since) {
		t.Errorf("status %+v, %v", st, err)
	}
	p := testPlace(t)
	must.Succeed(t, p.prepare())
	must.Succeed(t, os.WriteFile(p.mark(), []byte("1\n"), 0o600)) // as one that was killed leaves it
	must.Succeed(t, os.WriteFile(p.Socket(), nil, 0o600))
	for place, want := range map[Place]bool{p: true, c.Place: false, testPlace(t): false, {}: false} {
		if got := (&Client{Place: place, Identity: identity}).WasKilled(t.Context()); got != want {
			t.Errorf("%v was killed: %t", place, got)
		}
	}
	_, c = serve(t, &fakeBrowser{}, func(o *ServerOptions) { o.Place = p })
	for i, want := range []bool{true, false} { // it is reported until a call was made
		var got Status
		if _, err := c.Do(t.Context(), openRequest("x"), Events{}, func(s Status) { got = s }); err != nil || got.Replaced != want {
			t.Errorf("call %d: replaced %t, %v", i, got.Replaced, err)
		}
	}
	if c.WasKilled(t.Context()) {
		t.Error("the one that took the place counts as killed")
	}
}

// TestClientGone checks that the call of a client that is gone is cancelled.
func TestClientGone(t *testing.T) {
	begun, cancelled := make(chan struct{}), make(chan error, 1)
	f := &fakeBrowser{handle: func(ctx context.Context, _ Request, _ Events) Answer {
		close(begun)
		<-ctx.Done()
		cancelled <- ctx.Err()
		return Answer{}
	}}
	s, c := serve(t, f, nil)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-begun; cancel() }()
	if _, err := c.Do(ctx, openRequest("x"), Events{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("the client: %v", err)
	}
	if err := <-cancelled; !errors.Is(err, context.Canceled) {
		t.Errorf("the call: %v", err)
	}
	poll.Await(t, "the call is over", func() bool { n, _ := s.activity.state(); return n == 0 })
}

// TestServerGone checks that a call whose process dies ends with a clear error, and is not made
// again.
func TestServerGone(t *testing.T) {
	for name, die := range map[string]func(c net.Conn){
		"in silence":         func(net.Conn) {},
		"in half an answer":  func(c net.Conn) { _, _ = c.Write([]byte("\x00\x00\x01\x00{\"answer\":")) },
		"with a bad message": func(c net.Conn) { _ = writeFrame(c, map[string]any{"unknown": 1}, 100) },
	} {
		p := testPlace(t)
		must.Succeed(t, p.prepare())
		l, err := net.Listen("unix", p.Socket())
		must.Succeed(t, err)
		var requests atomic.Int64
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				var h hello
				var r Request
				_ = readFrame(c, &h, maxGreeting, false)
				_ = writeFrame(c, Status{Protocol: protocol, Identity: identity}, maxGreeting)
				if readFrame(c, &r, maxRequest, true) == nil {
					requests.Add(1)
				}
				die(c)
				_ = c.Close()
			}
		}()
		c := &Client{Place: p, Identity: identity, Start: func() (func() error, error) { t.Error("started"); return nil, ErrRunning }}
		_, err = c.Do(t.Context(), openRequest("x"), Events{}, nil)
		if e := tool.AsError(err); isUnavailable(err) || e.Code != CodeLost || e.Hint.IsZero() || requests.Load() != 1 {
			t.Errorf("%s: %v after %d requests", name, err, requests.Load())
		}
		_ = l.Close()
	}
}

// TestPanicOfCall checks that a panic fails its call alone.
func TestPanicOfCall(t *testing.T) {
	f := &fakeBrowser{}
	f.handle = func(_ context.Context, r Request, _ Events) Answer {
		if r.Call.Args["url"] == "bad" {
			panic("bad")
		}
		return Answer{Result: tool.OK(nil)}
	}
	_, c := serve(t, f, nil)
	if a, err := c.Do(t.Context(), openRequest("bad"), Events{}, nil); err != nil || a.Err == nil || a.Err.Code != "resident_panic" || !a.Result.Partial {
		t.Errorf("answer %+v, %v", a, err)
	}
	if a, err := c.Do(t.Context(), openRequest("good"), Events{}, nil); err != nil || !a.Result.OK {
		t.Errorf("after it: %+v, %v", a, err)
	}
}

// TestFloodOfConnections checks that silent and malformed connections cost the process no more
// than its limit, and that it serves again when they are over.
func TestFloodOfConnections(t *testing.T) {
	s, c := serve(t, &fakeBrowser{}, nil)
	var open []net.Conn
	for i := range 4 * maxConnections {
		conn, err := net.Dial("unix", c.Place.Socket())
		must.Succeed(t, err)
		if i%2 == 0 { // half of them say nothing
			_, _ = conn.Write([]byte("\xff\xff\xff\xffgarbage"))
		}
		open = append(open, conn)
	}
	if n := len(s.slots); n > maxConnections {
		t.Errorf("%d connections are served, at most %d", n, maxConnections)
	}
	for _, conn := range open {
		_ = conn.Close()
	}
	poll.Await(t, "it serves again", func() bool { _, err := c.Status(t.Context()); return err == nil })
	var all sync.WaitGroup
	var answered atomic.Int64
	for range maxConnections / 2 {
		all.Go(func() {
			if a, err := c.Do(t.Context(), openRequest("x"), Events{}, nil); err == nil && a.Result.OK {
				answered.Add(1)
			}
		})
	}
	all.Wait()
	if n := answered.Load(); n != maxConnections/2 {
		t.Errorf("%d calls at once were answered, want %d", n, maxConnections/2)
	}
}

// TestReplaceOtherVersion checks that a process of another version or with other settings is
// replaced when it is idle, and not in the middle of a call.
func TestReplaceOtherVersion(t *testing.T) {
	for _, tt := range []struct {
		name string
		its  Identity
	}{
		{"another version", Identity{"0", "s"}},
		{"other settings", Identity{"1", "t"}},
	} {
		begun, free := make(chan struct{}), make(chan struct{})
		old := &fakeBrowser{handle: func(context.Context, Request, Events) Answer {
			close(begun)
			<-free
			return Answer{Result: tool.OK(nil)}
		}}
		_, c := serve(t, old, func(o *ServerOptions) { o.Identity = tt.its })
		its := *c
		its.Identity = tt.its
		running := make(chan error, 1)
		go func() {
			_, err := its.Do(t.Context(), openRequest("slow"), Events{}, nil)
			running <- err
		}()
		<-begun
		if _, err := c.Do(t.Context(), openRequest("x"), Events{}, nil); !isUnavailable(err) || tool.AsError(err).Code != codeBusy {
			t.Errorf("%s: during a call: %v", tt.name, err)
		}
		if c.Matches(t.Context()) || !its.Matches(t.Context()) {
			t.Errorf("%s: it matches", tt.name)
		}
		close(free)
		if err := <-running; err != nil {
			t.Errorf("%s: the call was disturbed: %v", tt.name, err)
		}
		next := &fakeBrowser{}
		starts := 0
		c.Start = func() (func() error, error) {
			starts++
			s, err := Listen(ServerOptions{Place: c.Place, Identity: identity, Handler: next})
			if err != nil {
				return nil, err
			}
			go func() { _ = s.Serve(t.Context()) }()
			t.Cleanup(func() { _ = s.Close() })
			return func() error { return nil }, nil
		}
		poll.Await(t, "the old one is idle", func() bool { st, err := its.Status(t.Context()); return err == nil && st.Calls == 0 })
		a, err := c.Do(t.Context(), openRequest("x"), Events{}, nil)
		if err != nil || !a.Result.OK || starts != 1 || next.calls.Load() != 1 {
			t.Errorf("%s: %+v, %v after %d starts and %d calls", tt.name, a, err, starts, next.calls.Load())
		}
	}
}

// TestStartFails checks that the client goes on without a process that can't be started, ends at
// once, or has other settings than the client.
func TestStartFails(t *testing.T) {
	for _, tt := range []struct {
		name    string
		program string
		args    []string
	}{
		{"missing", "/nonexistent/errand", nil},
		{"it fails", "/bin/sh", []string{"-c", "echo why >&2; exit 3"}},
		{"it ends", "/bin/true", nil},
	} {
		log := filepath.Join(t.TempDir(), "state", "agentd.log")
		c := &Client{Place: testPlace(t), Identity: identity, Start: Command{Program: tt.program, Args: tt.args, Log: log}.Start}
		if _, err := c.Do(t.Context(), openRequest("x"), Events{}, nil); !isUnavailable(err) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	_, its := serve(t, &fakeBrowser{}, nil)
	started := false
	c := &Client{Place: testPlace(t), Identity: Identity{"1", "mine"}}
	c.Start = func() (func() error, error) {
		started = true
		c.Place = its.Place
		return func() error { return nil }, nil
	}
	if _, err := c.Do(t.Context(), openRequest("x"), Events{}, nil); !isUnavailable(err) || !started {
		t.Errorf("other settings: %v", err)
	}
}

// TestLogSize checks that a large log makes room for a new one.
func TestLogSize(t *testing.T) {
	log := filepath.Join(t.TempDir(), "agentd.log")
	must.Succeed(t, os.WriteFile(log, make([]byte, maxLog+1), 0o600))
	failed, err := Command{Program: "/bin/sh", Args: []string{"-c", "echo new; exec sleep 5"}, Log: log}.Start()
	must.Succeed(t, err)
	poll.Await(t, "it writes", func() bool { b, _ := os.ReadFile(log); return string(b) == "new\n" })
	if err := failed(); err != nil {
		t.Errorf("while it runs: %v", err)
	}
	if info, err := os.Stat(log + ".old"); err != nil || info.Size() != maxLog+1 {
		t.Errorf("the old log: %v, %v", info, err)
	}
}

// TestStopEnds checks that stop ends the server during a call, and waits for its end.
func TestStopEnds(t *testing.T) {
	begun := make(chan struct{})
	f := &fakeBrowser{handle: func(ctx context.Context, _ Request, _ Events) Answer {
		close(begun)
		<-ctx.Done()
		return Answer{Err: tool.AsError(ctx.Err())}
	}}
	s, c := serve(t, f, nil)
	ended := make(chan error, 1)
	go func() {
		_, err := c.Do(t.Context(), openRequest("x"), Events{}, nil)
		ended <- err
	}()
	<-begun
	if stopped, err := c.Stop(t.Context()); !stopped || err != nil {
		t.Errorf("stop: %t, %v", stopped, err)
	}
	select {
	case <-s.stopped.Done():
	default:
		t.Error("the server goes on")
	}
	<-ended
	if stopped, err := c.Stop(t.Context()); stopped || err != nil {
		t.Errorf("a second stop: %t, %v", stopped, err)
	}
	if _, err := os.Stat(c.Place.mark()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the mark: %v", err)
	}
}
