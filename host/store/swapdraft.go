package store

import (
	"context"
	"database/sql"

	"errand/host/tool"
)

// SwapDraft replaces a draft that is still exactly as it was read by another
// version of it. Where anything of it changed meanwhile (it was approved,
// rejected in part, edited or answered) the error has code draft_moved and
// nothing changes: nobody approves what somebody else has just altered.
func (s *Store) SwapDraft(ctx context.Context, was, d Draft) error {
	before, err := toJSON(was)
	if err != nil {
		return err
	}
	body, err := toJSON(d)
	if err != nil {
		return err
	}
	return s.change(ctx, "move the draft", func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, `UPDATE drafts SET digest = ?, state = ?, expires_at = ?, body = ?
			WHERE draft_id = ? AND body = ?`, d.PlanDigest, string(d.State), d.ExpiresAt.UnixNano(), string(body), d.ID, string(before))
		if err != nil {
			return err
		}
		n, err := result.RowsAffected()
		if err == nil && n == 0 {
			return tool.Errorf(tool.ExecutionError, CodeDraftMoved, "move draft %q to %s: it changed meanwhile", d.ID, d.State).
				WithHint("look at it again before answering")
		}
		return err
	})
}
