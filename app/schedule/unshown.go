package schedule

import (
	"context"
	"time"

	"errand/host/store"
	"errand/planner/message"
	"errand/planner/plan"
)

// Unshown returns the notices of what was due and was not shown, the newest moment of each timer. A notice
// that may still be on its way, and a goal whose end is not in the record, are not among them.
func Unshown(ctx context.Context, st store.Store, now time.Time, ended func(context.Context, store.TimerClaim) (message.Message, bool)) ([]Notice, error) {
	claims, err := st.TimerClaims(ctx, now.Add(-kept))
	if err != nil {
		return nil, err
	}
	var out []Notice
	seen := map[string]bool{} // the newest claims come first
	for _, c := range claims {
		if c.Settled || c.Kind == plan.WatchTimer || seen[c.ID] || now.Sub(c.ClaimedAt) < noticeTimeout {
			continue
		}
		n := Notice{Timer: c.Timer, IsLate: true}
		if c.Kind == plan.GoalTimer {
			if n.Outcome, n.HasRun = ended(ctx, c); !n.HasRun {
				continue
			}
		}
		seen[c.ID] = true
		out = append(out, n)
	}
	return out, nil
}

// Settle records that notices were shown, with the earlier ones of the same timers.
func Settle(ctx context.Context, st store.Store, now time.Time, shown []Notice) error {
	claims, err := st.TimerClaims(ctx, now.Add(-kept))
	if err != nil {
		return err
	}
	for _, n := range shown {
		for _, c := range claims {
			if c.ID == n.ID && !c.Settled && !c.Due.After(n.Due) {
				if err := st.SettleClaim(ctx, c.ID, c.Due); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// isSettled reports whether a notice was shown in another way meanwhile.
func isSettled(ctx context.Context, st store.Store, now time.Time, n Notice) bool {
	claims, err := st.TimerClaims(ctx, now.Add(-kept))
	if err != nil {
		return false
	}
	for _, c := range claims {
		if c.ID == n.ID && c.Due.Equal(n.Due) {
			return c.Settled
		}
	}
	return false
}
