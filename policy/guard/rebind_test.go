package guard

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"errand/build/must"
	"errand/policy"
)

// rebinder is a DNS server on loopback that answers the first look-up of any
// name by a public address and every later one by 127.0.0.1, with a lifetime
// of zero: the server of a rebinding attack.
type rebinder struct {
	conn *net.UDPConn
	mu   sync.Mutex
	a    map[string]int // questions for the IPv4 address of each name
}

func newRebinder(t *testing.T) *rebinder {
	t.Helper()
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	must.Succeed(t, err)
	r := &rebinder{conn: conn, a: map[string]int{}}
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.serve()
	}()
	t.Cleanup(func() { conn.Close(); <-done })
	return r
}

func (r *rebinder) serve() {
	buf := make([]byte, 1500)
	for {
		n, from, err := r.conn.ReadFromUDP(buf)
		if err != nil {
			return
		}
		var m dnsmessage.Message
		if m.Unpack(buf[:n]) != nil || len(m.Questions) != 1 {
			continue
		}
		m.Response, m.Authoritative, m.Additionals = true, true, nil
		if q := m.Questions[0]; q.Type == dnsmessage.TypeA {
			r.mu.Lock()
			answer := [4]byte{93, 184, 215, 14}
			if r.a[q.Name.String()]++; r.a[q.Name.String()] > 1 {
				answer = [4]byte{127, 0, 0, 1}
			}
			r.mu.Unlock()
			m.Answers = []dnsmessage.Resource{{
				Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class},
				Body:   &dnsmessage.AResource{A: answer},
			}}
		}
		if out, err := m.Pack(); err == nil {
			r.conn.WriteToUDP(out, from)
		}
	}
}

func (r *rebinder) lookups(host string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.a[host+"."]
}

// TestRebindingIsNeverDialled checks a name whose first answer is public and whose second answer
// is this machine. One look-up serves one decision, so the private address is either never seen
// or denied.
func TestRebindingIsNeverDialled(t *testing.T) {
	t.Run("S3-H05 public first, private afterwards", rebinding)
}

// resolve asks the server, as [Options.Resolve] does.
func (r *rebinder) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	resolver := &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp4", r.conn.LocalAddr().String())
	}}
	all, err := resolver.LookupNetIP(ctx, "ip4", host+".")
	for i, a := range all {
		all[i] = a.Unmap()
	}
	return all, err
}

func rebinding(t *testing.T) {
	dns := newRebinder(t)
	victim := newSite(t, false, nil)
	names := []string{"rebind.example", "again.example"}
	port := portOf(victim)
	g := New(mustPolicy(t, policy.Settings{AllowedDomains: []string{"http://" + names[0] + ":" + port, "http://" + names[1] + ":" + port}}), Options{
		DialTimeout: 100 * time.Millisecond, // nobody is at the public address here
		Resolve:     dns.resolve,
	})
	p := startProxy(t, g, ProxyOptions{})
	get := map[string]func(string) (*http.Response, error){
		names[0]: g.Client(policy.Request{}).Get,
		names[1]: browser(t, p, nil).Get,
	}
	for _, name := range names {
		for i := range 3 {
			resp, err := get[name]("http://" + name + ":" + port + "/")
			switch {
			case err == nil && name == names[1]: // the proxy's own answer: unreachable, then denied
				if want := map[bool]int{true: 502, false: 403}[i == 0]; resp.StatusCode != want {
					t.Errorf("%s, time %d: status %d, want %d", name, i+1, resp.StatusCode, want)
				}
				resp.Body.Close()
			case err == nil:
				t.Fatal("the request went through")
			}
			if n := dns.lookups(name); n != i+1 {
				t.Errorf("%s: %d look-ups after %d requests: a request resolves once", name, n, i+1)
			}
		}
	}
	if hits, _ := victim.seen(); hits != 0 {
		t.Errorf("the private server was reached %d times", hits)
	}
}
