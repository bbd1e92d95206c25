package session

import (
	"strings"
	"testing"

	"errand/app/config"
	"errand/host/trace"
	"errand/policy"
	"errand/policy/guard"
)

// TestEgressBudget: a run lets out as many requests as it may, a question before a
// request is made counts as none, and what is stopped is counted.
func TestEgressBudget(t *testing.T) {
	ss := newSessions(t, config.Options{}, "ERRAND_POLICY_BUDGET_REQUESTS=3", "ERRAND_POLICY_BUDGET_HOSTS=2", "ERRAND_POLICY_BUDGET_BYTES=1000")
	s := opening(t, ss)
	page := navigate("https://youtube.com/")
	ahead := page
	ahead.Preview = true
	socket := policy.Request{Kind: policy.KindSubresource, URL: "wss://i.ytimg.com/", PathHidden: true}
	load := policy.Request{Kind: policy.KindSubresource, URL: "https://i.ytimg.com/a.png"}
	for i, step := range []struct {
		r    policy.Request
		want policy.Verdict
	}{
		{ahead, policy.Allow},
		{page, policy.Allow},
		{page, policy.Allow}, // by the page itself
		{navigate("http://127.0.0.1/"), policy.Deny},
		{ahead, policy.Allow},
		{page, policy.Allow},
		{ahead, policy.Deny},
		{load, policy.Deny},
		{navigate("https://github.com/"), policy.Deny},
	} {
		if d := s.Decide(step.r); d.Verdict != step.want {
			t.Errorf("%d: %s by %s, want %s", i, d.Verdict, d.Rule, step.want)
		}
	}
	if d := (wire{s}).Decide(policy.Request{Kind: policy.KindFetch, URL: "https://github.com/"}); d.Rule != guard.RuleBudget || d.Hint.IsZero() {
		t.Errorf("a plugin's fetch: %+v", d)
	}
	if d := s.proxyOptions().Charge(socket, policy.Decision{Verdict: policy.Allow}); d.Rule != guard.RuleBudget {
		t.Errorf("a socket: %+v", d)
	}
	got := s.Account()
	if got.Requests != 3 || got.Stopped != 6 || got.MaxRequests != 3 || got.MaxHosts != 2 || got.MaxBytes != 1000 {
		t.Errorf("account %+v", got)
	}
	if b := ss.budget(); b.Hosts != 2 || b.Bytes != 1000 {
		t.Errorf("on the wire: %+v", b)
	}
	free := newSessions(t, config.Options{}, "ERRAND_POLICY_BUDGET_REQUESTS=0")
	unbound := opening(t, free)
	for range 50 {
		if d := unbound.Decide(load); d.Verdict != policy.Allow {
			t.Fatalf("without a bound: %+v", d)
		}
	}
}

// TestConnectionNote: what the browser sends by itself is a connection of the record, with its
// URL or a text that says why it has none; what a page sent is noted by the browser.
func TestConnectionNote(t *testing.T) {
	s := opening(t, newSessions(t, config.Options{}))
	const url = "http://ann:pw@a.example/x"
	for _, tt := range []struct {
		name      string
		c         guard.Connection
		kind, url string
		source    string
	}{
		{"tunnel of a page", guard.Connection{Verdict: policy.Allow}, "wire", "", ""},
		{"request of a page", guard.Connection{Verdict: policy.Allow, URL: url}, "wire", "http://a.example/x", ""},
		{"tunnel", guard.Connection{Verdict: policy.Allow, Unasked: true}, "connection", "", "session.browser_tunnel"},
		{"request", guard.Connection{Verdict: policy.Allow, Unasked: true, URL: url}, "connection", "http://a.example/x", "session.browser_request"},
		{"denied tunnel", guard.Connection{Verdict: policy.Deny, Unasked: true}, "connection", "", "session.browser_tunnel"},
		{"denied request", guard.Connection{Verdict: policy.Deny, Unasked: true, URL: url}, "connection", "http://a.example/x", "session.browser_request"},
		{"plugin", guard.Connection{Verdict: policy.Allow, Tool: "http.fetch"}, "connection", "", ""},
	} {
		tt.c.Host, tt.c.Port = "a.example", 80
		n := s.connectionNote(tt.c)
		if n.Kind() != tt.kind || n.URL != tt.url || n.Source.Code != tt.source || n.Host != "a.example:80" {
			t.Errorf("%s: %+v", tt.name, n)
		}
	}
	long := s.connectionNote(guard.Connection{Verdict: policy.Allow, Unasked: true, URL: "http://a.example/" + strings.Repeat("x", 100_000)})
	if len(long.URL) > 10_000 {
		t.Errorf("a URL of %d bytes is recorded", len(long.URL))
	}
}

func navigate(url string) policy.Request { return policy.Request{Kind: policy.KindNavigate, URL: url} }

// TestBudgetOfALaterAttempt: a later attempt of a run has what the earlier ones left.
func TestBudgetOfALaterAttempt(t *testing.T) {
	ss := newSessions(t, config.Options{}, "ERRAND_POLICY_BUDGET_REQUESTS=3")
	s := opening(t, ss)
	s.Continue(trace.Use{Requests: 2})
	page := navigate("https://youtube.com/")
	if d := s.Decide(page); d.Verdict != policy.Allow {
		t.Errorf("the third request: %+v", d)
	}
	if d := s.Decide(page); d.Rule != guard.RuleBudget {
		t.Errorf("the fourth request: %+v", d)
	}
	if got := s.Account(); got.Requests != 1 {
		t.Errorf("account %+v has earlier requests", got)
	}
	spent := opening(t, ss)
	spent.Continue(trace.Use{Requests: 30})
	if d := spent.Decide(page); d.Rule != guard.RuleBudget {
		t.Errorf("nothing is left: %+v", d)
	}
}
