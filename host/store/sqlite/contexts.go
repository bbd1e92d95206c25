package sqlite

import (
	"context"
	"database/sql"
	"time"

	"errand/host/store"
	"errand/host/trace"
	"errand/planner/message"
)

// contextTable is the part of [Store] that keeps contexts.
type contextTable struct{ *database }

// ContextParts implements [store.Contexts].
func (t contextTable) ContextParts(ctx context.Context, conversation string) ([]store.ContextPart, error) {
	parts := []store.ContextPart{}
	err := t.look(ctx, message.New("store.read_context"), func(tx *sql.Tx) error {
		return eachRow(ctx, tx, func(rows *sql.Rows) error {
			var p store.ContextPart
			var at int64
			var body string
			if err := rows.Scan(&p.Name, &p.RunID, &at, &body); err != nil {
				return err
			}
			p.At, p.Body = time.Unix(0, at).UTC(), []byte(body)
			parts = append(parts, p)
			return nil
		}, "SELECT part, run_id, at, body FROM contexts WHERE conversation = ? ORDER BY part", conversation)
	})
	return parts, err
}

// EndInContext implements [store.Contexts].
func (s *Store) EndInContext(ctx context.Context, run trace.Run, conversation string, parts []store.ContextPart) error {
	return endRun(ctx, s, run, func(tx *txn) error {
		for _, p := range parts {
			if _, err := tx.ExecContext(ctx, `INSERT INTO contexts (conversation, part, run_id, at, body) VALUES (?, ?, ?, ?, ?)
				ON CONFLICT (conversation, part) DO UPDATE SET run_id = excluded.run_id, at = excluded.at, body = excluded.body
				WHERE excluded.at >= at`, conversation, p.Name, p.RunID, p.At.UnixNano(), string(p.Body)); err != nil {
				return err
			}
		}
		return nil
	})
}

// ClearContext implements [store.Contexts].
func (t contextTable) ClearContext(ctx context.Context, conversation string) error {
	return t.change(ctx, message.New("store.clear_context"), func(tx *txn) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM contexts WHERE conversation = ?", conversation)
		return err
	})
}
