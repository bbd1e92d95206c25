package session

import (
	"cmp"
	"net/http"
	"net/netip"

	"errand/host/tool"
	"errand/planner/plan"
	"errand/policy"
	"errand/policy/guard"
)

// subject returns the request to policy about a call of the session's run.
func (s *Session) subject(c tool.Caller) policy.Request {
	return policy.Request{
		Origin: plan.Origin(c.Origin), Tool: c.Tool, Effect: string(c.Effect), Plugin: c.Plugin, Run: s.run(), Call: c.ActionID,
	}
}

// run returns the id of the session's run for grants.
func (s *Session) run() string {
	if s.runID == "" {
		return policy.FutureRun
	}
	return s.runID
}

// outsideRequests decides about requests outside of runs, for which no grant of a run
// applies.
type outsideRequests struct{ sessions *Sessions }

func (o outsideRequests) Decide(r policy.Request) policy.Decision {
	r.At = o.sessions.o.Now()
	return o.sessions.o.Grants.Decide(r)
}

func (o outsideRequests) DecideAddr(a netip.AddrPort) policy.Decision {
	return o.sessions.o.Policy.DecideAddr(a)
}

// wire decides about the connections of a session's guard.
type wire struct{ s *Session }

func (w wire) Decide(r policy.Request) policy.Decision {
	o := &w.s.sessions.o
	r.At, r.Approved = o.Now(), r.Approved || w.s.isApproved.Load()
	switch {
	case r.Kind == policy.KindFetch:
		return w.s.budget.pass(r, o.Grants.Use(r))
	case r.Tool == "": // the proxy: what a grant opens the browser's interception has admitted
		r.Origin = cmp.Or(w.s.someOpener().Origin, r.Origin)
		return o.Policy.Decide(r)
	}
	return o.Grants.Decide(r) // a look before anything is done
}

func (w wire) DecideAddr(a netip.AddrPort) policy.Decision {
	return w.s.sessions.o.Policy.DecideAddr(a)
}

// PluginClient is the client of a plugin's tool. The plugin host is shared by
// all runs: each request goes the way of the run whose call it is of, in its
// record and by its grants.
func (ss *Sessions) PluginClient(g *guard.Guard, caller string, hosts []string) *http.Client {
	as := policy.Request{Kind: policy.KindFetch, Origin: plan.UserGoal, Tool: caller, Hosts: hosts, HostSet: policy.ParseHosts(hosts)}
	c := g.Client(as)
	c.Transport = runTransport{ss, as, c.Transport}
	return c
}

type runTransport struct {
	sessions   *Sessions
	caller     policy.Request
	withoutRun http.RoundTripper // where there is no run
}

// RoundTrip implements [http.RoundTripper].
func (t runTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	c, called := tool.CallerFrom(r.Context())
	s := t.sessions.Find(c.RunID)
	if !called || s == nil {
		return bindingTransport{t.sessions, t.withoutRun, func(guard.Connection) {}, t.caller}.RoundTrip(r)
	}
	as := s.subject(c)
	as.Kind, as.Hosts, as.HostSet = t.caller.Kind, t.caller.Hosts, t.caller.HostSet
	note := func(c guard.Connection) { s.note(s.connectionNote(c)) }
	return bindingTransport{t.sessions, s.guard.Client(as).Transport, note, as}.RoundTrip(r)
}
