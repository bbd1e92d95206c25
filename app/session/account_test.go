package session

import (
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
