package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"errand/host/tool"
	"errand/host/trace"
)

// Begin implements [trace.Log].
func (s *Store) Begin(ctx context.Context, run trace.Run) error {
	if s.readOnly {
		return s.change(ctx, "record the run", nil)
	}
	owner, err := s.ensureOwner()
	if err != nil {
		return fault("record the run", s.dir, err)
	}
	run.Status = trace.Running
	row, err := runRow(run)
	if err != nil {
		return err
	}
	return s.change(ctx, "record the run", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO runs
			(goal, status, started_at, duration_ms, actions, answer, error, interpretation, result, run_id, owner)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, append(row, owner)...)
		if isConstraint(err, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY) {
			return trace.RunBegunTwice(run.RunID)
		}
		return err
	})
}

// End implements [trace.Log].
func (s *Store) End(ctx context.Context, run trace.Run) error {
	row, err := runRow(run)
	if err != nil {
		return err
	}
	return s.change(ctx, "record the run's end", func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, `UPDATE runs SET goal = ?, status = ?, started_at = ?, duration_ms = ?,
			actions = ?, answer = ?, error = ?, interpretation = ?, result = ? WHERE run_id = ?`, row...)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return trace.RunNotBegun(run.RunID)
		}
		return nil
	})
}

// runRow is the columns of a run, run_id last.
func runRow(r trace.Run) ([]any, error) {
	var fault []byte
	if r.Error != nil {
		b, err := toJSON(r.Error)
		if err != nil {
			return nil, err
		}
		fault = b
	}
	return []any{
		r.Goal, string(r.Status), r.StartedAt.UnixNano(), r.DurationMS, r.Actions, r.Answer,
		orNull(fault), orNull(r.Interpretation), orNull(r.Result), r.RunID,
	}, nil
}

func orNull(b []byte) any {
	if b == nil {
		return nil
	}
	return string(b)
}

// Claim implements [trace.Log].
func (s *Store) Claim(ctx context.Context, step trace.Step) (trace.Claim, error) {
	body, err := toJSON(step.WithDefaults())
	if err != nil {
		return trace.Claim{}, err
	}
	err = s.change(ctx, "record the call", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO intents (run_id, step_id, body) VALUES (?, ?, ?)",
			step.RunID, step.StepID, string(body))
		return inRun(err, step.RunID)
	})
	return trace.Claim{Key: step.EffectKey, Effect: tool.Pending, Step: step}, err
}

// Settle implements [trace.Log].
func (s *Store) Settle(context.Context, string, tool.EffectState) error { panic("TODO ledger") }

// Resume implements [trace.Log].
func (s *Store) Resume(context.Context, string) error { panic("TODO ledger") }

// Append implements [trace.Log]. The artifacts' files are on disk before the
// step that names them is; the step and the settling of its intent are one
// transaction.
func (s *Store) Append(ctx context.Context, step trace.Step) (trace.Step, error) {
	if s.readOnly {
		return step, s.change(ctx, "record the step", nil)
	}
	step = step.WithDefaults()
	staged, err := s.stage(step.Artifacts)
	if err != nil {
		return step, fault("store what "+step.ToolName+" produced", s.dir, err)
	}
	defer staged.discard()
	kept := step
	kept.Artifacts = staged.artifacts
	body, err := toJSON(kept)
	if err != nil {
		return step, err
	}
	end := step.StartedAt.Add(time.Duration(step.DurationMS) * time.Millisecond)
	err = s.change(ctx, "record the step", func(tx *sql.Tx) error {
		if err := staged.publish(); err != nil { // within the transaction, so that no sweep runs in between
			return err
		}
		result, err := tx.ExecContext(ctx, "INSERT INTO steps (run_id, step_id, ended_at, body) VALUES (?, ?, ?, ?)",
			step.RunID, step.StepID, end.UnixNano(), string(body))
		if err != nil {
			return inRun(err, step.RunID)
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM intents WHERE run_id = ? AND step_id = ?", step.RunID, step.StepID); err != nil {
			return err
		}
		seq, err := result.LastInsertId()
		if err != nil {
			return err
		}
		for _, file := range staged.files() {
			if _, err := tx.ExecContext(ctx, "INSERT INTO artifacts (file, step) VALUES (?, ?)", file, seq); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return step, err
	}
	return s.located(kept), nil
}

// Note implements [trace.Log].
func (s *Store) Note(ctx context.Context, event trace.Event) error {
	event.Time = event.Time.Round(0).UTC()
	body, err := toJSON(event)
	if err != nil {
		return err
	}
	return s.change(ctx, "record the event", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO events (run_id, at, body) VALUES (?, ?, ?)",
			event.RunID, event.Time.UnixNano(), string(body))
		return inRun(err, event.RunID)
	})
}

// inRun explains a row that no run takes.
func inRun(err error, runID string) error {
	if isConstraint(err, sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY) {
		return trace.RunNotBegun(runID)
	}
	return err
}

func toJSON(v any) ([]byte, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, tool.Errorf(tool.ExecutionError, "unrecordable", "write the record as JSON: %v", err)
	}
	return b, nil
}

// located fills in where the artifacts of a step are. The database holds paths
// below the folder, so that it can be moved.
func (s *Store) located(step trace.Step) trace.Step {
	step.Artifacts = slices.Clone(step.Artifacts)
	for i, a := range step.Artifacts {
		if a.Path != "" {
			step.Artifacts[i].Path = s.artifactPath(a.Path)
		}
	}
	return step
}
