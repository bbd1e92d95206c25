package waysout

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"
)

// forbiddenServers are the servers that must stay unreachable: for each way one loopback port,
// TCP and UDP.
type forbiddenServers struct {
	server *http.Server
	udp    []net.PacketConn

	mu    sync.Mutex
	ports map[string]netip.AddrPort // way → address
	hits  map[string]int            // way → connections and packets
}

func newForbidden() *forbiddenServers {
	f := &forbiddenServers{ports: map[string]netip.AddrPort{}, hits: map[string]int{}}
	f.server = &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Access-Control-Allow-Origin", "*")
			_, _ = io.WriteString(w, "<!doctype html><title>reached</title>")
		}),
		ReadHeaderTimeout: 10 * time.Second,
		ErrorLog:          log.New(io.Discard, "", 0), // data that isn't HTTP is a hit too
		ConnState: func(c net.Conn, state http.ConnState) {
			if a, ok := c.LocalAddr().(*net.TCPAddr); ok && state == http.StateNew {
				f.hit(f.findWay(a.Port))
			}
		},
	}
	return f
}

// errNoIPv6 is returned on a machine without an IPv6 loopback address.
var errNoIPv6 = errors.New("no IPv6 here")

// listen opens a way's port, with the same number for TCP and UDP.
func (f *forbiddenServers) listen(ctx context.Context, w route) error {
	address := "127.0.0.1"
	if w.host == "[::1]" {
		address = "::1"
	}
	var conf net.ListenConfig
	for try := 0; ; try++ {
		tcp, err := conf.Listen(ctx, "tcp", net.JoinHostPort(address, "0"))
		if err != nil {
			if address == "::1" {
				return errNoIPv6
			}
			return err
		}
		at := tcp.Addr().(*net.TCPAddr).AddrPort()
		udp, err := conf.ListenPacket(ctx, "udp", at.String())
		if err != nil { // the UDP port is taken
			if tcp.Close(); try < 20 {
				continue
			}
			return err
		}
		f.mu.Lock()
		f.ports[w.name], f.udp = at, append(f.udp, udp)
		f.mu.Unlock()
		go func() { _ = f.server.Serve(tcp) }()
		go func() {
			for buf := make([]byte, 2048); ; {
				if _, _, err := udp.ReadFrom(buf); err != nil {
					return
				}
				f.hit(w.name)
			}
		}()
		return nil
	}
}

func (f *forbiddenServers) close() error {
	err := f.server.Close()
	for _, c := range f.udp {
		err = errors.Join(err, c.Close())
	}
	return err
}

func (f *forbiddenServers) hit(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.hits[name]++
}

func (f *forbiddenServers) count(name string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.hits[name]
}

// findWay returns the way that a port belongs to, or "".
func (f *forbiddenServers) findWay(port int) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	for name, a := range f.ports {
		if int(a.Port()) == port {
			return name
		}
	}
	return ""
}

// hostPort returns the address of a way's server in the spelling for the page.
func (f *forbiddenServers) hostPort(w route) string {
	host := w.host
	if host == "" {
		host = "127.0.0.1"
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return host + ":" + strconv.Itoa(int(f.ports[w.name].Port()))
}

// address returns the address of a way's server.
func (f *forbiddenServers) address(w route) netip.AddrPort {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.ports[w.name]
}

// url returns the URL that a way tries to reach.
func (f *forbiddenServers) url(w route) string {
	if w.host == Outside {
		return "https://" + Outside + "/" + w.name
	}
	return fmt.Sprintf("http://%s/%s", f.hostPort(w), w.name)
}

// outsideHandler serves the public host that pages must not navigate to. Loading a picture from
// it is not a hit.
func (f *forbiddenServers) outsideHandler(picture func()) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch name := strings.TrimPrefix(r.URL.Path, "/"); name {
		case "picture":
			picture()
			serveImage(w)
		case "favicon.ico":
			http.NotFound(w, r)
		default:
			f.hit(name)
			_, _ = io.WriteString(w, "<!doctype html><title>reached</title>")
		}
	})
}
