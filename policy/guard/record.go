package guard

import (
	"sync/atomic"
	"time"

	"errand/planner/message"
	"errand/policy"
)

// Connection is the record of one connection, finished or refused.
type Connection struct {
	Time     time.Time       `json:"time"`
	Host     string          `json:"host"`
	Port     int             `json:"port"`
	Addr     string          `json:"addr,omitempty"`    // the dialled "address:port"
	Method   string          `json:"method"`            // GET, …, CONNECT
	URL      string          `json:"url,omitempty"`     // of a request without TLS; a tunnel hides its URLs
	Tool     string          `json:"tool,omitempty"`    // the tool that connected; empty for the browser
	Call     string          `json:"call,omitempty"`    // the tool's call
	Unasked  bool            `json:"unasked,omitempty"` // the browser made it by itself: no page asked policy before; only with [ProxyOptions.Charge]
	Verdict  policy.Verdict  `json:"verdict"`
	Rule     string          `json:"rule"`
	Reason   message.Message `json:"reason"`
	Error    message.Message `json:"error,omitzero"` // why an allowed connection failed
	Sent     int64           `json:"sent"`           // bytes of both messages with their heads, or of a tunnel
	Received int64           `json:"received"`
	Duration time.Duration   `json:"duration_ns"`
}

func connection(method string, route *route) Connection {
	c := Connection{
		Time: time.Now(), Method: method, Host: route.target.Host, Port: int(route.target.Port),
		Verdict: route.decision.Verdict, Rule: route.decision.Rule, Reason: route.decision.Reason,
	}
	return c
}

// completeRecord completes a record and reports it.
func (g *Guard) completeRecord(c Connection, route *route) Connection {
	c.Duration = time.Since(c.Time)
	if a := route.dialled.Load(); a != nil {
		c.Addr = a.String()
	}
	g.ledger.addClosed(c)
	if g.o.Record != nil {
		g.o.Record(c)
	}
	return c
}

// traffic counts the bytes of an open connection, for the connection and for the run.
type traffic struct {
	ledger              *ledger
	sentBytes, received atomic.Int64
}

// move counts transferred bytes. The error is a [*LimitError] once the run exceeds its
// budget.
func (t *traffic) move(sent, received int) error {
	t.sentBytes.Add(int64(sent))
	t.received.Add(int64(received))
	return t.ledger.carry(int64(sent), int64(received))
}

func (t *traffic) total() int64 { return t.sentBytes.Load() + t.received.Load() }
