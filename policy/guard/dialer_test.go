package guard

import (
	"crypto/tls"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"errand/app/i18n"
	"errand/build/must"
	"errand/policy"
)

// TestDialer checks that a connection is decided by its host, port and scheme, and recorded with
// its bytes when it is closed.
func TestDialer(t *testing.T) {
	s := newSite(t, true, nil)
	plain := newSite(t, false, nil)
	g, rec := secureGuard(t, s, plain, []string{"example.com", "http://plain.example"}, Options{})

	conn, err := g.Dialer(policy.Request{Tool: "grpc.call", Call: "a1"}, "https").DialContext(t.Context(), "tcp", "example.com:443")
	must.Succeed(t, err)
	secure := tls.Client(conn, &tls.Config{ServerName: "example.com", RootCAs: g.o.RootCAs})
	must.Succeed(t, secure.HandshakeContext(t.Context()))
	if len(rec.list()) != 0 {
		t.Error("the connection is recorded before it is closed")
	}
	secure.Close()
	conn.Close()

	conn, err = g.Dialer(policy.Request{}, "http").DialContext(t.Context(), "tcp", "plain.example:80")
	must.Succeed(t, err)
	io.WriteString(conn, "GET / HTTP/1.0\r\n\r\n")
	answer, err := io.ReadAll(conn)
	if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.0 200") {
		t.Errorf("answer %q, %v", answer, err)
	}
	conn.Close()

	all := rec.list()
	if len(all) != 2 || all[0].Method != "DIAL" || all[0].Tool != "grpc.call" || all[0].Call != "a1" || all[0].Sent == 0 || all[0].Received == 0 ||
		all[0].Addr != s.addr().String() || all[1].Sent != 18 || all[1].Received != int64(len(answer)) {
		t.Errorf("records = %+v", all)
	}
	if n := g.Totals(); n.Connections != 2 || n.Hosts != 2 || n.Stopped != 0 {
		t.Errorf("totals = %+v", n)
	}
}

// TestDialerRefuses checks that a denied connection opens no socket.
func TestDialerRefuses(t *testing.T) {
	s := newSite(t, false, nil)
	g, rec := secureGuard(t, nil, nil, []string{"example.com", "example.com:8443"}, Options{})
	for address, rule := range map[string]string{
		s.addr().String():        policy.RulePrivateAddress,
		"localhost:" + portOf(s): policy.RuleSpecialName,
		"other.example:443":      policy.RuleUnlisted,
		"example.com:444":        policy.RuleUnlisted,
		"example.com:22":         policy.RuleBadPort,
		"example.com":            "",
		"u@example.com:443":      policy.RuleRaw,
		"example.com:443/x":      "",
	} {
		conn, err := g.Dialer(policy.Request{}, "https").DialContext(t.Context(), "tcp", address)
		var denied *DeniedError
		if rule == "" {
			if err == nil || !strings.HasPrefix(i18n.English().Error(err), "dial "+address) {
				t.Errorf("%s: %v, %v, want it refused as an address", address, conn, err)
			}
			continue
		}
		if !errors.As(err, &denied) || denied.Decision.Rule != rule {
			t.Errorf("%s: error = %v, want a refusal by %s", address, err, rule)
		}
	}
	if _, err := g.Dialer(policy.Request{}, "http").DialContext(t.Context(), "tcp", "example.com:443"); err == nil {
		t.Error("a host that is listed for TLS was dialled without it")
	}
	if _, err := g.Dialer(policy.Request{}, "https").DialContext(t.Context(), "udp", "example.com:443"); err == nil {
		t.Error("a UDP connection was opened")
	}
	if hits, _ := s.seen(); hits != 0 {
		t.Errorf("the server was reached %d times", hits)
	}
	for _, c := range rec.list() {
		if c.Method != "DIAL" || c.Addr != "" {
			t.Errorf("record %+v", c)
		}
	}
}

// TestDialerBudget checks that a connection ends when the run's budget of bytes is used up, and
// is recorded as stopped.
func TestDialerBudget(t *testing.T) {
	plain := newSite(t, false, nil)
	g, rec := secureGuard(t, nil, plain, []string{"http://plain.example"}, Options{Budget: Budget{Bytes: 20}})
	conn, err := g.Dialer(policy.Request{}, "http").DialContext(t.Context(), "tcp", "plain.example:80")
	must.Succeed(t, err)
	io.WriteString(conn, "GET / HTTP/1.0\r\n\r\n")
	var limit *LimitError
	if _, err := io.ReadAll(conn); !errors.As(err, &limit) {
		t.Errorf("error = %v, want a limit", err)
	}
	if err := conn.Close(); err == nil {
		t.Error("the connection was still open")
	}
	if all := rec.list(); len(all) != 1 || all[0].Rule != RuleBudget || all[0].Verdict != policy.Deny {
		t.Errorf("records = %+v", all)
	}
	var denied *DeniedError
	if _, err := g.Dialer(policy.Request{}, "http").DialContext(t.Context(), "tcp", "plain.example:80"); !errors.As(err, &denied) || denied.Decision.Rule != RuleBudget {
		t.Errorf("error = %v, want a refusal by the budget", err)
	}
}

// TestDialerRebinding checks that a name whose second answer is an address of this machine is
// looked up once for each connection, and that the address is denied.
func TestDialerRebinding(t *testing.T) {
	dns := newRebinder(t)
	victim := newSite(t, false, nil)
	host := "rebind.example:" + portOf(victim)
	g := New(mustPolicy(t, policy.Settings{AllowedDomains: []string{"http://" + host}}), Options{
		DialTimeout: 100 * time.Millisecond, // nothing answers at the public address here
		Resolve:     dns.resolve,
	})
	for i := range 3 {
		if conn, err := g.Dialer(policy.Request{}, "http").DialContext(t.Context(), "tcp", host); err == nil {
			conn.Close()
			t.Fatal("connected")
		} else if denied := new(DeniedError); i > 0 && (!errors.As(err, &denied) || denied.Decision.Rule != policy.RulePrivateAddress) {
			t.Errorf("time %d: %v, want a refusal by %s", i+1, err, policy.RulePrivateAddress)
		}
		if n := dns.lookups("rebind.example"); n != i+1 {
			t.Errorf("%d look-ups after %d connections", n, i+1)
		}
	}
	if hits, _ := victim.seen(); hits != 0 {
		t.Errorf("the private server was reached %d times", hits)
	}
}
