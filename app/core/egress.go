package core

import (
	"fmt"
	"sync"

	"errand/host/trace"
	"errand/policy"
	"errand/policy/guard"
)

// outlet counts what a session asks for, and stops it where the run's budget is
// spent. Bytes and hosts are the guard's to count, on the wire.
type outlet struct {
	most int // requests; 0: no bound

	mu       sync.Mutex
	requests int
	stopped  int
	asked    string // a navigation that was asked about before the browser set out
}

// pass counts a request with policy's word on it, and is that word unless the
// budget is spent. Of a page that is opened it is asked twice: before the browser
// sets out, and by the browser.
func (o *outlet) pass(r policy.Request, d policy.Decision) policy.Decision {
	o.mu.Lock()
	defer o.mu.Unlock()
	if r.Kind == policy.KindNavigate {
		again := o.asked == r.URL
		if o.asked = r.URL; again {
			o.asked = ""
			return d
		}
	}
	if d.Verdict == policy.Allow && o.most > 0 && o.requests >= o.most {
		d = policy.Decision{
			Rule: guard.RuleBudget, Reason: fmt.Sprintf("the run has used up its %d requests", o.most),
			Hint: "raise requests in [policy.budget] of errand.toml, or set it to 0 for no bound",
		}
	}
	if d.Verdict == policy.Allow {
		o.requests++
	} else {
		o.stopped++
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
	s.outlet.mu.Lock()
	defer s.outlet.mu.Unlock()
	return trace.Egress{
		Requests: s.outlet.requests, Stopped: s.outlet.stopped, Connections: t.Connections, Hosts: t.Hosts, Sent: t.Sent, Received: t.Received,
		MaxRequests: b.Requests, MaxHosts: b.Hosts, MaxBytes: int64(b.Bytes),
	}
}
