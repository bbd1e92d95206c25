package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"

	sqlite3 "modernc.org/sqlite/lib"

	"errand/host/event"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// Begin implements [trace.Log].
func (s *Store) Begin(ctx context.Context, run trace.Run) error {
	if s.readOnly {
		return s.change(ctx, message.New("store.record_run"), nil)
	}
	owner, err := s.leases.take()
	if err != nil {
		return diskError(message.New("store.record_run"), s.dir, err)
	}
	run.Status = trace.Running
	row, err := runRow(run)
	if err != nil {
		return err
	}
	return s.change(ctx, message.New("store.record_run"), func(tx *txn) error {
		setting, err := keepSetting(ctx, tx.Tx, run.Setting)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO runs
			(goal, status, started_at, duration_ms, actions, answer, error, interpretation, result, state, stop_reason, draft_id,
			run_id, setting, owner) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, append(row, setting, owner)...)
		if isConstraint(err, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY) {
			return trace.RunBegunTwice(run.RunID)
		}
		if err != nil {
			return err
		}
		return s.addEvent(ctx, tx, event.Put, runName(run.RunID))
	})
}

// Resume implements [trace.Log]. If two programs resume a run at the same time,
// only one succeeds.
func (s *Store) Resume(ctx context.Context, seen trace.Run) error {
	if s.readOnly {
		return s.change(ctx, message.New("store.resume_run"), nil)
	}
	own, err := s.leases.take()
	if err != nil {
		return diskError(message.New("store.resume_run"), s.dir, err)
	}
	torn := false
	err = s.change(ctx, message.New("store.resume_run"), func(tx *txn) error {
		var status trace.Status
		var owner, draft string
		err := tx.QueryRowContext(ctx, "SELECT status, owner, draft_id FROM runs WHERE run_id = ?", seen.RunID).Scan(&status, &owner, &draft)
		if errors.Is(err, sql.ErrNoRows) {
			return trace.RunNotBegun(seen.RunID)
		}
		if err != nil {
			return err
		}
		if status == trace.Running && s.isCarriedOut(owner, runKey(seen.RunID)) || status != trace.Running && (status != seen.Status || draft != seen.DraftID) {
			return trace.RunUnderWay(seen.RunID)
		}
		torn = s.failures.remove(runKey(seen.RunID)) // before other programs see that it runs
		if _, err := tx.ExecContext(ctx, "UPDATE runs SET status = ?, state = ?, stop_reason = '', error = NULL, owner = ? WHERE run_id = ?",
			string(trace.Running), string(trace.StateInit), own, seen.RunID); err != nil {
			return err
		}
		if err := s.lose(ctx, tx.Tx, seen.RunID); err != nil {
			return err
		}
		return s.addEvent(ctx, tx, event.Put, runName(seen.RunID))
	})
	if err != nil && torn {
		s.failures.add(runKey(seen.RunID))
	}
	return err
}

// End implements [trace.Log].
func (s *Store) End(ctx context.Context, run trace.Run) error {
	return endRun(ctx, s, run, func(*txn) error { return nil })
}

// endRun ends a run and does something else in the same transaction.
func endRun(ctx context.Context, s *Store, run trace.Run, also func(*txn) error) error {
	row, err := runRow(run)
	if err != nil {
		return err
	}
	err = s.change(ctx, message.New("store.record_end"), func(tx *txn) error {
		var was sql.NullString // the run's old setting; a missing row is reported below
		if err := tx.QueryRowContext(ctx, "SELECT setting FROM runs WHERE run_id = ?", run.RunID).Scan(&was); err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		setting, err := keepSetting(ctx, tx.Tx, run.Setting)
		if err != nil {
			return err
		}
		result, err := tx.ExecContext(ctx, `UPDATE runs SET goal = ?, status = ?, started_at = ?, duration_ms = ?,
			actions = ?, answer = ?, error = ?, interpretation = ?, result = ?, state = ?, stop_reason = ?, draft_id = ?,
			setting = coalesce(?14, setting) WHERE run_id = ?13`, append(row, setting)...)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return trace.RunNotBegun(run.RunID)
		}
		if err := dropSetting(ctx, tx.Tx, was, setting); err != nil {
			return err
		}
		if err := s.lose(ctx, tx.Tx, run.RunID); err != nil {
			return err
		}
		if err := also(tx); err != nil {
			return err
		}
		return s.addEvent(ctx, tx, event.Put, runName(run.RunID))
	})
	if err != nil {
		s.failures.add(runKey(run.RunID))
	} else {
		s.failures.remove(runKey(run.RunID))
	}
	return err
}

// Scrub copies the write-ahead log into the database and empties it, so that
// neither file contains overwritten or deleted data (as far as the file system
// allows). It waits for a concurrent reader like a write does. If that fails, the
// last program to close the store does it.
func (s *Store) Scrub(ctx context.Context) error {
	var busy, frames, moved int
	err := s.write.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &moved)
	if err == nil && busy != 0 {
		err = message.Error("store.being_read")
	}
	if err != nil {
		return tool.NewError(tool.ToolUnavailable, "store_unavailable", message.New("store.scrub_failed", "cause", err))
	}
	return nil
}

// runRow returns the columns of a run, run_id last.
func runRow(r trace.Run) ([]any, error) {
	var fault []byte
	if r.Error != nil {
		b, err := toJSON(r.Error)
		if err != nil {
			return nil, err
		}
		fault = b
	}
	answer, err := toJSON(r.Answer)
	if err != nil {
		return nil, err
	}
	return []any{
		r.Goal, string(r.Status), r.StartedAt.UnixNano(), r.DurationMS, r.Actions, string(answer),
		orNull(fault), orNull(r.Interpretation), orNull(r.Result), string(r.State), string(r.StopReason), r.DraftID, r.RunID,
	}, nil
}

// keepSetting stores a run's setting, once for all runs that share it. It returns
// its hash, or NULL if there is none.
func keepSetting(ctx context.Context, tx *sql.Tx, setting json.RawMessage) (any, error) {
	if setting == nil {
		return nil, nil
	}
	sum := sha256.Sum256(setting)
	hash := hex.EncodeToString(sum[:])
	_, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO settings (hash, body) VALUES (?, ?)", hash, string(setting))
	return hash, err
}

// dropSetting deletes a run's old setting if the run has another one now and no
// other run uses it.
func dropSetting(ctx context.Context, tx *sql.Tx, was sql.NullString, now any) error {
	if !was.Valid || now == nil || now == was.String {
		return nil
	}
	_, err := tx.ExecContext(ctx, "DELETE FROM settings WHERE hash = ?1 AND NOT EXISTS (SELECT 1 FROM runs WHERE setting = ?1)", was.String)
	return err
}

func orNull(b []byte) any {
	if b == nil {
		return nil
	}
	return string(b)
}

// Note implements [trace.Log].
func (s *Store) Note(ctx context.Context, event trace.Event) error {
	event.Time = event.Time.Round(0).UTC()
	body, err := toJSON(event)
	if err != nil {
		return err
	}
	return s.change(ctx, message.New("store.record_event"), func(tx *txn) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO events (run_id, at, body) VALUES (?, ?, ?)",
			event.RunID, event.Time.UnixNano(), string(body))
		return inRun(err, event.RunID)
	})
}

// inRun converts the error for a row of an unknown run.
func inRun(err error, runID string) error {
	if isConstraint(err, sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY) {
		return trace.RunNotBegun(runID)
	}
	return err
}

func toJSON(v any) ([]byte, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, tool.NewError(tool.ExecutionError, "unrecordable", message.New("store.unrecordable", "cause", err))
	}
	return b, nil
}

// withPaths sets the paths of a step's artifacts. The database has relative paths,
// so that the folder can be moved.
func (s *Store) withPaths(step trace.Step) trace.Step {
	step.Artifacts = slices.Clone(step.Artifacts)
	for i, a := range step.Artifacts {
		if a.Path != "" {
			step.Artifacts[i].Path = s.artifactPath(a.Path)
		}
	}
	return step
}
