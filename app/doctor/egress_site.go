package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"errand/planner/message"
)

// Hosts of the egress test. They exist only in its proxy.
const (
	pageHost    = "page.egress.errand.example"    // allowed; serves the page
	privateHost = "private.egress.errand.example" // allowed; resolves to loopback
	socketHost  = "socket.egress.errand.example"  // allowed, but not its WebSockets
	pathHost    = "path.egress.errand.example"    // allowed with its WebSockets, except below /admin/
)

// egressWay is one way for a page to reach a server. JS runs it with U, the URL of
// the way's own server, and H, that server's host and port.
type egressWay struct {
	name        string
	description message.Message
	js, host    string
	// byPolicy: the way leads to a server that requests could reach, if policy allowed them.
	// For others the address is refused whatever policy says.
	byPolicy bool
}

var egressWays = []egressWay{
	{name: "img", description: message.New("doctor.egress_image"), js: `new Image().src = U`},
	{name: "iframe", description: message.New("doctor.egress_frame"), js: `document.body.appendChild(Object.assign(document.createElement("iframe"), {src: U}))`},
	{name: "fetch", description: message.New("doctor.egress_fetch"), js: `fetch(U, {mode: "no-cors"}).catch(() => {})`},
	{name: "beacon", description: message.New("doctor.egress_beacon"), js: `navigator.sendBeacon(U, "x")`},
	{name: "websocket", description: message.New("doctor.egress_websocket"), js: `new WebSocket("ws://" + H)`},
	{name: "websocket-denied", description: message.New("doctor.egress_denied_socket"), js: `new WebSocket("ws://" + H)`, host: socketHost, byPolicy: true},
	{name: "websocket-path", description: message.New("doctor.egress_socket_path"), js: `new WebSocket("ws://" + H + "//ADMIN/")`, host: pathHost, byPolicy: true},
	{name: "worker-websocket", description: message.New("doctor.egress_worker_socket"), js: `new Worker(URL.createObjectURL(new Blob(["new WebSocket('ws://" + H + "')"])))`, host: socketHost, byPolicy: true},
	{name: "eventsource", description: message.New("doctor.egress_event_source"), js: `new EventSource(U)`},
	{name: "preconnect", description: message.New("doctor.egress_preconnect"), js: `document.head.append(Object.assign(document.createElement("link"), {rel: "preconnect", href: U}))`},
	{name: "webtransport", description: message.New("doctor.egress_webtransport"), js: `typeof WebTransport === "function" && new WebTransport("https://" + H).ready.catch(() => {})`},
	{name: "webrtc-turn", description: message.New("doctor.egress_webrtc_turn"), js: `const c = new RTCPeerConnection({iceServers: [{urls: "turn:" + H + "?transport=tcp", username: "u", credential: "p"}]}); c.createDataChannel("x"); c.createOffer().then(o => c.setLocalDescription(o))`},
	{name: "webrtc-stun", description: message.New("doctor.egress_webrtc"), js: `const c = new RTCPeerConnection({iceServers: [{urls: "stun:" + H}]}); c.createDataChannel("x"); c.createOffer().then(o => c.setLocalDescription(o))`},
	{name: "redirect", description: message.New("doctor.egress_redirect"), js: `fetch("/redirect", {mode: "no-cors"}).catch(() => {})`},
	{name: "name-private", description: message.New("doctor.egress_private_name"), js: `fetch(U, {mode: "no-cors"}).catch(() => {})`, host: privateHost},
}

const egressPage = `<!doctype html><title>egress</title><body><script>
const ways = [%s], thrown = {};
(async () => {
	const picture = await new Promise(done => { const i = new Image(); i.onload = () => done(true); i.onerror = () => done(false); i.src = "/picture" });
	for (const [N, U, H, run] of ways) try { run(U, H) } catch (e) { thrown[N] = String(e) }
	await new Promise(done => setTimeout(done, 500));
	await fetch("/end", {method: "POST", body: JSON.stringify({picture, thrown})});
})();
</script>`

// egressSite serves the page, and for each way a server on loopback that nothing
// may reach. It counts what arrives there.
type egressSite struct {
	ports   map[string]netip.AddrPort // by the name of the way
	page    netip.AddrPort
	closers []io.Closer
	end     chan struct{} // closed once the page has tried all ways

	mu      sync.Mutex
	report  EgressDetails
	isEnded bool
}

func newEgressSite(ctx context.Context) (*egressSite, error) {
	s := &egressSite{ports: map[string]netip.AddrPort{}, end: make(chan struct{})}
	for _, w := range egressWays {
		s.report.Ways = append(s.report.Ways, EgressWay{Name: w.name, Description: w.description})
		if err := s.forbid(ctx, w.name); err != nil {
			return nil, errors.Join(message.Error("doctor.start_egress_test", "cause", err), s.close())
		}
	}
	s.report.Works = []EgressWork{
		{Name: "page", Description: message.New("doctor.egress_page")},
		{Name: "picture", Description: message.New("doctor.egress_own_image")},
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, errors.Join(message.Error("doctor.start_egress_test", "cause", err), s.close())
	}
	s.page = l.Addr().(*net.TCPAddr).AddrPort()
	server := &http.Server{Handler: s.pages(), ReadHeaderTimeout: 10 * time.Second, ErrorLog: log.New(io.Discard, "", 0)}
	s.closers = append(s.closers, server)
	go func() { _ = server.Serve(l) }()
	return s, nil
}

func (s *egressSite) close() error {
	var errs []error
	for _, c := range s.closers {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// forbid opens the server of a way, TCP and UDP on one port number.
func (s *egressSite) forbid(ctx context.Context, name string) error {
	const tries = 20 // the number may be taken for UDP
	var conf net.ListenConfig
	for try := 0; ; try++ {
		tcp, err := conf.Listen(ctx, "tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		udp, err := conf.ListenPacket(ctx, "udp", tcp.Addr().String())
		if err != nil {
			if tcp.Close(); try < tries {
				continue
			}
			return err
		}
		s.ports[name] = tcp.Addr().(*net.TCPAddr).AddrPort()
		s.closers = append(s.closers, tcp, udp)
		go func() {
			for {
				c, err := tcp.Accept()
				if err != nil {
					return
				}
				s.note(name, func(w *EgressWay) { w.Hits++ })
				c.Close()
			}
		}()
		go func() {
			for buf := make([]byte, 2048); ; {
				if _, _, err := udp.ReadFrom(buf); err != nil {
					return
				}
				s.note(name, func(w *EgressWay) { w.Hits++ })
			}
		}()
		return nil
	}
}

func (s *egressSite) note(name string, change func(*EgressWay)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.report.Ways {
		if w := &s.report.Ways[i]; w.Name == name {
			change(w)
		}
	}
}

func (s *egressSite) address(w egressWay) string {
	host := w.host
	if host == "" {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, strconv.Itoa(int(s.ports[w.name].Port())))
}

func (s *egressSite) pages() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		var ways []string
		for _, route := range egressWays {
			ways = append(ways, fmt.Sprintf("[%q, %q, %q, (U, H) => { %s }]", route.name, "http://"+s.address(route)+"/", s.address(route), route.js))
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, egressPage, strings.Join(ways, ","))
	})
	mux.HandleFunc("GET /picture", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/svg+xml")
		_, _ = io.WriteString(w, `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>`)
	})
	mux.HandleFunc("GET /redirect", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://"+s.ports["redirect"].String()+"/", http.StatusFound)
	})
	mux.HandleFunc("POST /end", s.finish)
	return mux
}

// finish gets from the page what it has tried.
func (s *egressSite) finish(w http.ResponseWriter, r *http.Request) {
	var result struct {
		Picture bool              `json:"picture"`
		Thrown  map[string]string `json:"thrown"`
	}
	if json.NewDecoder(io.LimitReader(r.Body, 1<<20)).Decode(&result) != nil {
		http.Error(w, "invalid JSON", http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.report.Ways {
		route := &s.report.Ways[i]
		route.Tried, route.Error = true, result.Thrown[route.Name]
	}
	s.report.Works[0].Done, s.report.Works[1].Done = true, result.Picture
	if !s.isEnded {
		s.isEnded = true
		close(s.end)
	}
}

// stop notes that a request was refused, by "interception" or "proxy".
func (s *egressSite) stop(by, rawURL, rule string) {
	u, err := url.Parse(rawURL)
	if err != nil {
		return
	}
	for name, at := range s.ports {
		if u.Port() != strconv.Itoa(int(at.Port())) {
			continue
		}
		s.note(name, func(w *EgressWay) {
			if w.Stop.By == "" {
				w.Stop = EgressStop{by, rule}
			}
		})
	}
}

// overrides are the addresses of the page, and of the servers that only policy keeps
// requests from.
func (s *egressSite) overrides() map[string]netip.AddrPort {
	out := map[string]netip.AddrPort{pageHost + ":80": s.page}
	for _, w := range egressWays {
		if w.byPolicy {
			out[s.address(w)] = s.ports[w.name]
		}
	}
	return out
}

// resolve knows the names of the test and no others.
func (s *egressSite) resolve(_ context.Context, host string) ([]netip.Addr, error) {
	if host == privateHost {
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	}
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

// details are the outcomes so far.
func (s *egressSite) details() EgressDetails {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := EgressDetails{Ways: append([]EgressWay{}, s.report.Ways...), Works: append([]EgressWork{}, s.report.Works...)}
	for i := range out.Ways {
		if w := &out.Ways[i]; w.Stop.By == "" && w.Tried && w.Hits == 0 {
			w.Stop.By = "browser"
		}
	}
	return out
}
