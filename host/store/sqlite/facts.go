package sqlite

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"

	"errand/host/store"
	"errand/host/trace"
	"errand/planner/message"
)

// maxFacts is the maximum number of facts to read.
const maxFacts = 1000

// remember stores the facts of a completed step. Later facts replace earlier ones.
// A repeated step, whose effect an earlier call had, stores nothing, because its
// facts may be outdated.
func remember(ctx context.Context, tx *sql.Tx, step trace.Step, end time.Time) error {
	if step.Status != trace.Done || slices.Contains(step.PolicyFlags, trace.FlagRepeated) {
		return nil
	}
	for _, f := range step.Facts {
		fact, gone := strings.CutPrefix(f, "!")
		_, err := tx.ExecContext(ctx, `INSERT INTO facts (fact, holds, run_id, step_id, at, expires_at) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (fact) DO UPDATE SET holds = excluded.holds, run_id = excluded.run_id, step_id = excluded.step_id,
			at = excluded.at, expires_at = excluded.expires_at WHERE excluded.at >= at`,
			fact, !gone, step.RunID, step.StepID, end.UnixNano(), end.Add(store.FactTTL).UnixNano())
		if err != nil {
			return err
		}
	}
	return nil
}

// Facts returns the facts that have not expired, at most 1000, the newest first.
func (s *Store) Facts(ctx context.Context) ([]store.Fact, error) {
	facts := []store.Fact{}
	err := s.look(ctx, message.New("store.read_facts"), func(tx *sql.Tx) error {
		return eachRow(ctx, tx, func(rows *sql.Rows) error {
			var f store.Fact
			var at, expires int64
			if err := rows.Scan(&f.Fact, &f.Holds, &f.RunID, &f.StepID, &at, &expires); err != nil {
				return err
			}
			f.At, f.Expires = time.Unix(0, at).UTC(), time.Unix(0, expires).UTC()
			facts = append(facts, f)
			return nil
		}, `SELECT fact, holds, run_id, step_id, at, expires_at FROM facts
			WHERE expires_at > ? ORDER BY at DESC, fact LIMIT ?`, s.now().UnixNano(), maxFacts)
	})
	return facts, err
}
