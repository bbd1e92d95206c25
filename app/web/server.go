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
	"strings"
	"time"

	"errand/app/config"
	"errand/app/desktop"
	"errand/app/desktop/view"
	"errand/host/tool"
	"errand/planner/message"
	"errand/policy/guard"
	"errand/policy/redact"
)

// Limits for clients.
const (
	maxBody    = 1 << 20
	maxHeader  = 16 << 10
	headerTime = 5 * time.Second
	bodyTime   = 30 * time.Second
	answerTime = 4 * time.Minute // the slowest call reads and compiles a plugin
	idleTime   = 2 * time.Minute
	maxConns   = 256 // open connections in all
	maxPeer    = 128 // of one address: a page in a browser uses a few
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
	Log    *slog.Logger // gets no secrets
	// Routes are handlers of the local API and for agents, by their patterns. They check who asks. With
	// them the page may be missing.
	Routes map[string]http.Handler
}

// Server serves the page and the API.
type Server struct {
	log      *slog.Logger
	listener net.Listener
	http     *http.Server
	events   *events
	keys     *sessionKeys
	life     *desktop.Life
	methods  map[string]method
	page     fs.FS
	routes   map[string]http.Handler
}

// Listen opens the program and its port. The caller must call Serve, which closes both.
// The error is a *tool.Error.
func Listen(o Options) (*Server, error) {
	if _, err := fs.Stat(o.Page, "index.html"); err != nil && len(o.Routes) == 0 {
		return nil, tool.NewError(tool.ToolUnavailable, "no_page", message.New("web.no_page")).
			WithHint(message.New("web.no_page_hint"))
	}
	if err := mayListen(o.Addr, o.Remote); err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", o.Addr)
	if err != nil {
		return nil, tool.NewError(tool.ToolUnavailable, "cant_listen", message.New("web.cant_listen", "address", o.Addr, "cause", err)).WithHint(message.New("web.cant_listen_hint"))
	}
	keys := newSessionKeys()
	handler := redact.New([]string{keys.token}, redact.WithKey([]byte(keys.token))).Handler(o.Log.Handler())
	s := &Server{log: slog.New(handler), listener: listener, events: newEvents(), keys: keys, page: o.Page, routes: o.Routes}
	s.life = desktop.New(desktop.Options{Open: o.Open, Config: o.Config, Face: face{s.events}, Demo: o.Demo})
	s.methods = methodsOf(s.life.API())
	s.http = &http.Server{
		Handler: s.handler(), ReadHeaderTimeout: headerTime, ReadTimeout: bodyTime, WriteTimeout: answerTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
		ErrorLog: slog.NewLogLogger(handler, slog.LevelWarn),
	}
	return s, nil
}

// mayListen rejects addresses that other machines can reach, unless remote is set.
func mayListen(addr string, remote bool) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return tool.NewError(tool.ValidationError, "bad_addr", message.New("web.bad_address", "address", addr, "cause", err)).WithHint(message.New("web.bad_address_hint"))
	}
	ip, err := netip.ParseAddr(host)
	switch {
	case host == "localhost" || err == nil && ip.IsLoopback():
		return nil
	case err != nil && host != "":
		return tool.NewError(tool.ValidationError, "bad_addr", message.New("web.host_name", "host", host)).WithHint(message.New("web.bad_address_hint"))
	case !remote:
		return tool.NewError(tool.ValidationError, "not_loopback", message.New("web.not_loopback", "address", addr)).
			WithHint(message.New("web.not_loopback_hint"))
	}
	return nil
}

// URL returns the address to open, including the token.
func (s *Server) URL() string {
	return fmt.Sprintf("http://%s/#token=%s", s.listener.Addr(), s.keys.token)
}

// APIURL returns the address below which the local API is.
func (s *Server) APIURL() string { return fmt.Sprintf("http://%s/api", s.listener.Addr()) }

// MCPURL returns the address for agents of other programs.
func (s *Server) MCPURL() string { return fmt.Sprintf("http://%s/mcp", s.listener.Addr()) }

// Private returns a folder that only this user can read.
func (s *Server) Private() string { return s.life.Private() }

// Problems returns the errors that prevent runs. It is empty if everything works.
func (s *Server) Problems() []view.Problem { return s.life.Boot().Problems }

// Serve handles requests until ctx is done. Then it interrupts the active run and closes
// the program and the port, within about 3 seconds, and returns nil.
func (s *Server) Serve(ctx context.Context) error {
	served := make(chan error, 1)
	go func() { served <- s.http.Serve(guard.LimitListener(s.listener, maxConns, maxPeer, maxPeer)) }() // returns after Close below
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
		ended = message.Error("web.not_ended", "limit", endWithin, "cause", ended)
	}
	return errors.Join(err, ended)
}

func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/session", s.session)
	mux.HandleFunc("POST /api/upload", s.requireKey(s.keys.mayCall, s.upload))
	mux.HandleFunc("POST /api/{method}", s.requireKey(s.keys.mayCall, s.call))
	mux.HandleFunc("GET /api/events", s.requireKey(s.keys.mayView, s.stream))
	mux.HandleFunc("GET /artifacts/", s.requireKey(s.keys.mayView, s.life.Artifacts().ServeHTTP))
	for pattern, h := range s.routes {
		mux.Handle(pattern, h)
	}
	mux.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		if s.isKnownPath(mux, r) {
			s.refuse(w, http.StatusMethodNotAllowed, "bad_method", message.New("web.bad_api_method", "method", r.Method, "path", r.URL.Path))
			return
		}
		s.refuse(w, http.StatusNotFound, "no_path", message.New("web.no_api_path", "path", r.URL.Path))
	})
	mux.HandleFunc("/", s.serveFile)
	return s.protect(mux)
}

// isKnownPath reports whether a path of the API takes requests with another method.
func (s *Server) isKnownPath(mux *http.ServeMux, r *http.Request) bool {
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		other := r.Clone(r.Context())
		other.Method = method
		switch _, pattern := mux.Handler(other); pattern {
		case "/api/":
		case "POST /api/{method}":
			if _, known := s.methods[strings.TrimPrefix(r.URL.Path, "/api/")]; known {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// face connects the API to the page.
type face struct{ events *events }

func (f face) Emit(event string, data any) { f.events.add(event, data) }
func (f face) Quit()                       {} // the server stops where it was started
func (f face) Notify(desktop.Notice)       {} // the page uses browser notifications
func (f face) Dialogs() bool               { return false }

func (f face) Choose(view.ChooseAsk) (string, error) { return "", errors.ErrUnsupported }

func (f face) Save(string, []byte) (string, error) { return "", errors.ErrUnsupported }
