package resident

import (
	"errors"
	"sync"

	"errand/app/session"
	"errand/host/resident"
	"errand/host/trace"
	"errand/planner/message"
	"errand/policy"
	"errand/policy/guard"
)

// callID identifies a call of a run.
type callID struct{ run, call string }

func idOf(r policy.Request) callID { return callID{r.Run, r.Call} }

// call is a call that is being made.
type call struct {
	id      callID
	session *session.Session
	policy  policy.Chain // with the hosts that its run may contact
	before  guard.Totals
	events  resident.Events

	mu    sync.Mutex
	ended bool
}

// calls are the calls that are being made.
type calls struct {
	mu     sync.Mutex
	active map[callID]*call
}

var errTwice = message.Error("resident.call_twice")

// begin opens a session for a call: its policy, budget and notes.
func (p *Process) begin(r resident.Request, e resident.Events) (*call, error) {
	c := &call{id: callID{r.Visit.Run, r.Caller.ActionID}, policy: p.o.Policy, before: p.totals(), events: e}
	sessions := p.base
	if len(r.Visit.Allow) > 0 {
		var err error
		if c.policy, err = p.o.Policy.WithAllowed(r.Visit.Allow...); err != nil {
			return nil, err
		}
		keeper := *p.o.Grants
		keeper.Policy = c.policy
		sessions = p.o.Sessions(c.policy, &keeper)
	}
	var err error
	if c.session, err = sessions.New(r.Visit.Run, r.Visit.Origin, c.note); err != nil {
		return nil, err
	}
	c.session.Continue(trace.Use{Requests: r.Visit.Requests})
	if r.Visit.Approved {
		c.session.Approve()
	}
	p.calls.mu.Lock()
	defer p.calls.mu.Unlock()
	if p.calls.active[c.id] != nil {
		return nil, errors.Join(errTwice, c.session.End())
	}
	p.calls.active[c.id] = c
	return c, nil
}

// end ends a call. Its notes go nowhere from now on.
func (cs *calls) end(c *call) {
	cs.mu.Lock()
	delete(cs.active, c.id)
	cs.mu.Unlock()
	_ = c.session.End()
	c.mu.Lock()
	c.ended = true
	c.mu.Unlock()
}

// find returns a call that is being made; nil: there is no such call.
func (cs *calls) find(id callID) *call {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	return cs.active[id]
}

func (cs *calls) count() int {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	return len(cs.active)
}

// note passes on what happens for a call. What the user does in the window is not recorded.
func (cs *calls) note(of policy.Request, n trace.Note) {
	if c := cs.find(idOf(of)); c != nil {
		if _, isConnection := n.(trace.ConnectionNote); isConnection {
			c.session.BrowserNote(of.Call, n)
			return
		}
		c.note(n)
	}
}

func (c *call) note(n trace.Note) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ended {
		c.events.Note(n)
	}
}

// egress returns the network use of the call.
func (c *call) egress(now guard.Totals) trace.Egress {
	e := c.session.Account()
	e.Connections, e.Hosts = now.Connections-c.before.Connections, now.Hosts-c.before.Hosts
	e.Sent, e.Received = now.Sent-c.before.Sent, now.Received-c.before.Received
	return e
}
