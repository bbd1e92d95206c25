package core

import (
	"context"
	"net/http"
	"net/netip"
	"strings"

	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
	"errand/policy"
	"errand/policy/guard"
)

// subject is for whom something is asked: the tool of a call, its plugin, its
// run and who wanted it.
func (s *session) subject(spec tool.Spec, call tool.Call) policy.Request {
	plugin, _ := strings.CutPrefix(spec.Source, "plugin:")
	if !spec.FromPlugin() {
		plugin = ""
	}
	return policy.Request{
		Origin: plan.Origin(call.Origin), Tool: spec.Name, Effect: string(spec.Effect), Plugin: plugin, Run: s.run(), Call: call.CallID,
	}
}

// run is the id that grants know the session's run by.
func (s *session) run() string {
	if s.runID == "" {
		return toCome
	}
	return s.runID
}

// outside decides for what belongs to no run. It has no grant for one.
type outside struct{ app *App }

func (o outside) Decide(r policy.Request) policy.Decision {
	r.At = o.app.now()
	return o.app.decide(r)
}

func (o outside) DecideAddr(a netip.AddrPort) policy.Decision { return o.app.gate.DecideAddr(a) }

// wire decides for what a session's guard is about to do.
type wire struct{ s *session }

func (w wire) Decide(r policy.Request) policy.Decision {
	app := w.s.app
	r.At, r.Approved = app.now(), r.Approved || w.s.approved.Load()
	switch {
	case r.Kind == policy.KindFetch:
		return w.s.outlet.pass(r, app.use(r))
	case r.Tool == "": // the proxy: what a grant opens the browser's interception has admitted
		return app.gate.Decide(r)
	}
	return app.decide(r) // a look before anything is done
}

func (w wire) DecideAddr(a netip.AddrPort) policy.Decision { return w.s.app.gate.DecideAddr(a) }

// underWay is the call that a context is of.
type underWay struct {
	s  *session
	as policy.Request
}

type underWayKey struct{}

// fetching tells what a plugin fetches for which call it is.
type fetching struct {
	tool.Tool
	s *session
}

// Call passes on with the call in the context.
func (t fetching) Call(ctx context.Context, call tool.Call) (tool.Result, error) {
	return t.Tool.Call(context.WithValue(ctx, underWayKey{}, underWay{t.s, t.s.subject(t.Spec(), call)}), call)
}

// Prepare passes on to the tool, which embedding alone would hide.
func (t fetching) Prepare(ctx context.Context) error {
	if p, ok := t.Tool.(tool.Preparer); ok {
		return p.Prepare(ctx)
	}
	return nil
}

// Reconcile passes on as well; one that can't find out does not.
func (t fetching) Reconcile(ctx context.Context, call tool.Call) (tool.Reconciled, error) {
	r, ok := t.Tool.(tool.Reconciler)
	if !ok {
		return tool.Reconciled{Effect: tool.Unknown}, nil
	}
	return r.Reconcile(context.WithValue(ctx, underWayKey{}, underWay{t.s, t.s.subject(t.Spec(), call)}), call)
}

// pluginClient is the client of a plugin's tool. The plugin host is shared by
// all runs: each request goes the way of the run whose call it is of, in its
// record and by its grants.
func (a *App) pluginClient(g *guard.Guard, caller string, hosts []string) *http.Client {
	as := policy.Request{Kind: policy.KindFetch, Origin: plan.UserGoal, Tool: caller, Hosts: hosts, Declared: policy.Declare(hosts)}
	c := g.Client(as)
	c.Transport = ofItsRun{a, as, c.Transport}
	return c
}

type ofItsRun struct {
	app  *App
	as   policy.Request
	none http.RoundTripper // where there is no run
}

// RoundTrip implements [http.RoundTripper].
func (t ofItsRun) RoundTrip(r *http.Request) (*http.Response, error) {
	u, ok := r.Context().Value(underWayKey{}).(underWay)
	if !ok {
		note := func(c guard.Connection) { t.app.listen(trace.KindConnection, connectionData(c)) }
		return checked{t.app, t.none, note, t.as}.RoundTrip(r)
	}
	as := u.as
	as.Kind, as.Hosts, as.Declared = t.as.Kind, t.as.Hosts, t.as.Declared
	note := func(c guard.Connection) { u.s.note(connectionKind(c), u.s.connectionData(c)) }
	return checked{t.app, u.s.guard.Client(as).Transport, note, as}.RoundTrip(r)
}
