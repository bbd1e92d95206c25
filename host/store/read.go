package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"errand/host/tool"
	"errand/host/trace"
)

// Runs implements [trace.Reader].
func (s *Store) Runs(ctx context.Context, limit int) ([]trace.Run, error) {
	runs := []trace.Run{}
	if limit <= 0 {
		limit = -1 // SQLite's "all"
	}
	err := s.look(ctx, "list the runs", func(tx *sql.Tx) error {
		var owners []string
		rows, err := tx.QueryContext(ctx, "SELECT "+runColumns+" FROM runs ORDER BY started_at DESC, run_id DESC LIMIT ?", limit)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			run, owner, err := scanRun(rows)
			if err != nil {
				return err
			}
			runs, owners = append(runs, run), append(owners, owner)
		}
		if err := rows.Err(); err != nil {
			return err
		}
		for i := range runs {
			if runs[i].Status == trace.Running && !s.alive(owners[i]) {
				if err := orphaned(ctx, tx, &runs[i]); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return runs, err
}

// Record implements [trace.Reader].
func (s *Store) Record(ctx context.Context, id string) (trace.Record, error) {
	rec := trace.Record{Steps: []trace.Step{}, Events: []trace.Event{}}
	found := false
	err := s.look(ctx, "read the record", func(tx *sql.Tx) error {
		found = true
		runID, err := findRun(ctx, tx, id)
		if err != nil {
			return err
		}
		var owner string
		var interpretation, result sql.Null[string]
		row := tx.QueryRowContext(ctx, "SELECT "+runColumns+", interpretation, result FROM runs WHERE run_id = ?", runID)
		if rec.Run, owner, err = scanRun(row, &interpretation, &result); err != nil {
			return err
		}
		rec.Interpretation, rec.Result = raw(interpretation), raw(result)
		if rec.Status == trace.Running && !s.alive(owner) {
			if err := orphaned(ctx, tx, &rec.Run); err != nil {
				return err
			}
		}
		if rec.Steps, err = bodies[trace.Step](ctx, tx, "SELECT body FROM steps WHERE run_id = ? ORDER BY seq", runID); err != nil {
			return err
		}
		intents, err := bodies[trace.Step](ctx, tx, "SELECT body FROM intents WHERE run_id = ? ORDER BY seq", runID)
		if err != nil {
			return err
		}
		for _, i := range intents {
			rec.Steps = append(rec.Steps, trace.Unsettled(i, rec.Status == trace.Running))
		}
		rec.Events, err = bodies[trace.Event](ctx, tx, "SELECT body FROM events WHERE run_id = ? ORDER BY seq", runID)
		return err
	})
	if err != nil {
		return trace.Record{}, err
	}
	if !found { // nothing to read in
		_, err := trace.Only(id, nil)
		return trace.Record{}, err
	}
	for i, step := range rec.Steps {
		rec.Steps[i] = s.located(step)
	}
	return rec, nil
}

// look runs f on one snapshot of the database, if there is one.
func (s *Store) look(ctx context.Context, what string, f func(*sql.Tx) error) error {
	if s.read == nil {
		return nil
	}
	tx, err := s.read.BeginTx(ctx, nil)
	if err != nil {
		return fault(what, s.dir, err)
	}
	defer func() { _ = tx.Rollback() }() // it only read
	return fault(what, s.dir, f(tx))
}

// findRun finds the run that a person meant.
func findRun(ctx context.Context, tx *sql.Tx, typed string) (string, error) {
	found, err := withPrefix(ctx, tx, "SELECT run_id FROM runs WHERE run_id >= ? AND run_id < ?", typed)
	if err != nil {
		return "", err
	}
	return trace.Only(typed, found)
}

// withPrefix runs a query for the ids from typed to the last that begins with
// it.
func withPrefix(ctx context.Context, tx *sql.Tx, query, typed string) ([]string, error) {
	if typed == "" {
		return nil, nil
	}
	rows, err := tx.QueryContext(ctx, query, typed, typed+"\U0010FFFF")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		if trace.HasPrefix(id, typed) {
			found = append(found, id)
		}
	}
	return found, rows.Err()
}

const runColumns = "run_id, goal, status, started_at, duration_ms, actions, answer, error, owner"

func scanRun(row interface{ Scan(...any) error }, more ...any) (run trace.Run, owner string, err error) {
	var started int64
	var failure sql.Null[string]
	dest := []any{&run.RunID, &run.Goal, &run.Status, &started, &run.DurationMS, &run.Actions, &run.Answer, &failure, &owner}
	if err := row.Scan(append(dest, more...)...); err != nil {
		return run, owner, err
	}
	run.StartedAt = time.Unix(0, started).UTC()
	if failure.Valid {
		err = json.Unmarshal([]byte(failure.V), &run.Error)
	}
	return run, owner, err
}

// orphaned makes a run of a program that died an interrupted one, which ended
// with the last thing that is known of it.
func orphaned(ctx context.Context, tx *sql.Tx, run *trace.Run) error {
	var end sql.Null[int64]
	err := tx.QueryRowContext(ctx, `SELECT max(t) FROM (
		SELECT max(ended_at) AS t FROM steps WHERE run_id = ?1 UNION ALL
		SELECT max(at) FROM events WHERE run_id = ?1)`, run.RunID).Scan(&end)
	if err != nil {
		return err
	}
	run.Status = trace.Interrupted
	if end.Valid {
		run.DurationMS = max(0, time.Unix(0, end.V).Sub(run.StartedAt).Milliseconds())
	}
	run.Error = tool.Errorf(tool.ExecutionError, "interrupted", "the program ended before the run did")
	return nil
}

func raw(s sql.Null[string]) json.RawMessage {
	if !s.Valid {
		return nil
	}
	return json.RawMessage(s.V)
}

// bodies reads the JSON of a column.
func bodies[T any](ctx context.Context, tx *sql.Tx, query string, args ...any) ([]T, error) {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := []T{}
	var body sql.RawBytes
	for rows.Next() {
		if err := rows.Scan(&body); err != nil {
			return nil, err
		}
		var v T
		if err := json.Unmarshal(body, &v); err != nil {
			return nil, tool.Errorf(tool.ExecutionError, CodeCorrupt, "an entry of %s is damaged: %v", dbName, err)
		}
		out = append(out, v)
	}
	return out, rows.Err()
}
