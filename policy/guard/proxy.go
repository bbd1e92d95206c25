package guard

import (
	"context"
	"crypto/rand"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"errand/planner/message"
	"errand/policy"
)

// ProxyOptions configure a proxy. The zero value has the default limits.
type ProxyOptions struct {
	// Caller is the template of every request to policy, with the origin and the tool. The
	// proxy sets Kind, URL and At.
	Caller policy.Request

	MaxBytes    int64         // of one connection, both directions together; 0: 1 GiB
	MaxTime     time.Duration // of one connection; 0: 30 min
	IdleTime    time.Duration // without traffic in either direction; 0: 5 min
	HelloTime   time.Duration // until a tunnel's first message; 0: 30 s
	AdmitTime   time.Duration // wait for the admission of an unlisted host; 0: 1 s
	MaxConns    int           // concurrent connections; 0: 256
	RecordLimit int           // newest records that Connections keeps; 0: 4096
	// OnDenied receives each refused connection. It must not block.
	OnDenied func(Connection)
	// Charge receives, with policy's decision and before the proxy connects, requests
	// that were not admitted: WebSockets, requests without TLS, and tunnels to other
	// hosts. The browser sends them by itself. Charge returns the decision or a
	// stricter one. It must not block.
	Charge func(policy.Request, policy.Decision) policy.Decision
}

// Proxy is a forward proxy on loopback: CONNECT for TLS, absolute-form requests for plain
// HTTP. It connects to a host only if policy allows a navigation there or [Proxy.Admit]
// admitted it. It connects to a private address only by an exception. TLS passes through
// unchanged; the name in the ClientHello must match the CONNECT.
//
// WebSockets have an address of their own, [Proxy.Sockets], where every tunnel is one. It
// connects if policy allows the socket as a part of a page, or [Proxy.AdmitSocket]
// admitted it. Policy decides the full URL of a socket without TLS; with TLS its path is
// hidden, see [policy.Request].
//
// A refusal is a 403 with the headers X-Errand-Error: denied and X-Errand-Rule. An unknown
// name is a 502 with X-Errand-Error: name_not_resolved, and a host that doesn't respond a
// 502 with X-Errand-Error: connect_failed.
type Proxy struct {
	// fixed at creation
	g        *Guard
	o        ProxyOptions
	addr     netip.AddrPort
	sockets  netip.AddrPort
	user     string
	password string
	servers  []*http.Server
	ctx      context.Context
	cancel   context.CancelFunc
	slots    chan struct{}
	stop     func() bool    // detaches from the caller's context
	work     sync.WaitGroup // the server, its connections and handlers
	closing  sync.Once

	mu          sync.Mutex
	admissions  map[string]bool // by host:port, with a prefix for WebSockets and for requests without TLS
	admitted    chan struct{}   // closed and replaced with each admission
	unsent      map[string]int  // admitted requests without TLS that have not arrived yet, by the key of their admission
	connections []Connection
}

// spareConns are connections beyond MaxConns, which get an error response.
const spareConns = 64

// StartProxy starts a proxy with its own credentials on two free ports of 127.0.0.1. It stops
// when [Proxy.Close] is called or ctx is done.
func (g *Guard) StartProxy(ctx context.Context, o ProxyOptions) (*Proxy, error) {
	setDefault(&o.MaxBytes, 1<<30)
	setDefault(&o.MaxTime, 30*time.Minute)
	setDefault(&o.IdleTime, 5*time.Minute)
	setDefault(&o.HelloTime, 30*time.Second)
	setDefault(&o.AdmitTime, time.Second)
	if o.MaxConns <= 0 {
		o.MaxConns = 256
	}
	if o.RecordLimit <= 0 {
		o.RecordLimit = 4096
	}
	var listeners [2]net.Listener
	for i := range listeners {
		var err error
		if listeners[i], err = (&net.ListenConfig{}).Listen(ctx, "tcp4", "127.0.0.1:0"); err != nil {
			if i > 0 {
				listeners[0].Close()
			}
			return nil, message.Error("network.start_proxy", "cause", err)
		}
	}
	p := &Proxy{
		g: g, o: o, user: "errand", password: rand.Text(),
		addr: listenAddr(listeners[0]), sockets: listenAddr(listeners[1]),
		slots:      make(chan struct{}, o.MaxConns),
		admissions: map[string]bool{}, unsent: map[string]int{}, admitted: make(chan struct{}),
	}
	p.ctx, p.cancel = context.WithCancel(context.WithoutCancel(ctx))
	for i, handle := range []http.HandlerFunc{p.serve, p.serveSocket} {
		server := &http.Server{
			Handler:           p.limit(handle),
			ReadHeaderTimeout: 10 * time.Second,
			IdleTimeout:       time.Minute,
			MaxHeaderBytes:    maxHeaderBytes,
			BaseContext:       func(net.Listener) context.Context { return p.ctx },
			ConnState:         p.count,
			ErrorLog:          log.New(io.Discard, "", 0), // browsers that disconnect are not worth logging
		}
		p.servers = append(p.servers, server)
		g.setListener(listenAddr(listeners[i]), true)
		limited := LimitListener(listeners[i], o.MaxConns+spareConns, o.MaxConns+spareConns, 0) // all peers are on this machine
		p.work.Go(func() { server.Serve(limited) })
	}
	p.stop = context.AfterFunc(ctx, p.end)
	return p, nil
}

func listenAddr(l net.Listener) netip.AddrPort { return l.Addr().(*net.TCPAddr).AddrPort() }

// count adds the server's connections to the work that Close waits for. The handler of
// a hijacked connection counts it itself.
func (p *Proxy) count(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		p.work.Add(1)
	case http.StateHijacked, http.StateClosed:
		p.work.Done()
	}
}

// Addr returns the proxy's address on 127.0.0.1.
func (p *Proxy) Addr() netip.AddrPort { return p.addr }

// Sockets returns the proxy's address for WebSockets and plain HTTP. It answers a request for
// itself with 204, so that a browser can learn the credentials before it opens a WebSocket.
func (p *Proxy) Sockets() netip.AddrPort { return p.sockets }

// Username returns the user name for the browser's response to a 407.
func (p *Proxy) Username() string { return p.user }

// Password returns the password, which is random for each proxy.
func (p *Proxy) Password() string { return p.password }

// Admit allows the host of a request that policy has just allowed to a page. It can't
// admit a denied host, nor a private one without an exception. A private address without
// TLS gets only the admitted methods and URLs, because the browser also sends requests that
// policy is not asked about. Admit ignores a URL without a host.
func (p *Proxy) Admit(method, rawURL string) {
	target, _ := policy.FloorURL(rawURL)
	p.admit("", target.HostPort())
	if target.Scheme == "http" {
		key := requestKey(method, rawURL)
		p.mu.Lock()
		p.unsent[key+target.HostPort()]++
		p.mu.Unlock()
		p.admit(key, target.HostPort())
	}
}

// AdmitSocket allows the WebSockets of a host, as [Proxy.Admit] allows its other requests.
func (p *Proxy) AdmitSocket(hostPort string) { p.admit(socketKey, hostPort) }

// socketKey is the prefix of the key of admitted WebSockets.
const socketKey = "socket "

// requestKey returns the key of an admitted request without TLS.
func requestKey(method, rawURL string) string {
	rawURL, _, _ = strings.Cut(rawURL, "#")
	return method + " " + rawURL + " "
}

func (p *Proxy) admit(key, hostPort string) {
	target, d := policy.FloorURL("https://" + hostPort + "/")
	if d.Verdict != policy.Allow && d.Rule != policy.RulePrivateAddress { // allow_private may open it
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.admissions[key+target.HostPort()] = true
	close(p.admitted)
	p.admitted = make(chan struct{})
}

// isAdmitted reports whether a host was admitted.
func (p *Proxy) isAdmitted(ctx context.Context, key string) bool {
	return p.awaitAdmission(ctx, func() bool { return p.admissions[key] })
}

// isAdmittedNow does the same as isAdmitted without waiting.
func (p *Proxy) isAdmittedNow(key string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.admissions[key]
}

// claim reports whether a request was admitted and has not arrived yet, and notes that
// it arrived.
func (p *Proxy) claim(ctx context.Context, key string) bool {
	return p.awaitAdmission(ctx, func() bool {
		if p.unsent[key] == 0 {
			return false
		}
		if p.unsent[key]--; p.unsent[key] == 0 {
			delete(p.unsent, key)
		}
		return true
	})
}

// awaitAdmission returns the result of find, which it calls with the lock held. It
// waits briefly for an admission, because a request may arrive before its admission.
func (p *Proxy) awaitAdmission(ctx context.Context, find func() bool) bool {
	patience := time.NewTimer(p.o.AdmitTime)
	defer patience.Stop()
	for {
		p.mu.Lock()
		in, news := find(), p.admitted
		p.mu.Unlock()
		if in {
			return true
		}
		select {
		case <-news:
		case <-patience.C:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// Connections returns the records of finished and refused connections, the oldest first.
func (p *Proxy) Connections() []Connection {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.connections)
}

// Close stops the proxy with its tunnels, and waits for all of its goroutines. It may be
// called several times.
func (p *Proxy) Close() error {
	p.stop()
	p.end()
	return nil
}

func (p *Proxy) end() {
	p.closing.Do(func() {
		p.cancel()
		for _, s := range p.servers {
			s.Close()
		}
	})
	p.work.Wait()
	p.g.setListener(p.addr, false)
	p.g.setListener(p.sockets, false)
}

func (g *Guard) setListener(a netip.AddrPort, on bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if on {
		g.listeners[a] = true
	} else {
		delete(g.listeners, a)
	}
}
