package guard

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/build/must"
	"errand/planner/message"
	"errand/policy"
)

func TestBudget(t *testing.T) {
	s := newSite(t, true, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "0123456789") })
	hosts := []string{"example.com", "www.example.com"}
	get := func(g *Guard, host string) error {
		resp, err := g.Client(policy.Request{}).Get("https://" + host + "/")
		if err == nil {
			_, err = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}
		return err
	}
	tests := []struct {
		name   string
		budget Budget
		want   string // one letter a request to example.com, then www.example.com, in turn: y, n, or c for cut off
	}{
		{"none", Budget{}, "yyyy"},
		{"connections", Budget{Connections: 3}, "yyyn"},
		{"hosts", Budget{Hosts: 1}, "ynyn"},
		{"bytes", Budget{Bytes: 300}, "ycnn"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g, _ := secureGuard(t, s, nil, hosts, Options{Budget: tt.budget})
			got := ""
			for i := range tt.want {
				err := get(g, hosts[i%2])
				var denied *DeniedError
				var limit *LimitError
				switch {
				case err == nil:
					got += "y"
				case errors.As(err, &limit):
					got += "c"
				case errors.As(err, &denied) && denied.Decision.Rule == RuleBudget:
					got += "n"
				default:
					t.Fatal(err)
				}
			}
			if got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
			open := len(tt.want) - strings.Count(tt.want, "n")
			if n := g.Totals(); n.Connections != open || n.Stopped != len(tt.want)-strings.Count(tt.want, "y") || n.Received < 10 || n.Received > int64(200*open) {
				t.Errorf("totals = %+v", n)
			}
		})
	}
}

// TestBudgetCountsHeads checks that a URL and headers, of a request and of a response, count
// as traffic like a body. What is over the budget is not sent.
func TestBudgetCountsHeads(t *testing.T) {
	const size = 6000
	long := strings.Repeat("x", size)
	serve := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/answer" {
			w.Header().Set("X-Long", long)
		}
	}
	secure, plain := newSite(t, true, serve), newSite(t, false, serve)
	tests := []struct {
		name, target string
		set          func(http.Header)
		received     bool // whether the response is long
	}{
		{"query", "/?q=" + long, nil, false},
		{"path", "/" + long, nil, false},
		{"header", "/", func(h http.Header) { h.Set("X-Data", long) }, false},
		{"header name", "/", func(h http.Header) { h.Set("X-"+long, "1") }, false},
		{"repeated header", "/", func(h http.Header) { h["Cookie"] = []string{long[:size/2], long[size/2:]} }, false},
		{"response header", "/answer", nil, true},
	}
	for _, tt := range tests {
		for _, way := range []string{"https://example.com", "http://plain.example", "proxy"} {
			t.Run(tt.name+" "+way, func(t *testing.T) {
				for _, budget := range []int64{0, 3000} {
					g, rec := secureGuard(t, secure, plain, []string{"example.com", "http://plain.example"}, Options{Budget: Budget{Bytes: budget}})
					client, base := g.Client(policy.Request{}), way
					if way == "proxy" {
						client, base = browser(t, startProxy(t, g, ProxyOptions{}), secure), "http://plain.example"
					}
					before := hits(secure) + hits(plain)
					req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+tt.target, nil)
					must.Succeed(t, err)
					if tt.set != nil {
						tt.set(req.Header)
					}
					resp, err := client.Do(req)
					if err == nil {
						resp.Body.Close()
					}
					exceeded := err != nil || resp.StatusCode == http.StatusBadGateway
					if exceeded != (budget > 0) {
						t.Fatalf("budget %d: %v, %v", budget, resp, err)
					}
					if sent := hits(secure) + hits(plain) - before; budget > 0 && !tt.received && sent != 0 {
						t.Errorf("budget %d: the server got %d requests", budget, sent)
					}
					n := g.Totals()
					if heavy := map[bool]int64{false: n.Sent, true: n.Received}[tt.received]; heavy < size || n.Sent+n.Received > 2*size+3000 {
						t.Errorf("budget %d: totals = %+v", budget, n)
					}
					c := rec.list()[0]
					if c.Sent != n.Sent || c.Received != n.Received || (c.Rule == RuleBudget) != (budget > 0) || (c.Verdict == policy.Deny) != (budget > 0) {
						t.Errorf("budget %d: record = %+v, totals = %+v", budget, c, n)
					}
				}
			})
		}
	}
}

func hits(s *site) int {
	n, _ := s.seen()
	return n
}

// TestCheckCostsNothing checks that a check does not count as a connection.
func TestCheckCostsNothing(t *testing.T) {
	s := newSite(t, true, nil)
	g, _ := secureGuard(t, s, nil, []string{"example.com"}, Options{Budget: Budget{Connections: 1}})
	for range 3 {
		if d, _, err := g.Check(t.Context(), policy.Request{Kind: policy.KindFetch, URL: "https://example.com/"}); d.Verdict != policy.Allow || err != nil {
			t.Fatalf("%v %v", d, err)
		}
	}
	if resp, err := g.Client(policy.Request{}).Get("https://example.com/"); err != nil {
		t.Error(err)
	} else {
		resp.Body.Close()
	}
}

// TestBudgetEndsOpenConnections checks that the bytes of open connections count, and that a
// connection ends when it exceeds the budget.
func TestBudgetEndsOpenConnections(t *testing.T) {
	endless := func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			if _, err := w.Write(make([]byte, 10_000)); err != nil {
				return
			}
			w.(http.Flusher).Flush()
		}
	}
	secure, plain := newSite(t, true, endless), newSite(t, false, endless)
	for _, u := range []string{"https://example.com/", "http://plain.example/"} {
		t.Run(u, func(t *testing.T) {
			g, _ := secureGuard(t, secure, plain, []string{"example.com", "http://plain.example"}, Options{Budget: Budget{Bytes: 1_000_000}})
			p := startProxy(t, g, ProxyOptions{})
			resp, err := browser(t, p, secure).Get(u)
			must.Succeed(t, err)
			n, err := io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
			if err == nil || n > 1_000_000 {
				t.Errorf("%d bytes came through, %v", n, err)
			}
			if c := recorded(t, p, 1)[0]; c.Rule != RuleBudget || c.Verdict != policy.Deny {
				t.Errorf("record = %+v, want rule %s", c, RuleBudget)
			}
			if _, err := g.Client(policy.Request{}).Get(u); err == nil {
				t.Error("a connection was made after the budget was spent")
			}
		})
	}
}

// TestBudgetErrorNamesItsKey checks that the error of a limit names the key of the configuration
// that raises it.
func TestBudgetErrorNamesItsKey(t *testing.T) {
	for key, b := range map[string]Budget{"hosts": {Hosts: 1}, "bytes": {Bytes: 1}} {
		l := &ledger{budget: b, hosts: map[string]bool{}}
		l.spend("a.example")
		l.totals.Sent = 1
		if d := l.spend("b.example"); d.Verdict != policy.Deny || !d.Hint.Equal(message.New("network.raise_budget", "key", key)) {
			t.Errorf("%s: %+v", key, d)
		}
	}
	if text := i18n.English().Error(&LimitError{Kind: LimitRun, Limit: 1}); !strings.Contains(text, "errand config set policy.budget.bytes") {
		t.Error(text)
	}
}

// TestContinue checks that the traffic of a run's earlier guards counts against the budget of the
// next one, and that a host counts once.
func TestContinue(t *testing.T) {
	open := func(b Budget) *Guard {
		g := New(nil, Options{Budget: b})
		g.Continue(900, []string{"a.example", "b.example"})
		return g
	}
	hosts := &open(Budget{Hosts: 3}).ledger
	for _, tt := range []struct {
		host string
		want policy.Verdict
	}{{"a.example", policy.Allow}, {"c.example", policy.Allow}, {"b.example", policy.Allow}, {"d.example", policy.Deny}, {"c.example", policy.Allow}} {
		if d := hosts.spend(tt.host); d.Verdict != tt.want {
			t.Errorf("%s: %s, want %s", tt.host, d.Verdict, tt.want)
		}
	}
	g := open(Budget{Bytes: 1000})
	if d := g.ledger.spend("a.example"); d.Verdict != policy.Allow {
		t.Errorf("before the budget is spent: %+v", d)
	}
	if err := g.ledger.carry(60, 40); err != nil {
		t.Errorf("within the budget: %v", err)
	}
	if d := g.ledger.spend("a.example"); d.Verdict != policy.Deny {
		t.Errorf("after the budget is spent: %+v", d)
	}
	if err := g.ledger.carry(1, 0); err == nil {
		t.Error("bytes over the budget were carried")
	}
	if got := g.Totals(); got.Sent != 61 || got.Received != 40 || got.Hosts != 1 {
		t.Errorf("totals %+v have the earlier traffic", got)
	}
}
