package grants

import (
	"context"
	"slices"
	"time"

	"errand/host/store"
	"errand/host/tool"
	"errand/planner/message"
	"errand/policy"
)

// storeTimeout bounds a read or write of the store that a decision waits for.
const storeTimeout = 8 * time.Second

// Current returns the grants that count now. A store that can't be read grants
// nothing.
func (k *Keeper) Current() []policy.Grant {
	if !store.HasRecord(k.Config.Paths.Data) {
		return nil
	}
	s, err := k.Store()
	if err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
	defer cancel()
	grants, err := s.OpenGrants(ctx)
	if err != nil {
		return nil
	}
	return grants
}

// ForRun returns the grants that a run may use, as its record keeps them.
func (k *Keeper) ForRun(runID string) []policy.Grant {
	var out []policy.Grant
	for _, g := range k.Current() {
		others := g.Run != "" && g.Run != runID && g.Scope != policy.Always
		if others || !g.Until.IsZero() && !k.Now().Before(g.Until) {
			continue
		}
		g.Run, g.Call = "", "" // only this run can use it
		out = append(out, g)
	}
	return out
}

// Decide asks policy. Where only a listed host is missing it reads the grants, each
// time again: a revoked one no longer counts.
func (k *Keeper) Decide(r policy.Request) policy.Decision {
	d, _ := k.decide(r)
	return d
}

func (k *Keeper) decide(r policy.Request) (policy.Decision, []policy.Grant) {
	d := k.Policy.Decide(r)
	if !policy.CanGrant(d) {
		return d, nil
	}
	grants := k.Current()
	if len(grants) == 0 {
		return d, nil
	}
	return k.Policy.WithGrants(grants...).Decide(r), grants
}

// Use is Decide for what is done right now: it first records that this call uses a
// grant for one call or one run. If another call was faster, it asks policy again.
func (k *Keeper) Use(r policy.Request) policy.Decision {
	const tries = 4
	for range tries {
		d, grants := k.decide(r)
		fault := k.spend(r, d, grants)
		switch {
		case fault == nil:
			return d
		case fault.Code != store.CodeGrantGone:
			return policy.Decision{Rule: "grants", Reason: message.New("grants.use_not_recorded", "cause", fault)}
		}
	}
	return policy.Decision{Rule: "grants", Reason: message.New("grants.changing")}
}

func (k *Keeper) spend(r policy.Request, d policy.Decision, grants []policy.Grant) *tool.Error {
	if d.Verdict != policy.Allow {
		return nil
	}
	for _, id := range d.Grants() {
		i := slices.IndexFunc(grants, func(g policy.Grant) bool { return g.ID == id })
		if i < 0 || !grants[i].Spends(r) {
			continue
		}
		s, err := k.Store()
		if err != nil {
			return tool.AsError(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
		err = s.UseGrant(ctx, id, r.Run, r.Call)
		cancel()
		if err != nil {
			return tool.AsError(err)
		}
	}
	return nil
}

// Digest is what an approval is bound to: the policy with those grants that the
// plan rests on, by their ids. Other grants don't change it, so that giving or using
// them voids no approval.
func (k *Keeper) Digest(rests []string) string {
	if len(rests) == 0 {
		return k.Policy.Digest()
	}
	grants := slices.DeleteFunc(k.Current(), func(g policy.Grant) bool { return !slices.Contains(rests, g.ID) })
	return k.Policy.WithGrants(grants...).Digest()
}

// DecideUsed is Decide with those grants that count without being used up: those for every run,
// and those that the run of the request has used already.
func (k *Keeper) DecideUsed(r policy.Request) policy.Decision {
	d := k.Policy.Decide(r)
	if !policy.CanGrant(d) {
		return d
	}
	grants := slices.DeleteFunc(k.Current(), func(g policy.Grant) bool {
		return g.Scope != policy.Always && (g.Run == "" || g.Run != r.Run)
	})
	return k.Policy.WithGrants(grants...).Decide(r)
}
