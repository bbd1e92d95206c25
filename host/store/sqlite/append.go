package sqlite

import (
	"context"
	"time"

	"errand/host/event"
	"errand/host/trace"
	"errand/planner/message"
)

// Append implements [trace.Log]. It writes the artifacts' files before the step
// that refers to them. Step and claim are written in one transaction.
func (s *Store) Append(ctx context.Context, step trace.Step) (trace.Step, error) {
	if s.readOnly {
		return step, s.change(ctx, message.New("store.record_step"), nil)
	}
	kept, err := s.append(ctx, step.WithDefaults())
	if step.EffectKey != "" {
		if err != nil { // the claim will stay unsettled
			s.failures.add(claimKey(step.EffectKey, step.RunID, step.StepID))
		} else {
			s.failures.remove(claimKey(step.EffectKey, step.RunID, step.StepID))
		}
	}
	return kept, err
}

func (s *Store) append(ctx context.Context, step trace.Step) (trace.Step, error) {
	staged, err := s.stage(step.Artifacts)
	if err != nil {
		return step, diskError(message.New("store.store_artifacts", "tool", step.ToolName), s.dir, err)
	}
	defer staged.discard()
	kept := step
	kept.Artifacts = staged.artifacts
	body, err := toJSON(kept)
	if err != nil {
		return step, err
	}
	end := step.StartedAt.Add(time.Duration(step.DurationMS) * time.Millisecond)
	err = s.change(ctx, message.New("store.record_step"), func(tx *txn) error {
		if err := staged.publish(); err != nil { // in the transaction, so that no sweep runs in between
			return err
		}
		result, err := tx.ExecContext(ctx, "INSERT INTO steps (run_id, step_id, ended_at, body) VALUES (?, ?, ?, ?)",
			step.RunID, step.StepID, end.UnixNano(), string(body))
		if err != nil {
			return inRun(err, step.RunID)
		}
		seq, err := result.LastInsertId()
		if err != nil {
			return err
		}
		if err := s.settle(ctx, tx.Tx, step, seq); err != nil {
			return err
		}
		if err := remember(ctx, tx.Tx, step, end); err != nil {
			return err
		}
		for _, file := range staged.files() {
			if _, err := tx.ExecContext(ctx, "INSERT INTO artifacts (file, step) VALUES (?, ?)", file, seq); err != nil {
				return err
			}
		}
		return s.addEvent(ctx, tx, event.Put, stepName(step.RunID, step.StepID))
	})
	if err != nil {
		return step, err
	}
	return s.withPaths(kept), nil
}
