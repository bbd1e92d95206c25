package core

import (
	"context"
	"time"

	"errand/host/store"
	"errand/host/tool"
	"errand/planner/plan"
	"errand/policy"
)

// GrantRequest opens a host beside the config.
type GrantRequest struct {
	Pattern string
	Scope   policy.Scope
	Tool    string      // glob; empty: any
	Plugin  string      // id; empty: any
	Origin  plan.Origin // empty: any
	Until   time.Time   // zero: no end
}

// GrantState is how a grant stands.
type GrantState string

// States of grants.
const (
	GrantOpen    GrantState = "open"
	GrantUsed    GrantState = "used" // it was for once or for one run, and is that one's
	GrantEnded   GrantState = "ended"
	GrantRevoked GrantState = "revoked"
)

// Grant is a host that a person opened, with who did it and how it stands now.
type Grant struct {
	store.Grant
	State GrantState `json:"state"`
	Note  string     `json:"note,omitempty"` // of a new one: that nothing here is its subject
}

// Grant opens a host as a person says. Only what a person holds in hand may call
// it, the command line and the window: nothing that a plan, a plugin or a page
// can cause leads here, which a test keeps so. What could open nothing is
// refused with the reason.
func (a *App) Grant(ctx context.Context, r GrantRequest) (Grant, error) {
	now := a.now().UTC()
	g := store.Grant{
		Grant: policy.Grant{
			ID: a.newID(), Pattern: r.Pattern, Scope: r.Scope, Tool: r.Tool, Plugin: r.Plugin, Origin: r.Origin, Until: r.Until.UTC(),
		},
		GrantedAt: now, GrantedBy: a.user(),
	}
	if err := g.Validate(); err != nil {
		e := tool.Errorf(tool.ValidationError, "bad_grant", "%v", err)
		return Grant{}, e.WithHint("give a host such as example.org, or a pattern such as *.example.org")
	}
	if !r.Until.IsZero() && !now.Before(r.Until) {
		return Grant{}, tool.Errorf(tool.ValidationError, "bad_grant", "%s is over", r.Until.Format(time.RFC3339)).
			WithHint("give a time to come: --until 2h, --until 2027-01-31")
	}
	if d := a.stillShut(g.Grant, now); d.Verdict == policy.Deny {
		return Grant{}, tool.Errorf(tool.PolicyDenied, "grant_opens_nothing", "no grant opens %s: %s (%s)", r.Pattern, d.Reason, d.Rule).
			WithHint("errand policy explain says which line of the config would")
	}
	s, err := a.storage()
	if err != nil {
		return Grant{}, err
	}
	if err := s.SaveGrant(ctx, g); err != nil {
		return Grant{}, err
	}
	made := a.seenGrant(g)
	made.Note = a.subjectless(ctx, g.Grant)
	return made, nil
}

// subjectless says that no tool of the program is what a grant is for: a slip of
// the pen, or one for a plugin that is not installed yet.
func (a *App) subjectless(ctx context.Context, g policy.Grant) string {
	specs, err := a.Tools(ctx)
	if err != nil || g.Tool == "" && g.Plugin == "" {
		return ""
	}
	for _, s := range specs {
		if (g.Tool == "" || policy.Glob(g.Tool, s.Name)) && (g.Plugin == "" || s.Source == "plugin:"+g.Plugin) {
			return ""
		}
	}
	return "no tool that is here now is meant by it: errand tools lists them"
}

// stillShut is policy's word on the host of a grant as its own subject would get
// it: a ban or a rule may stand above. Of many hosts nothing can be said.
func (a *App) stillShut(g policy.Grant, now time.Time) policy.Decision {
	raw := policy.ExampleURL(g.Pattern)
	if raw == "" {
		return policy.Decision{Verdict: policy.Allow}
	}
	return a.gate.WithGrants(g).Decide(policy.Request{
		Kind: policy.KindNavigate, URL: raw, At: now, Run: toCome, Call: toCome, Plugin: g.Plugin, Origin: g.Origin,
	})
}

// toCome stands for a run that is not there yet: what is asked about it counts
// as the question of one.
const toCome = "to-come"

// Grants lists what the person opened and may still be used, or all that is on
// record; the newest first.
func (a *App) Grants(ctx context.Context, all bool) ([]Grant, error) {
	grants := []Grant{}
	if !store.HasRecord(a.conf.Paths.Data) {
		return grants, nil
	}
	s, err := a.storage()
	if err != nil {
		return nil, err
	}
	kept, err := s.Grants(ctx)
	for _, g := range kept {
		if view := a.seenGrant(g); all || view.State == GrantOpen {
			grants = append(grants, view)
		}
	}
	return grants, err
}

// Revoke ends a grant, by its id or an unambiguous beginning of it. It no longer
// counts from the next question on, also in a run that is under way.
func (a *App) Revoke(ctx context.Context, id string) (Grant, error) {
	s, err := a.storage()
	if err != nil {
		return Grant{}, err
	}
	g, err := s.RevokeGrant(ctx, id, a.user(), a.now().UTC())
	return a.seenGrant(g), err
}

func (a *App) seenGrant(g store.Grant) Grant {
	state := GrantOpen
	switch {
	case !g.RevokedAt.IsZero():
		state = GrantRevoked
	case !g.Until.IsZero() && !a.now().Before(g.Until):
		state = GrantEnded
	case g.Run != "" && g.Scope != policy.Always:
		state = GrantUsed
	}
	return Grant{Grant: g, State: state}
}
