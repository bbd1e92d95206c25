package resident

import (
	"cmp"

	"errand/host/tool"
	"errand/planner/plan"
	"errand/policy"
)

// decide decides about a request of the browser. by is the call that acts on its page, and r
// has the call that opened it. While one of them is being made, its session decides: by its
// grants, against its budget. Afterwards the user browses: by the policy, and the grants that are
// for every run or that the run of the page has used.
func (p *Process) decide(by, r policy.Request) policy.Decision {
	if c := p.calls.find(idOf(r)); c != nil {
		return c.session.Decide(r)
	}
	c := p.calls.find(idOf(by))
	d := p.decideForUser(r)
	switch {
	case c == nil:
		return d
	case d.Verdict == policy.Allow:
		return c.session.Charge(r, d)
	}
	r.Origin, r.Tool, r.Effect, r.Plugin, r.Run, r.Call = by.Origin, by.Tool, by.Effect, by.Plugin, by.Run, by.Call
	return c.session.Decide(r)
}

// decideForUser decides about a request of a page that no call acts on.
func (p *Process) decideForUser(r policy.Request) policy.Decision {
	r.At, r.Origin = p.o.Now(), cmp.Or(r.Origin, plan.UserGoal)
	as := r
	r.Tool, r.Effect, r.Plugin, r.Run, r.Call = "", "", as.Plugin, as.Run, as.Call
	if r.Kind == policy.KindNavigate {
		r.Tool, r.Effect = as.Tool, string(tool.EffectNavigate)
	}
	d := p.o.Policy.Decide(r)
	if policy.CanGrant(d) {
		r.Tool = as.Tool
		d = p.o.Grants.DecideUsed(r)
	}
	return d
}

// decideAtProxy decides about a connection by its host alone. What a grant or a run opens, the
// browser's interception has admitted.
func (p *Process) decideAtProxy(r policy.Request) policy.Decision {
	r.At, r.Origin = p.o.Now(), cmp.Or(r.Origin, plan.UserGoal)
	return p.o.Policy.Decide(r)
}
