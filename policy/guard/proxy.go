package guard

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"

	"errand/policy"
)

// ProxyOptions say for whom a proxy works and how much it passes on. The zero
// value works for nobody in particular, within the defaults.
type ProxyOptions struct {
	// As is the request that every connection is decided as: its origin and
	// tool. Kind, URL and At are the proxy's.
	As policy.Request

	MaxBytes    int64         // of one connection, both ways together; 0: 1 GiB
	MaxTime     time.Duration // of one connection; 0: 30 min
	IdleTime    time.Duration // without a byte either way; 0: 5 min
	HelloTime   time.Duration // until a tunnel says whom it speaks to; 0: 30 s
	AdmitTime   time.Duration // that an unlisted host waits for its admission; 0: 1 s
	MaxConns    int           // connections at once; 0: 256
	RecordLimit int           // records that Connections keeps, the newest; 0: 4096
	// OnDenied is told of each stopped connection. It must not block.
	OnDenied func(Connection)
}

// Proxy is a forward proxy on loopback: CONNECT for TLS and WebSockets,
// absolute-form requests for plain HTTP. It opens a host only if policy allows
// a navigation there or [Proxy.Admit] let it in, and never a private address
// but by an exception. TLS is passed through untouched; the name in its
// ClientHello must be the name of the CONNECT.
//
// A refusal is answered by 403 with the headers X-Errand-Error: denied and
// X-Errand-Rule, an unknown name by 502 with X-Errand-Error:
// name_not_resolved, a host that doesn't answer by 502 with X-Errand-Error:
// connect_failed.
type Proxy struct {
	// fixed at creation
	g        *Guard
	o        ProxyOptions
	addr     netip.AddrPort
	user     string
	password string
	server   *http.Server
	ctx      context.Context
	cancel   context.CancelFunc
	slots    chan struct{}
	stop     func() bool    // forgets the caller's context
	work     sync.WaitGroup // the server, its connections, every handler
	closing  sync.Once

	mu          sync.Mutex
	admitted    map[string]bool
	news        chan struct{} // closed and replaced with each admission
	connections []Connection
}

// StartProxy starts a proxy on a free port of 127.0.0.1 with credentials of
// its own. It ends with [Proxy.Close] or with ctx, whichever is first.
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
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start the filtering proxy: %w", err)
	}
	p := &Proxy{
		g: g, o: o, user: "errand", password: rand.Text(),
		addr:     listener.Addr().(*net.TCPAddr).AddrPort(),
		slots:    make(chan struct{}, o.MaxConns),
		admitted: map[string]bool{}, news: make(chan struct{}),
	}
	p.ctx, p.cancel = context.WithCancel(context.WithoutCancel(ctx))
	p.server = &http.Server{
		Handler:           http.HandlerFunc(p.serve),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    maxHeaderBytes,
		BaseContext:       func(net.Listener) context.Context { return p.ctx },
		ConnState:         p.count,
		ErrorLog:          log.New(io.Discard, "", 0), // a browser that goes away is no news
	}
	g.setListener(p.addr, true)
	p.work.Go(func() { p.server.Serve(listener) })
	p.stop = context.AfterFunc(ctx, p.end)
	return p, nil
}

// count keeps the server's connections among the work that Close waits for. A
// hijacked one is counted by the handler that has it.
func (p *Proxy) count(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		p.work.Add(1)
	case http.StateHijacked, http.StateClosed:
		p.work.Done()
	}
}

// Addr is where the proxy listens, on 127.0.0.1.
func (p *Proxy) Addr() netip.AddrPort { return p.addr }

// Username and Password are what the browser must answer the proxy's 407 with.
func (p *Proxy) Username() string { return p.user }

// Password is random for each proxy.
func (p *Proxy) Password() string { return p.password }

// Admit lets a host in that policy has just allowed for a page's own load.
// Only a host that is neither denied nor private can be opened this way; a
// text that is no "host:port" is ignored.
func (p *Proxy) Admit(hostPort string) {
	target, d := policy.FloorURL("https://" + hostPort + "/")
	if d.Verdict != policy.Allow {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.admitted[target.HostPort()] = true
	close(p.news)
	p.news = make(chan struct{})
}

// isAdmitted says whether a host was let in. A WebSocket's connection and the
// news of it race each other here, so it waits a moment for a host that was
// not.
func (p *Proxy) isAdmitted(ctx context.Context, hostPort string) bool {
	patience := time.NewTimer(p.o.AdmitTime)
	defer patience.Stop()
	for {
		p.mu.Lock()
		in, news := p.admitted[hostPort], p.news
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

// Connections are the records so far, the oldest first, stopped ones included.
// A connection is recorded when it is over.
func (p *Proxy) Connections() []Connection {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.connections)
}

// Close ends the proxy, every tunnel and every goroutine of it, and returns
// when they are gone. It may be called several times.
func (p *Proxy) Close() error {
	p.stop()
	p.end()
	return nil
}

func (p *Proxy) end() {
	p.closing.Do(func() {
		p.cancel()
		p.server.Close()
	})
	p.work.Wait()
	p.g.setListener(p.addr, false)
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
