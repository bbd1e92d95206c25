package guard

import (
	"sync"

	"errand/planner/message"
	"errand/policy"
)

// Budget limits the traffic of a guard during its lifetime, which is one attempt of a
// run, together with the earlier attempts that [Guard.Continue] adds. It stops slow
// leaks, such as a few bytes at a time. A zero field means no limit.
type Budget struct {
	Connections int   // allowed connections
	Hosts       int   // distinct names and addresses
	Bytes       int64 // sent plus received; a connection that exceeds the limit is closed
}

// Totals is the traffic that a guard has let through and blocked so far.
type Totals struct {
	Connections int   `json:"connections"` // allowed ones
	Stopped     int   `json:"stopped"`
	Hosts       int   `json:"hosts"`
	Sent        int64 `json:"sent"` // bytes, including those of open connections
	Received    int64 `json:"received"`
}

// RuleBudget is the rule of a connection that is denied because the budget is
// exhausted.
const RuleBudget = "guard.budget"

// ledger keeps the counts of one guard.
type ledger struct {
	budget Budget

	mu     sync.Mutex
	totals Totals
	hosts  map[string]bool
	// of earlier guards of the run, which count against the budget
	earlierBytes int64
	earlierHosts map[string]bool
	newHosts     int // of hosts that are not in earlierHosts
}

// Continue counts the traffic of earlier guards of the run against the budget. Call it
// before the first connection. [Guard.Totals] does not include it.
func (g *Guard) Continue(bytes int64, hosts []string) {
	l := &g.ledger
	l.mu.Lock()
	defer l.mu.Unlock()
	l.earlierBytes, l.earlierHosts = bytes, make(map[string]bool, len(hosts))
	for _, h := range hosts {
		l.earlierHosts[h] = true
	}
}

// spend counts an allowed connection before its name is looked up. It denies the
// connection if that exceeds a limit.
func (l *ledger) spend(host string) policy.Decision {
	l.mu.Lock()
	defer l.mu.Unlock()
	b, t, known := l.budget, &l.totals, l.hosts[host]
	var used message.Message
	key := ""
	switch {
	case b.Connections > 0 && t.Connections >= b.Connections:
		used = message.New("network.connections_used_up", "limit", b.Connections)
	case b.Hosts > 0 && !known && !l.earlierHosts[host] && len(l.earlierHosts)+l.newHosts >= b.Hosts:
		used, key = message.New("network.hosts_used_up", "limit", b.Hosts), "hosts"
	case b.Bytes > 0 && l.earlierBytes+t.Sent+t.Received >= b.Bytes:
		used, key = message.New("network.bytes_used_up", "limit", b.Bytes), "bytes"
	default:
		t.Connections++
		if !known {
			t.Hosts++
			l.hosts[host] = true
			if !l.earlierHosts[host] {
				l.newHosts++
			}
		}
		return policy.Decision{Verdict: policy.Allow, Rule: RuleBudget, Reason: message.New("network.within_budget")}
	}
	d := policy.Decision{Rule: RuleBudget, Reason: used}
	if key != "" {
		d.Hint = raise(key)
	}
	return d
}

// carry counts bytes after they were transferred. A run can therefore exceed its budget by
// one read of each connection.
func (l *ledger) carry(sent, received int64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.totals.Sent += sent
	l.totals.Received += received
	if most := l.budget.Bytes; most > 0 && l.earlierBytes+l.totals.Sent+l.totals.Received > most {
		return &LimitError{LimitRun, most}
	}
	return nil
}

// addClosed counts a closed connection.
func (l *ledger) addClosed(c Connection) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c.Verdict != policy.Allow {
		l.totals.Stopped++
	}
}

// Totals returns the traffic that the guard has let through and blocked so far.
func (g *Guard) Totals() Totals {
	g.ledger.mu.Lock()
	defer g.ledger.mu.Unlock()
	return g.ledger.totals
}
