package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"time"

	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// Runs implements [trace.Reader].
func (s *Store) Runs(ctx context.Context, limit int) ([]trace.Run, error) {
	runs := []trace.Run{}
	if limit <= 0 {
		limit = -1 // no limit in SQLite
	}
	err := s.look(ctx, message.New("store.read_runs"), func(tx *sql.Tx) error {
		var owners []string
		err := eachRow(ctx, tx, func(rows *sql.Rows) error {
			run, owner, err := scanRun(rows)
			runs, owners = append(runs, run), append(owners, owner)
			return err
		}, "SELECT "+runColumns+" FROM runs ORDER BY started_at DESC, run_id DESC LIMIT ?", limit)
		if err != nil {
			return err
		}
		for i := range runs {
			if runs[i].Status == trace.Running && !s.leases.isHeld(owners[i]) {
				if err := markInterrupted(ctx, tx, &runs[i]); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return runs, err
}

// CountRuns returns the number of runs.
func (s *Store) CountRuns(ctx context.Context) (n int, err error) {
	err = s.look(ctx, message.New("store.count_runs"), func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, "SELECT count(*) FROM runs").Scan(&n)
	})
	return n, err
}

// Activities implements [store.Runs].
func (s *Store) Activities(ctx context.Context, limit int) ([]store.Activity, error) {
	list := []store.Activity{}
	if limit <= 0 {
		limit = -1 // no limit in SQLite
	}
	err := s.look(ctx, message.New("store.read_runs"), func(tx *sql.Tx) error {
		return eachRow(ctx, tx, func(rows *sql.Rows) error {
			var a store.Activity
			var at int64
			err := rows.Scan(&a.RunID, &at)
			a.At = time.Unix(0, at).UTC()
			list = append(list, a)
			return err
		}, `SELECT run_id, max(started_at,
			coalesce((SELECT ended_at FROM steps WHERE steps.run_id = runs.run_id ORDER BY seq DESC LIMIT 1), 0),
			coalesce((SELECT at FROM events WHERE events.run_id = runs.run_id ORDER BY seq DESC LIMIT 1), 0)) AS active
			FROM runs ORDER BY active DESC, run_id DESC LIMIT ?`, limit)
	})
	return list, err
}

// Record implements [trace.Reader].
func (s *Store) Record(ctx context.Context, id string) (trace.Record, error) {
	return s.record(ctx, id, -1)
}

// Excerpt implements [trace.Reader].
func (s *Store) Excerpt(ctx context.Context, id string, n int) (trace.Record, error) {
	return s.record(ctx, id, max(n, 0))
}

// record reads a run with the first and last n of its steps, events and turns. A negative
// n means all.
func (s *Store) record(ctx context.Context, id string, n int) (trace.Record, error) {
	rec := trace.Record{Steps: []trace.Step{}, Events: []trace.Event{}}
	found := false
	err := s.look(ctx, message.New("store.read_record"), func(tx *sql.Tx) error {
		found = true
		runID, err := findRun(ctx, tx, id)
		if err != nil {
			return err
		}
		var owner string
		var interpretation, result, setting sql.Null[string]
		row := tx.QueryRowContext(ctx, "SELECT "+runColumns+", interpretation, result, (SELECT body FROM settings WHERE hash = setting) FROM runs WHERE run_id = ?", runID)
		if rec.Run, owner, err = scanRun(row, &interpretation, &result, &setting); err != nil {
			return err
		}
		rec.Interpretation, rec.Result, rec.Setting = raw(interpretation), raw(result), raw(setting)
		if rec.Status == trace.Running && !s.leases.isHeld(owner) {
			if err := markInterrupted(ctx, tx, &rec.Run); err != nil {
				return err
			}
		}
		rec.Steps, rec.OmittedSteps, err = decodeEnds[trace.Step](ctx, tx, "steps", runID, n)
		if err != nil {
			return err
		}
		claims, err := s.claimsOf(ctx, tx, runID, true)
		if err != nil {
			return err
		}
		for _, c := range claims {
			var claimed trace.Step
			if err := json.Unmarshal([]byte(c.body), &claimed); err != nil {
				return damagedError(err)
			}
			rec.Steps = append(rec.Steps, trace.UnsettledStep(trace.Claim{Key: c.Key, Effect: c.Effect, Step: claimed}))
		}
		if rec.Events, rec.OmittedEvents, err = decodeEnds[trace.Event](ctx, tx, "events", runID, n); err != nil {
			return err
		}
		if s.version < turnsVersion {
			return nil
		}
		if rec.Turns, rec.OmittedTurns, err = decodeEnds[trace.Turn](ctx, tx, "turns", runID, n); len(rec.Turns) == 0 {
			rec.Turns = nil
		}
		return err
	})
	if err != nil {
		return trace.Record{}, err
	}
	if !found { // there is no such run
		_, err := trace.OnlyMatch(id, nil)
		return trace.Record{}, err
	}
	for i, step := range rec.Steps {
		rec.Steps[i] = s.withPaths(step)
	}
	return rec, nil
}

// look runs f on a snapshot of the database. Without a database it does nothing.
func (d *database) look(ctx context.Context, what message.Message, f func(*sql.Tx) error) error {
	if d.read == nil {
		return nil
	}
	tx, err := d.read.BeginTx(ctx, nil)
	if err != nil {
		return diskError(what, d.dir, err)
	}
	defer func() { _ = tx.Rollback() }() // the transaction only reads
	return diskError(what, d.dir, f(tx))
}

// findRun returns the run that matches what a user typed.
func findRun(ctx context.Context, tx *sql.Tx, typed string) (string, error) {
	found, err := withPrefix(ctx, tx, "SELECT run_id FROM runs WHERE run_id >= ? AND run_id < ?", typed)
	if err != nil {
		return "", err
	}
	return trace.OnlyMatch(typed, found)
}

// withPrefix runs a query for the ids that start with typed.
func withPrefix(ctx context.Context, tx *sql.Tx, query, typed string) ([]string, error) {
	if typed == "" {
		return nil, nil
	}
	ids, err := queryTexts(ctx, tx, query, typed, typed+"\U0010FFFF")
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(ids, func(id string) bool { return !trace.HasPrefix(id, typed) }), nil
}

const runColumns = "run_id, goal, status, started_at, duration_ms, actions, answer, error, owner, state, stop_reason, draft_id"

func scanRun(row interface{ Scan(...any) error }, more ...any) (run trace.Run, owner string, err error) {
	var started int64
	var answer string
	var failure sql.Null[string]
	dest := []any{&run.RunID, &run.Goal, &run.Status, &started, &run.DurationMS, &run.Actions, &answer, &failure, &owner, &run.State, &run.StopReason, &run.DraftID}
	if err := row.Scan(append(dest, more...)...); err != nil {
		return run, owner, err
	}
	run.StartedAt = time.Unix(0, started).UTC()
	if err := json.Unmarshal([]byte(answer), &run.Answer); err != nil {
		return run, owner, damagedError(err)
	}
	if failure.Valid {
		err = json.Unmarshal([]byte(failure.V), &run.Error)
	}
	return run, owner, err
}

// markInterrupted marks a run of a dead program as interrupted. The end is that of its
// last recorded step. Calls end roughly in the order of their steps, so only the
// last few steps are read.
func markInterrupted(ctx context.Context, tx *sql.Tx, run *trace.Run) error {
	var end sql.Null[int64]
	err := tx.QueryRowContext(ctx, `SELECT max(t) FROM (
		SELECT max(ended_at) AS t FROM (SELECT ended_at FROM steps WHERE run_id = ?1 ORDER BY seq DESC LIMIT 50) UNION ALL
		SELECT max(at) FROM (SELECT at FROM events WHERE run_id = ?1 ORDER BY seq DESC LIMIT 50))`, run.RunID).Scan(&end)
	if err != nil {
		return err
	}
	run.Status, run.State, run.StopReason = trace.Interrupted, trace.StateStop, trace.StopInterrupted
	if end.Valid {
		run.DurationMS = max(0, time.Unix(0, end.V).Sub(run.StartedAt).Milliseconds())
	}
	run.Error = tool.NewError(tool.ExecutionError, "interrupted", message.New(store.MessageInterrupted))
	return nil
}

func raw(s sql.Null[string]) json.RawMessage {
	if !s.Valid {
		return nil
	}
	return json.RawMessage(s.V)
}

// bodies decodes the JSON of a column.
func bodies[T any](ctx context.Context, tx *sql.Tx, query string, args ...any) ([]T, error) {
	out := []T{}
	var body sql.RawBytes
	err := eachRow(ctx, tx, func(rows *sql.Rows) error {
		if err := rows.Scan(&body); err != nil {
			return err
		}
		var v T
		if err := json.Unmarshal(body, &v); err != nil {
			return damagedError(err)
		}
		out = append(out, v)
		return nil
	}, query, args...)
	if err != nil {
		return nil, err
	}
	return out, nil
}

func damagedError(err error) error {
	return tool.NewError(tool.ExecutionError, store.CodeCorrupt, message.New("store.entry_damaged", "file", dbName, "cause", err))
}

// decodeEnds decodes the JSON of a run's rows of a table: the first and the last n, or
// all for a negative n. It also returns the number of omitted rows.
func decodeEnds[T any](ctx context.Context, tx *sql.Tx, table, runID string, n int) (list []T, omitted int, err error) {
	ordered := "SELECT body FROM " + table + " WHERE run_id = ? ORDER BY seq"
	if n >= 0 {
		var size int
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM "+table+" WHERE run_id = ?", runID).Scan(&size); err != nil {
			return nil, 0, err
		}
		omitted = max(size-2*n, 0)
	}
	if omitted == 0 {
		list, err = bodies[T](ctx, tx, ordered, runID)
		return list, 0, err
	}
	if list, err = bodies[T](ctx, tx, ordered+" LIMIT ?", runID, n); err != nil {
		return nil, 0, err
	}
	last, err := bodies[T](ctx, tx, ordered+" DESC LIMIT ?", runID, n)
	slices.Reverse(last)
	return append(list, last...), omitted, err
}
