package guard

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"errand/app/i18n"
	"errand/build/must"
	"errand/planner/message"
	"errand/policy"
)

func TestMain(m *testing.M) {
	before := runtime.NumGoroutine()
	code := m.Run()
	if code == 0 {
		if stacks := leaked(before); stacks != "" {
			println("goroutines are left behind:\n" + stacks)
			code = 1
		}
	}
	os.Exit(code)
}

// leaked waits for goroutines to end and returns the stacks of those that
// don't.
func leaked(before int) string {
	deadline := time.Now().Add(5 * time.Second)
	for runtime.NumGoroutine() > before {
		if time.Now().After(deadline) {
			buf := make([]byte, 1<<20)
			return string(buf[:runtime.Stack(buf, true)])
		}
		runtime.Gosched()
	}
	return ""
}

func mustPolicy(t *testing.T, s policy.Settings) *policy.Policy {
	t.Helper()
	p, err := policy.New(s)
	must.Succeed(t, err)
	return p
}

// site is a server that counts its requests and remembers the last.
type site struct {
	*httptest.Server
	mu   sync.Mutex
	hits int
	last *http.Request
}

func (s *site) seen() (int, *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hits, s.last
}

func (s *site) addr() netip.AddrPort {
	return s.Listener.Addr().(*net.TCPAddr).AddrPort()
}

func newSite(t *testing.T, tls bool, handler http.HandlerFunc) *site {
	t.Helper()
	s := &site{}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.hits++
		s.last = r.Clone(context.Background())
		s.mu.Unlock()
		if handler != nil {
			handler(w, r)
		}
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // handshakes are broken off on purpose
	if tls {
		s.StartTLS()
	} else {
		s.Start()
	}
	t.Cleanup(s.Close)
	return s
}

// records collects what a guard records.
type records struct {
	mu  sync.Mutex
	all []Connection
}

func (r *records) add(c Connection) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, c)
}

func (r *records) list() []Connection {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Connection(nil), r.all...)
}

// answers resolves names from a table; other names don't exist.
func answers(table map[string][]string) func(context.Context, string) ([]netip.Addr, error) {
	return func(_ context.Context, host string) ([]netip.Addr, error) {
		texts, ok := table[host]
		if !ok {
			return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
		}
		var out []netip.Addr
		for _, text := range texts {
			out = append(out, netip.MustParseAddr(text))
		}
		return out, nil
	}
}

func TestCheck(t *testing.T) {
	p := mustPolicy(t, policy.Settings{
		AllowedDomains: []string{"*", "intranet.example.org", "http://intranet.example.org:8080"},
		AllowPrivate:   []string{"10.20.0.0/16"},
	})
	many := make([]string, maxAnswers+1)
	for i := range many {
		many[i] = netip.AddrFrom4([4]byte{93, 184, 0, byte(i)}).String()
	}
	g := New(p, Options{Resolve: answers(map[string][]string{
		"public.example.org":    {"93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"},
		"private.example.org":   {"192.168.1.1"},
		"mixed.example.org":     {"93.184.215.14", "127.0.0.1"},
		"mapped.example.org":    {"::ffff:93.184.215.14"},
		"nat64.example.org":     {"64:ff9b::5db8:d70e", "93.184.215.14"},
		"nat64-lan.example.org": {"64:ff9b::c0a8:101", "93.184.215.14"},
		"empty.example.org":     {},
		"many.example.org":      many,
		"intranet.example.org":  {"10.20.3.4"},
		"rebound.example.org":   {"10.20.3.4"},
	})})
	tests := []struct {
		name, url string
		want      policy.Verdict
		rule      string
		addrs     int
		resolve   bool // a ResolveError is due
	}{
		{"public name", "https://public.example.org/", policy.Allow, policy.RuleListed, 2, false},
		{"public address, not named", "https://93.184.215.14/", policy.Ask, policy.RuleUnlisted, 0, false},
		{"private answer", "https://private.example.org/", policy.Deny, policy.RulePrivateAddress, 0, false},
		{"S3-H06 one private answer among two", "https://mixed.example.org/", policy.Deny, policy.RulePrivateAddress, 0, false},
		{"mapped answer", "https://mapped.example.org/", policy.Deny, policy.RulePrivateAddress, 0, false},
		{"a NAT64 answer is not dialled", "https://nat64.example.org/", policy.Allow, policy.RuleListed, 1, false},
		{"NAT64 of a private address", "https://nat64-lan.example.org/", policy.Deny, policy.RulePrivateAddress, 0, false},
		{"private literal", "https://127.0.0.1/", policy.Deny, policy.RulePrivateAddress, 0, false},
		{"opened literal", "http://10.20.9.9:8080/", policy.Allow, policy.RuleAllowPrivate, 1, false},
		{"a listed name may lead to an opened range", "http://intranet.example.org:8080/", policy.Allow, policy.RuleListed, 1, false},
		{"a name let in by * may not", "https://rebound.example.org/", policy.Deny, policy.RulePrivateAddress, 0, false},
		{"unknown name", "https://unknown.example.org/", policy.Allow, policy.RuleListed, 0, true},
		{"name without address", "https://empty.example.org/", policy.Allow, policy.RuleListed, 0, true},
		{"too many addresses", "https://many.example.org/", policy.Allow, policy.RuleListed, 0, true},
		{"bad port", "https://public.example.org:25/", policy.Deny, policy.RuleBadPort, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, addrs, err := g.Check(t.Context(), policy.Request{Kind: policy.KindFetch, URL: tt.url})
			var unresolved *ResolveError
			if errors.As(err, &unresolved) != tt.resolve {
				t.Errorf("error = %v, want a ResolveError: %v", err, tt.resolve)
			}
			if d.Verdict != tt.want || d.Rule != tt.rule || len(addrs) != tt.addrs {
				t.Errorf("%v %s (%s), %d addresses; want %v %s, %d", d.Verdict, d.Rule, d.Reason, len(addrs), tt.want, tt.rule, tt.addrs)
			}
		})
	}
}

func TestNoLookupBeforeDecision(t *testing.T) {
	g := New(mustPolicy(t, policy.Settings{}), Options{Resolve: func(context.Context, string) ([]netip.Addr, error) {
		t.Error("a name was looked up that nobody allowed")
		return nil, errors.New("never")
	}})
	for _, u := range []string{"https://example.org/", "https://localhost/", "ftp://example.org/", "https://a.b.corp/"} {
		if d, _, err := g.Check(t.Context(), policy.Request{Kind: policy.KindNavigate, URL: u}); d.Verdict == policy.Allow || err != nil {
			t.Errorf("%s: %v %v", u, d, err)
		}
	}
}

func TestNilDeciderDenies(t *testing.T) {
	target := newSite(t, false, nil)
	g := New(nil, Options{Overrides: map[string]netip.AddrPort{"example.org:443": target.addr()}})
	_, err := g.Client(policy.Request{}).Get("https://example.org/")
	var denied *DeniedError
	if !errors.As(err, &denied) || denied.Decision.Rule != policy.RuleNone {
		t.Errorf("error = %v, want a refusal by %s", err, policy.RuleNone)
	}
}

func TestResolveErrorSaysWhat(t *testing.T) {
	g := New(mustPolicy(t, policy.Settings{AllowedDomains: []string{"youtube.com"}}), Options{Resolve: answers(nil)})
	_, _, err := g.Check(t.Context(), policy.Request{Kind: policy.KindNavigate, URL: "https://youtube.com/"})
	if want := `resolve "youtube.com": no such host`; i18n.English().Error(err) != want {
		t.Errorf("error = %v, want %s", err, want)
	}
	var dns *net.DNSError
	if !errors.As(err, &dns) || !dns.IsNotFound {
		t.Errorf("error %v should still be the resolver's", err)
	}
}

// TestDNSErrorsAreMessages checks that common errors of a resolver are in the user's language,
// and that others keep the resolver's text.
func TestDNSErrorsAreMessages(t *testing.T) {
	for name, tt := range map[string]struct {
		err  net.DNSError
		want string
	}{
		"unknown":   {net.DNSError{Err: "no such host", IsNotFound: true}, "network.no_such_host"},
		"timeout":   {net.DNSError{Err: "i/o timeout", IsTimeout: true}, "network.no_dns_answer"},
		"otherwise": {net.DNSError{Err: "server misbehaving", IsTemporary: true}, "server misbehaving"},
	} {
		tt.err.Name = "x.example"
		err := error(&ResolveError{"x.example", truncate(&tt.err)})
		var dns *net.DNSError
		if cause, _ := message.FromError(err).Params["cause"].(message.Message); cause.String() != tt.want && message.FromError(err).Params["cause"] != tt.want || !errors.As(err, &dns) {
			t.Errorf("%s: %v, want %s", name, err, tt.want)
		}
	}
}

func TestResolveHasADeadline(t *testing.T) {
	g := New(mustPolicy(t, policy.Settings{AllowedDomains: []string{"slow.example.org"}}), Options{
		ResolveTimeout: 10 * time.Millisecond,
		Resolve: func(ctx context.Context, _ string) ([]netip.Addr, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		},
	})
	_, _, err := g.Check(t.Context(), policy.Request{Kind: policy.KindNavigate, URL: "https://slow.example.org/"})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error = %v, want a deadline", err)
	}
}

// flipping allows an address the first time and refuses it from then on, as
// an address does that changes between check and use.
type flipping struct {
	*policy.Policy
	mu    sync.Mutex
	asked int
}

func (f *flipping) DecideAddr(netip.AddrPort) policy.Decision {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.asked++; f.asked == 1 {
		return policy.Decision{Verdict: policy.Allow, Rule: policy.RuleAllowPrivate}
	}
	return policy.Decision{Rule: "flipped", Reason: message.Verbatim("it is not the same any more")}
}

func TestAddressIsCheckedAgainWhenDialled(t *testing.T) {
	target := newSite(t, false, nil)
	name := "http://flip.example.org:" + portOf(target)
	f := &flipping{Policy: mustPolicy(t, policy.Settings{AllowedDomains: []string{name}})}
	g := New(f, Options{Resolve: answers(map[string][]string{"flip.example.org": {"127.0.0.1"}})})
	_, err := g.Client(policy.Request{}).Get(name + "/")
	var denied *DeniedError
	if !errors.As(err, &denied) || denied.Decision.Rule != "flipped" {
		t.Errorf("error = %v, want the refusal of the second check", err)
	}
	if hits, _ := target.seen(); hits != 0 {
		t.Errorf("the server was reached %d times", hits)
	}
}

func TestOverridesAreLoopbackOnly(t *testing.T) {
	g := New(policy.FloorOnly(), Options{
		Overrides: map[string]netip.AddrPort{"example.org:443": netip.MustParseAddrPort("10.0.0.1:443")},
		Resolve:   answers(nil),
	})
	_, _, err := g.Check(t.Context(), policy.Request{Kind: policy.KindFetch, URL: "https://example.org/"})
	var unresolved *ResolveError
	if !errors.As(err, &unresolved) {
		t.Errorf("error = %v, want the override to be ignored and the name not found", err)
	}
}

func portOf(s *site) string {
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	return port
}

func TestTransportDialsOnlyDecidedRoutes(t *testing.T) {
	target := newSite(t, false, nil)
	g := New(policy.FloorOnly(), Options{})
	req := httptest.NewRequestWithContext(t.Context(), http.MethodGet, target.URL, bytes.NewReader(nil))
	_, err := g.plain.RoundTrip(req)
	if err == nil || !strings.Contains(i18n.English().Error(err), "not decided") {
		t.Errorf("error = %v, want it refused as not decided", err)
	}
}

// TestOwnPublicAddressIsPrivate checks that a public address of this machine counts as private.
// The machine's addresses can change.
func TestOwnPublicAddressIsPrivate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, _ := secureGuard(t, nil, nil, []string{"8.8.8.8"}, Options{})
		own, broken := []net.Addr{&net.IPNet{IP: net.IPv4(8, 8, 8, 8), Mask: net.CIDRMask(24, 32)}}, error(nil)
		g.localAddrs.list = func() ([]net.Addr, error) { return own, broken }
		check := func(when string, want policy.Verdict) {
			t.Helper()
			d, _, err := g.Check(t.Context(), policy.Request{Kind: policy.KindFetch, URL: "https://8.8.8.8/"})
			if err != nil || d.Verdict != want {
				t.Errorf("%s: %v %s %v, want %v", when, d.Verdict, d.Rule, err, want)
			}
		}
		check("it is ours", policy.Deny)
		own, broken = nil, errors.New("busy")
		time.Sleep(interfaceAge)
		check("the system doesn't say", policy.Deny)
		broken = nil
		time.Sleep(interfaceAge)
		check("it is no longer ours", policy.Allow)
	})
}
