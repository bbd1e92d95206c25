package sqlite

import (
	"context"
	"database/sql"
	"time"

	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/policy/approval"
)

// pruneSet are the ids of runs and drafts to delete, as JSON lists.
type pruneSet struct {
	runs, drafts       []string
	runList, draftList string
	store.PruneReport
}

// Prunable reports what [Store.Prune] would delete. It changes nothing.
func (s *Store) Prunable(ctx context.Context, before time.Time) (store.PruneReport, error) {
	var report store.PruneReport
	err := s.look(ctx, message.New("store.count_old"), func(tx *sql.Tx) error {
		d, err := s.selectOld(ctx, tx, before)
		report = d.PruneReport
		return err
	})
	return report, err
}

// Prune deletes the runs that started before a time, with their steps, events,
// effects and unshared files. It also deletes the drafts that expired before that
// time or belong to such a run. It keeps a run or a draft that is under way, and a
// run with an open draft. It keeps effects whose key comes from outside the run,
// because such a key may be used again. Finally it deletes expired facts, ended
// grants, unused settings, journal entries older than the oldest run, and files of
// dead programs.
//
// If nothing is old, Prune needs only a few index look-ups. Otherwise its time
// grows with the deleted data and the total number of artifacts. Other writes wait
// meanwhile and fail after [busyTimeout], so call it often, for example after each
// run.
func (s *Store) Prune(ctx context.Context, before time.Time) (store.PruneReport, error) {
	var d pruneSet
	err := s.change(ctx, message.New("store.prune"), func(tx *txn) (err error) {
		if d, err = s.selectOld(ctx, tx.Tx, before); err != nil {
			return err
		}
		if len(d.runs)+len(d.drafts) > 0 {
			if err := s.forget(ctx, tx, d); err != nil {
				return err
			}
		}
		if err := s.forgetPast(ctx, tx.Tx, before); err != nil || len(d.runs)+len(d.drafts) == 0 {
			return err
		}
		// Delete files before the commit. If the commit fails, a step refers to a
		// missing file. In the other order, a concurrent program that publishes
		// the same content could lose it.
		return s.sweepArtifacts(ctx, tx.Tx)
	})
	if err != nil {
		return store.PruneReport{}, err
	}
	if len(d.runs)+len(d.drafts) > 0 {
		if _, err := s.write.ExecContext(ctx, "PRAGMA incremental_vacuum"); err != nil {
			return d.PruneReport, diskError(message.New("store.prune"), s.dir, err)
		}
	}
	return d.PruneReport, diskError(message.New("store.prune"), s.dir, s.leases.sweep())
}

// Forget deletes one run and its drafts as [Store.Prune] would. If a living
// program executes the run or a draft, the error is a *tool.Error.
func (s *Store) Forget(ctx context.Context, runID string) (store.PruneReport, error) {
	var d pruneSet
	err := s.change(ctx, message.New("store.forget_run"), func(tx *txn) (err error) {
		d = pruneSet{}
		if d.runs, err = s.old(ctx, tx.Tx, string(trace.Running), "SELECT run_id, status, owner FROM runs WHERE run_id = ?", runID); err != nil {
			return err
		}
		if len(d.runs) == 0 {
			return tool.NewError(tool.ExecutionError, trace.CodeRunUnderWay, message.New("store.run_under_way", "run_id", runID)).
				WithHint(message.New("store.stop_run"))
		}
		if d.drafts, err = s.old(ctx, tx.Tx, string(approval.StateApplying), "SELECT draft_id, state, owner FROM drafts WHERE run_id = ?", runID); err != nil {
			return err
		}
		if err := s.list(ctx, tx.Tx, &d); err != nil {
			return err
		}
		if err := s.forget(ctx, tx, d); err != nil {
			return err
		}
		return s.sweepArtifacts(ctx, tx.Tx) // before the commit, as in Prune
	})
	return d.PruneReport, err
}

// selectOld returns what is old and not under way, with its size.
func (s *Store) selectOld(ctx context.Context, tx *sql.Tx, before time.Time) (d pruneSet, err error) {
	d.runs, err = s.old(ctx, tx, string(trace.Running), `SELECT run_id, status, owner FROM runs WHERE started_at < ?1
		AND NOT EXISTS (SELECT 1 FROM drafts WHERE drafts.run_id = runs.run_id AND expires_at > ?2 AND state IN (?3, ?4, ?5))`,
		before.UnixNano(), s.now().UnixNano(), string(approval.StateDraft), string(approval.StateReady), string(approval.StateBlocked))
	if err != nil {
		return d, err
	}
	runs, err := toJSON(d.runs)
	if err != nil {
		return d, err
	}
	d.drafts, err = s.old(ctx, tx, string(approval.StateApplying), `SELECT draft_id, state, owner FROM drafts
		WHERE expires_at < ?1 OR run_id IN (SELECT value FROM json_each(?2))`, before.UnixNano(), string(runs))
	if err != nil || len(d.runs)+len(d.drafts) == 0 {
		return d, err
	}
	return d, s.list(ctx, tx, &d)
}

// list encodes the ids for the queries and counts.
func (s *Store) list(ctx context.Context, tx *sql.Tx, d *pruneSet) error {
	d.Runs, d.Drafts = len(d.runs), len(d.drafts)
	runs, err := toJSON(d.runs)
	if err != nil {
		return err
	}
	drafts, err := toJSON(d.drafts)
	if err != nil {
		return err
	}
	d.runList, d.draftList = string(runs), string(drafts)
	return s.measure(ctx, tx, d)
}

// old returns the ids of a query's rows (id, state, owner), without those that a
// living program executes.
func (s *Store) old(ctx context.Context, tx *sql.Tx, underWay, query string, args ...any) ([]string, error) {
	var ids []string
	err := eachRow(ctx, tx, func(rows *sql.Rows) error {
		var id, state, owner string
		if err := rows.Scan(&id, &state, &owner); err != nil {
			return err
		}
		if state != underWay || !s.leases.isHeld(owner) {
			ids = append(ids, id)
		}
		return nil
	}, query, args...)
	return ids, err
}
