package guard

import (
	"fmt"
	"sync"

	"errand/policy"
)

// Budget bounds what a guard lets out in its life, which is one run's. What
// leaks slowly, a name or a few bytes at a time, meets it. Zero fields are no
// bound.
type Budget struct {
	Connections int   // that were allowed
	Hosts       int   // different names and addresses
	Bytes       int64 // sent and received; a connection that passes it ends there
}

// Totals is what a guard has let out and held back so far.
type Totals struct {
	Connections int   `json:"connections"` // allowed
	Stopped     int   `json:"stopped"`
	Hosts       int   `json:"hosts"`
	Sent        int64 `json:"sent"` // bytes, of connections that last as well
	Received    int64 `json:"received"`
}

// RuleBudget is the rule of a connection that came after the budget was spent.
const RuleBudget = "guard.budget"

// ledger counts for one guard.
type ledger struct {
	budget Budget

	mu     sync.Mutex
	totals Totals
	hosts  map[string]bool
}

// spend counts an allowed connection before its name is looked up, or says
// which bound it would pass.
func (l *ledger) spend(host string) policy.Decision {
	l.mu.Lock()
	defer l.mu.Unlock()
	b, t, known := l.budget, &l.totals, l.hosts[host]
	over, key := "", ""
	switch {
	case b.Connections > 0 && t.Connections >= b.Connections:
		over = fmt.Sprintf("%d connections", b.Connections)
	case b.Hosts > 0 && !known && t.Hosts >= b.Hosts:
		over, key = fmt.Sprintf("%d hosts", b.Hosts), "hosts"
	case b.Bytes > 0 && t.Sent+t.Received >= b.Bytes:
		over, key = fmt.Sprintf("%d bytes", b.Bytes), "bytes"
	default:
		t.Connections++
		if !known {
			t.Hosts++
			l.hosts[host] = true
		}
		return policy.Decision{Verdict: policy.Allow, Rule: RuleBudget, Reason: "within the run's budget"}
	}
	d := policy.Decision{Rule: RuleBudget, Reason: "the run has used up its " + over}
	if key != "" {
		d.Hint = raise(key)
	}
	return d
}

// carry counts bytes as they move. They have moved when the budget says no, so
// that a run passes it by one read of each connection at most.
func (l *ledger) carry(sent, received int64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.totals.Sent += sent
	l.totals.Received += received
	if most := l.budget.Bytes; most > 0 && l.totals.Sent+l.totals.Received > most {
		return &LimitError{runTraffic, most}
	}
	return nil
}

// settle counts a record once its connection is over.
func (l *ledger) settle(c Connection) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c.Verdict != policy.Allow {
		l.totals.Stopped++
	}
}

// Totals is what the guard has let out and held back so far.
func (g *Guard) Totals() Totals {
	g.ledger.mu.Lock()
	defer g.ledger.mu.Unlock()
	return g.ledger.totals
}
