package drafts

import (
	"context"
	"slices"

	"errand/host/store"
	"errand/host/tool"
)

// settleUnknown updates actions of unknown outcome with what the user has answered
// about them since. Where the ledger can't be read the view stays as it is.
func settleUnknown(ctx context.Context, s store.Store, v View) View {
	if !slices.ContainsFunc(v.Actions, func(d Action) bool { return d.Status == ActionUnknown }) {
		return v
	}
	effects, err := s.Effects(ctx, v.RunID)
	if err != nil {
		return v
	}
	known := map[string]tool.EffectState{}
	for _, c := range effects { // of several calls of an action one that is unknown counts
		if known[c.Step.StepID] != tool.Unknown {
			known[c.Step.StepID] = c.Effect
		}
	}
	for i := range v.Actions {
		switch d := &v.Actions[i]; {
		case d.Status != ActionUnknown:
		case known[d.ActionID] == tool.Committed:
			d.Status, d.Error = ActionDone, nil
		case known[d.ActionID] == tool.Released:
			d.Status, d.Error = ActionProposed, nil
		}
	}
	return v
}
