package web

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"

	"errand/app/config"
	"errand/app/desktop"
	"errand/app/desktop/view"
	"errand/host/tool"
)

// Limits for clients.
const (
	maxBody    = 1 << 20
	maxHeader  = 16 << 10
	headerTime = 5 * time.Second
	bodyTime   = 30 * time.Second
	answerTime = 4 * time.Minute // the slowest call reads and compiles a plugin
	idleTime   = 2 * time.Minute
	// endWithin limits how long the shutdown may take. Runs are interrupted and browsers
	// closed.
	endWithin = 3 * time.Second
)

// Options configure a server.
type Options struct {
	Addr   string // host:port; host is a loopback address, port 0 picks a free one
	Remote bool   // allow addresses other than loopback
	Page   fs.FS  // has index.html at its root
	Open   func() (*desktop.Engine, error)
	Config config.Options // where Open reads the configuration
	Demo   bool
	Log    *slog.Logger
}

// Server serves the page and the API.
type Server struct {
	log      *slog.Logger
	listener net.Listener
	http     *http.Server
	events   *events
	keys     *keys
	life     *desktop.Life
	methods  map[string]method
	page     fs.FS
}

// Listen opens the program and its port. The caller must call Serve, which closes both.
// The error is a *tool.Error.
func Listen(o Options) (*Server, error) {
	if _, err := fs.Stat(o.Page, "index.html"); err != nil {
		return nil, tool.Errorf(tool.ToolUnavailable, "no_page", "this errand was built without the page that it would serve").
			WithHint("build it with `make frontend build`, or use the window: errand-desktop")
	}
	if err := mayListen(o.Addr, o.Remote); err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", o.Addr)
	if err != nil {
		return nil, tool.Errorf(tool.ToolUnavailable, "cant_listen", "listen on %s: %v", o.Addr, err).WithHint("choose another port: --addr 127.0.0.1:0 takes any that is free")
	}
	s := &Server{log: o.Log, listener: listener, events: newEvents(), keys: newKeys(), page: o.Page}
	s.life = desktop.New(desktop.Options{Open: o.Open, Config: o.Config, Face: face{s.events}, Demo: o.Demo})
	s.methods = methodsOf(s.life.API())
	s.http = &http.Server{
		Handler: s.handler(), ReadHeaderTimeout: headerTime, ReadTimeout: bodyTime, WriteTimeout: answerTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
		ErrorLog: slog.NewLogLogger(o.Log.Handler(), slog.LevelWarn),
	}
	return s, nil
}

// mayListen rejects addresses that other machines can reach, unless remote is set.
func mayListen(addr string, remote bool) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return tool.Errorf(tool.ValidationError, "bad_addr", "%q is no address to listen on: %v", addr, err).WithHint("write 127.0.0.1:7341")
	}
	ip, err := netip.ParseAddr(host)
	switch {
	case host == "localhost" || err == nil && ip.IsLoopback():
		return nil
	case err != nil && host != "":
		return tool.Errorf(tool.ValidationError, "bad_addr", "%q is no address: a name may lead anywhere", host).WithHint("write 127.0.0.1:7341")
	case !remote:
		return tool.Errorf(tool.ValidationError, "not_loopback", "%s can be reached by other machines, over a line that anybody on it reads", addr).
			WithHint("listen on 127.0.0.1 and come through ssh -L, or say --remote")
	}
	return nil
}

// URL returns the address to open, including the token.
func (s *Server) URL() string {
	return fmt.Sprintf("http://%s/#token=%s", s.listener.Addr(), s.keys.token)
}

// Private returns a folder that only this user can read.
func (s *Server) Private() string { return s.life.Private() }

// Faults returns the errors that prevent runs. It is empty if everything works.
func (s *Server) Faults() []view.Fault { return s.life.Boot().Faults }

// Serve handles requests until ctx is done. Then it interrupts the active run and closes
// the program and the port, within about 3 seconds, and returns nil.
func (s *Server) Serve(ctx context.Context) error {
	served := make(chan error, 1)
	go func() { served <- s.http.Serve(s.listener) }() // returns after Close below
	var err error
	select {
	case err = <-served:
	case <-ctx.Done():
	}
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), endWithin)
	defer cancel()
	ended := s.life.End(bounded) // its last events are still sent
	s.events.close()
	if s.http.Shutdown(bounded) != nil {
		_ = s.http.Close()
	}
	if err == nil {
		err = <-served
	}
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	if ended != nil {
		ended = fmt.Errorf("what was under way did not end within %v: %w", endWithin, ended)
	}
	return errors.Join(err, ended)
}

func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/session", s.session)
	mux.HandleFunc("POST /api/upload", s.keyed(s.keys.mayCall, s.upload))
	mux.HandleFunc("POST /api/{method}", s.keyed(s.keys.mayCall, s.call))
	mux.HandleFunc("GET /api/events", s.keyed(s.keys.mayView, s.stream))
	mux.HandleFunc("GET /artifacts/", s.keyed(s.keys.mayView, s.life.Artifacts().ServeHTTP))
	mux.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		refuse(w, http.StatusMethodNotAllowed, "bad_method", "%s is not what %s is asked with", r.Method, r.URL.Path)
	})
	mux.HandleFunc("/", s.serveFile)
	return s.guarded(mux)
}

// face connects the API to the page.
type face struct{ events *events }

func (f face) Emit(event string, data any) { f.events.add(event, data) }
func (f face) Quit()                       {} // the server stops where it was started
func (f face) Notify(desktop.Notice)       {} // the page uses browser notifications
func (f face) Dialogs() bool               { return false }

func (f face) Choose(view.ChooseAsk) (string, error) { return "", errors.ErrUnsupported }

func (f face) Save(string, []byte) (string, error) { return "", errors.ErrUnsupported }
