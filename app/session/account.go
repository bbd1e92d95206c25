package session

import (
	"net"
	"strconv"
	"sync"

	"errand/host/browser/address"
	"errand/host/trace"
	"errand/planner/message"
	"errand/policy"
	"errand/policy/guard"
)

// requestBudget counts the requests of a session, and denies further ones when the
// run's budget is used up. The guard counts bytes and hosts.
type requestBudget struct {
	limit int // requests; 0: no bound

	mu       sync.Mutex
	earlier  int // requests of earlier attempts of the run
	requests int
	stopped  int
}

// pass counts a request that policy has decided. It returns the decision, or a denial
// if the budget is used up. It does not count a preview, unless it denies a page: that
// page is never requested.
func (o *requestBudget) pass(r policy.Request, d policy.Decision) policy.Decision {
	o.mu.Lock()
	defer o.mu.Unlock()
	if d.Verdict == policy.Allow && o.limit > 0 && o.earlier+o.requests >= o.limit {
		d = policy.Decision{
			Rule: guard.RuleBudget, Reason: message.New("session.requests_used_up", "limit", o.limit),
			Hint: message.New("session.requests_used_up_hint"),
		}
	}
	switch {
	case r.Preview && (d.Verdict == policy.Allow || r.Kind != policy.KindNavigate):
	case d.Verdict != policy.Allow:
		o.stopped++
	default:
		o.requests++
	}
	return d
}

// count counts a request, whatever policy says.
func (o *requestBudget) count() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.requests++
}

// Continue has what earlier attempts of the run used count against its budget. Call it before
// the session is used. [Session.Account] doesn't contain it.
func (s *Session) Continue(used trace.Use) {
	s.budget.mu.Lock()
	s.budget.earlier = used.Requests
	s.budget.mu.Unlock()
	s.guard.Continue(used.Bytes, used.Hosts)
}

// budget returns the configured limits of one run's traffic.
func (ss *Sessions) budget() guard.Budget {
	b := ss.o.Config.Policy.Budget
	return guard.Budget{Hosts: b.Hosts, Bytes: int64(b.Bytes)}
}

// Account returns what the session sent, received and blocked so far, with its limits.
func (s *Session) Account() trace.Egress {
	t, b, attached := s.guard.Totals(), s.sessions.o.Config.Policy.Budget, s.NetworkPolicy() != ""
	s.budget.mu.Lock()
	defer s.budget.mu.Unlock()
	s.visit.mu.Lock()
	defer s.visit.mu.Unlock()
	v := s.visit.egress
	return trace.Egress{
		Requests: s.budget.requests + v.Requests, Stopped: s.budget.stopped + v.Stopped, Connections: t.Connections + v.Connections,
		Hosts: max(t.Hosts, v.Hosts), Sent: t.Sent + v.Sent, Received: t.Received + v.Received,
		Unenforced: attached, MaxRequests: b.Requests, MaxHosts: b.Hosts, MaxBytes: int64(b.Bytes),
	}
}

// browserNote adds the host to what the browser notes of a request: the record
// counts connections by it.
func (s *Session) browserNote(n trace.Note) {
	step := ""
	if as := s.opener.Load(); as != nil {
		step = as.Call
	}
	s.BrowserNote(step, n)
}

// connectionNote is a connection of the session, with the step that it is for. What
// went over the wire for a page is apart: the browser has already noted each
// request that it let through, with its URL. What the browser sent by itself it has not.
func (s *Session) connectionNote(c guard.Connection) trace.ConnectionNote {
	step := c.Call
	if as := s.opener.Load(); step == "" && as != nil {
		step = as.Call
	}
	var source message.Message
	switch {
	case !c.Unasked:
	case c.URL != "":
		source = message.New("session.browser_request")
	default:
		source = message.New("session.browser_tunnel")
	}
	return trace.ConnectionNote{
		Wire: c.Verdict == policy.Allow && c.Tool == "" && !c.Unasked,
		URL:  address.Clip(address.StripUser(c.URL)), Source: source,
		Host: net.JoinHostPort(c.Host, strconv.Itoa(c.Port)), Verdict: c.Verdict.String(), Rule: c.Rule, Reason: c.Reason,
		Address: c.Addr, Tool: c.Tool, Sent: c.Sent, Received: c.Received, Error: c.Error, Step: step,
	}
}
