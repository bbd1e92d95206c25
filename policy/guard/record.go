package guard

import (
	"sync/atomic"
	"time"

	"errand/policy"
)

// Connection is the record of one connection, made or stopped.
type Connection struct {
	Time     time.Time      `json:"time"`
	Host     string         `json:"host"`
	Port     int            `json:"port"`
	Addr     string         `json:"addr,omitempty"` // what was dialled, "address:port"
	Method   string         `json:"method"`         // GET, …, CONNECT
	Tool     string         `json:"tool,omitempty"` // that asks; empty for the browser's
	Call     string         `json:"call,omitempty"` // of that tool
	Verdict  policy.Verdict `json:"verdict"`
	Rule     string         `json:"rule"`
	Reason   string         `json:"reason"`
	Error    string         `json:"error,omitempty"` // why an allowed connection failed
	Sent     int64          `json:"sent"`            // bytes of bodies or of a tunnel
	Received int64          `json:"received"`
	Duration time.Duration  `json:"duration_ns"`
}

func connection(method string, way *route) Connection {
	c := Connection{
		Time: time.Now(), Method: method, Host: way.target.Host, Port: int(way.target.Port),
		Verdict: way.decision.Verdict, Rule: way.decision.Rule, Reason: way.decision.Reason,
	}
	return c
}

// done ends a record and hands it on.
func (g *Guard) done(c Connection, way *route) Connection {
	c.Duration = time.Since(c.Time)
	if a := way.dialled.Load(); a != nil {
		c.Addr = a.String()
	}
	g.ledger.settle(c)
	if g.o.Record != nil {
		g.o.Record(c)
	}
	return c
}

// traffic counts the bytes of a connection while it lasts, for itself and for
// the run.
type traffic struct {
	ledger         *ledger
	sent, received atomic.Int64
}

// move counts bytes that went either way. The error is a [*LimitError] once the
// run has moved more than it may.
func (t *traffic) move(sent, received int) error {
	t.sent.Add(int64(sent))
	t.received.Add(int64(received))
	return t.ledger.carry(int64(sent), int64(received))
}

func (t *traffic) total() int64 { return t.sent.Load() + t.received.Load() }
