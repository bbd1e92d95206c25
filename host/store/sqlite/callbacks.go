package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"errand/host/store"
	"errand/host/tool"
	"errand/planner/message"

	sqlite3 "modernc.org/sqlite/lib"
)

// Callback implements [store.Drafts].
func (t draftTable) Callback(ctx context.Context, key string) (c store.Callback, found bool, err error) {
	err = t.look(ctx, message.New("store.read_draft"), func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, "SELECT key, draft_id, action, state FROM callbacks WHERE key = ?", key).Scan(&c.Key, &c.DraftID, &c.Action, &c.State)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		found = err == nil
		return err
	})
	return c, found, err
}

// addCallback keeps the press that moves a draft to its new state.
func (t draftTable) addCallback(ctx context.Context, tx *txn, d store.Draft) error {
	if d.Callback.Key == "" {
		return nil
	}
	_, err := tx.ExecContext(ctx, "INSERT INTO callbacks (key, draft_id, action, state, at) VALUES (?, ?, ?, ?, ?)",
		d.Callback.Key, d.ID, d.Callback.Action, string(d.State), t.now().UnixNano())
	if isConstraint(err, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY) {
		return tool.NewError(tool.ExecutionError, store.CodeKeyTaken, message.New("store.callback_taken", "key", d.Callback.Key))
	}
	return err
}

// forgetCallbacks deletes the presses of before a time. Their drafts have ended.
func forgetCallbacks(ctx context.Context, tx *sql.Tx, before time.Time) error {
	_, err := tx.ExecContext(ctx, "DELETE FROM callbacks WHERE at < ?1 AND draft_id NOT IN (SELECT draft_id FROM drafts)", before.UnixNano())
	return err
}
