package undo

import (
	"context"

	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// maxLost bounds how often the inverses are looked at again after some turned out to be
// impossible: each may be what another one needs.
const maxLost = 16

// possible makes the inverses of a record's steps that can be called now. The others are
// irreversible, with the reason: what was deleted is no longer in the trash, for example. An
// undo that a program died in is left as it is, because its own steps may be the reason.
func (u *Undo) possible(ctx context.Context, origin plan.Origin, rec trace.Record, past attempts, specs []tool.Spec) (inverses, error) {
	lost := map[string]message.Message{}
	back := invert(rec, past, specs, lost)
	for range maxLost {
		if len(back.actions) == 0 || past.isApplying() {
			break
		}
		p, fault := back.plan(origin, rec, past)
		if fault != nil {
			return back, nil // the caller reports it
		}
		verdicts, err := u.o.Preview(ctx, p, rec.RunID)
		if err != nil {
			return back, err
		}
		before := len(lost)
		for _, v := range verdicts {
			if v.Error != nil && v.Forecast != nil && v.Forecast.Problem != nil {
				lost[back.steps[v.ActionID]] = v.Error.Message
			}
		}
		if len(lost) == before {
			break
		}
		back = invert(rec, past, specs, lost)
	}
	return back, nil
}
