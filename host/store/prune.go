package store

import (
	"context"
	"database/sql"
	"time"

	"errand/host/trace"
)

// Prune forgets the runs that started before a time, with their steps, events
// and the files that only they need, and the drafts that expired before it. A
// run that is under way stays. It answers how many runs are gone, and sweeps
// what dead programs left behind.
//
// Where nothing is old it costs two look-ups by index; else its time grows with
// what goes and with the number of artifacts that there are. Writes of this and
// other programs wait meanwhile, for [busyTimeout] at most before they fail, so
// it is best called often: after a run rather than once a year.
func (s *Store) Prune(ctx context.Context, before time.Time) (n int, err error) {
	more := false // there is more to remove than rows
	err = s.change(ctx, "prune the record", func(tx *sql.Tx) error {
		n, more = 0, false
		old, err := s.prunable(ctx, tx, before)
		if err != nil {
			return err
		}
		for _, id := range old {
			if _, err := tx.ExecContext(ctx, "DELETE FROM runs WHERE run_id = ?", id); err != nil {
				return err
			}
			n++
		}
		expired, err := tx.ExecContext(ctx, "DELETE FROM drafts WHERE expires_at < ?", before.UnixNano())
		if err != nil {
			return err
		}
		drafts, err := expired.RowsAffected()
		if err != nil {
			return err
		}
		if more = n > 0 || drafts > 0; !more {
			return nil
		}
		// Files go before the commit. Should it fail, a step names a file that
		// is gone; the other order would let a program that publishes the same
		// content in between lose it.
		return s.sweepArtifacts(ctx, tx)
	})
	if err != nil {
		return 0, err
	}
	if !more {
		return 0, fault("prune the record", s.dir, s.sweepOwners())
	}
	if _, err := s.write.ExecContext(ctx, "PRAGMA incremental_vacuum"); err != nil {
		return n, fault("prune the record", s.dir, err)
	}
	return n, fault("prune the record", s.dir, s.sweepOwners())
}

// prunable lists the runs that started before a time and are not under way.
func (s *Store) prunable(ctx context.Context, tx *sql.Tx, before time.Time) ([]string, error) {
	rows, err := tx.QueryContext(ctx, "SELECT run_id, status, owner FROM runs WHERE started_at < ?", before.UnixNano())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []string
	for rows.Next() {
		var id, status, owner string
		if err := rows.Scan(&id, &status, &owner); err != nil {
			return nil, err
		}
		if trace.Status(status) != trace.Running || !s.alive(owner) {
			ids = append(ids, id)
		}
	}
	return ids, rows.Err()
}
