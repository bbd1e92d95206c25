package sqlite

import (
	"context"
	"database/sql"
	"time"

	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/policy/approval"
)

// doomed are the ids, as JSON lists, of what is to be forgotten.
type doomed struct {
	runs, drafts       []string
	runList, draftList string
	store.PruneReport
}

// Prunable counts what [Store.Prune] would forget, and changes nothing.
func (s *Store) Prunable(ctx context.Context, before time.Time) (store.PruneReport, error) {
	var report store.PruneReport
	err := s.look(ctx, "count what is old", func(tx *sql.Tx) error {
		d, err := s.doomed(ctx, tx, before)
		report = d.PruneReport
		return err
	})
	return report, err
}

// Prune forgets the runs that started before a time, with their steps, events,
// effects and the files that only they need, and the drafts that expired before
// it or belong to such a run. A run or a draft that is under way stays, and so does
// a run whose draft still waits. Effects whose key is not their
// run's own are kept for good: a key that comes from outside may come again.
// Facts that have expired, grants that were over by then, settings that no run has any more, what the journal
// has of times before the oldest run, and what dead programs left behind go,
// too.
//
// Where nothing is old it costs a few look-ups by index; else its time grows
// with what goes and with the number of artifacts that there are. Writes of
// this and other programs wait meanwhile, for [busyTimeout] at most before they
// fail, so it is best called often: after a run rather than once a year.
func (s *Store) Prune(ctx context.Context, before time.Time) (store.PruneReport, error) {
	var d doomed
	err := s.change(ctx, "prune the record", func(tx *txn) (err error) {
		if d, err = s.doomed(ctx, tx.Tx, before); err != nil {
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
		// Files go before the commit. Should it fail, a step names a file that
		// is gone; the other order would let a program that publishes the same
		// content in between lose it.
		return s.sweepArtifacts(ctx, tx.Tx)
	})
	if err != nil {
		return store.PruneReport{}, err
	}
	if len(d.runs)+len(d.drafts) > 0 {
		if _, err := s.write.ExecContext(ctx, "PRAGMA incremental_vacuum"); err != nil {
			return d.PruneReport, fault("prune the record", s.dir, err)
		}
	}
	return d.PruneReport, fault("prune the record", s.dir, s.leases.sweep())
}

// Forget forgets one run as [Store.Prune] would, and the drafts that are of it. A
// run or draft that a living program has under way is a *tool.Error.
func (s *Store) Forget(ctx context.Context, runID string) (store.PruneReport, error) {
	var d doomed
	err := s.change(ctx, "forget the run", func(tx *txn) (err error) {
		d = doomed{}
		if d.runs, err = s.old(ctx, tx.Tx, string(trace.Running), "SELECT run_id, status, owner FROM runs WHERE run_id = ?", runID); err != nil {
			return err
		}
		if len(d.runs) == 0 {
			return tool.Errorf(tool.ExecutionError, trace.CodeRunUnderWay, "run %s is under way, or is gone already", runID).
				WithHint("stop it, or wait until it has ended")
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

// doomed finds what is old and not under way, and measures it.
func (s *Store) doomed(ctx context.Context, tx *sql.Tx, before time.Time) (d doomed, err error) {
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

// list spells the ids for the queries, and counts.
func (s *Store) list(ctx context.Context, tx *sql.Tx, d *doomed) error {
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

// old lists the ids of a query's rows (id, state, owner), but for those that a
// living program has under way.
func (s *Store) old(ctx context.Context, tx *sql.Tx, underWay, query string, args ...any) ([]string, error) {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []string
	for rows.Next() {
		var id, state, owner string
		if err := rows.Scan(&id, &state, &owner); err != nil {
			return nil, err
		}
		if state != underWay || !s.leases.isHeld(owner) {
			ids = append(ids, id)
		}
	}
	return ids, rows.Err()
}
