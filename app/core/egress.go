package core

import (
	"fmt"
	"sync"

	"errand/host/trace"
	"errand/policy"
	"errand/policy/guard"
)

// egress counts what a session asks for, and stops it where the run's budget is
// spent. Bytes and hosts are the guard's to count, on the wire.
type egress struct {
	most int // requests; 0: no bound

	mu       sync.Mutex
	requests int
	stopped  int
	asked    string // a navigation that was asked about before the browser set out
}

// pass counts a request with policy's word on it, and is that word unless the
// budget is spent. Of a page that is opened it is asked twice: before the browser
// sets out, and by the browser.
func (e *egress) pass(r policy.Request, d policy.Decision) policy.Decision {
	e.mu.Lock()
	defer e.mu.Unlock()
	if r.Kind == policy.KindNavigate {
		again := e.asked == r.URL
		if e.asked = r.URL; again {
			e.asked = ""
			return d
		}
	}
	if d.Verdict == policy.Allow && e.most > 0 && e.requests >= e.most {
		d = policy.Decision{
			Rule: guard.RuleBudget, Reason: fmt.Sprintf("the run has used up its %d requests", e.most),
			Hint: "raise requests in [policy.budget] of errand.toml, or set it to 0 for no bound",
		}
	}
	if d.Verdict == policy.Allow {
		e.requests++
	} else {
		e.stopped++
	}
	return d
}

// budget is what the config bounds of one run on the wire.
func (a *App) budget() guard.Budget {
	b := a.conf.Policy.Budget
	return guard.Budget{Hosts: b.Hosts, Bytes: int64(b.Bytes)}
}

// account is what the session let out and held back so far, with its bounds.
func (s *session) account() trace.Egress {
	t, b := s.guard.Totals(), s.app.conf.Policy.Budget
	s.egress.mu.Lock()
	defer s.egress.mu.Unlock()
	return trace.Egress{
		Requests: s.egress.requests, Stopped: s.egress.stopped, Connections: t.Connections, Hosts: t.Hosts, Sent: t.Sent, Received: t.Received,
		MaxRequests: b.Requests, MaxHosts: b.Hosts, MaxBytes: int64(b.Bytes),
	}
}
