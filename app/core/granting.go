package core

import (
	"context"
	"slices"

	"errand/host/store"
	"errand/host/tool"
	"errand/policy"
)

// This file asks policy with what the person granted.

// readGrants are the grants that policy is asked with. A record that can't be
// read grants nothing.
func (a *App) readGrants() []policy.Grant {
	if !store.HasRecord(a.conf.Paths.Data) {
		return nil
	}
	s, err := a.storage()
	if err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), endTimeout)
	defer cancel()
	grants, err := s.OpenGrants(ctx)
	if err != nil {
		return nil
	}
	return grants
}

// grantsOf are the grants that a run may use, as its record keeps them.
func (a *App) grantsOf(runID string) []policy.Grant {
	var out []policy.Grant
	for _, g := range a.grants() {
		others := g.Run != "" && g.Run != runID && g.Scope != policy.Always
		if others || !g.Until.IsZero() && !a.now().Before(g.Until) {
			continue
		}
		g.Run, g.Call = "", "" // it is this run's, sooner or later
		out = append(out, g)
	}
	return out
}

// decide asks policy. What a person granted is looked at where nothing but a
// listed host is wanting, anew each time: one that was revoked counts no more.
func (a *App) decide(r policy.Request) policy.Decision {
	d, _ := a.decideBy(r)
	return d
}

func (a *App) decideBy(r policy.Request) (policy.Decision, []policy.Grant) {
	d := a.gate.Decide(r)
	if !policy.CanGrant(d) {
		return d, nil
	}
	grants := a.grants()
	if len(grants) == 0 {
		return d, nil
	}
	return a.gate.WithGrants(grants...).Decide(r), grants
}

// use is decide for what is done at once: a grant for once or for a run is noted
// as this call's before. Where another one was faster policy is asked again.
func (a *App) use(r policy.Request) policy.Decision {
	const tries = 4
	for range tries {
		d, grants := a.decideBy(r)
		fault := a.spend(r, d, grants)
		switch {
		case fault == nil:
			return d
		case fault.Code != store.CodeGrantGone:
			return policy.Decision{Rule: "grants", Reason: "that a grant is used could not be noted: " + fault.Message}
		}
	}
	return policy.Decision{Rule: "grants", Reason: "the grants change too fast"}
}

func (a *App) spend(r policy.Request, d policy.Decision, grants []policy.Grant) *tool.Error {
	if d.Verdict != policy.Allow {
		return nil
	}
	for _, id := range d.Grants() {
		i := slices.IndexFunc(grants, func(g policy.Grant) bool { return g.ID == id })
		if i < 0 || !grants[i].Spends(r) {
			continue
		}
		s, err := a.storage()
		if err != nil {
			return tool.AsError(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), endTimeout)
		err = s.UseGrant(ctx, id, r.Run, r.Call)
		cancel()
		if err != nil {
			return tool.AsError(err)
		}
	}
	return nil
}

// policyDigest is what an approval binds to: policy, with those grants that the
// plan rests on. Of others it knows nothing, so that one that is given or used
// up for something else asks nobody again.
func (a *App) policyDigest(rests []string) string {
	if len(rests) == 0 {
		return a.gate.Digest()
	}
	grants := slices.DeleteFunc(a.grants(), func(g policy.Grant) bool { return !slices.Contains(rests, g.ID) })
	return a.gate.WithGrants(grants...).Digest()
}
