package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"

	sqlite3 "modernc.org/sqlite/lib"

	"errand/host/event"
	"errand/host/store"
	"errand/host/tool"
	"errand/planner/message"
	"errand/policy/approval"
)

// draftTable is the part of [Store] that keeps drafts.
type draftTable struct{ *database }

// SaveDraft stores a new draft.
func (t draftTable) SaveDraft(ctx context.Context, d store.Draft) error {
	return t.SaveDraftUnless(ctx, d, nil)
}

// SaveDraftUnless stores a new draft unless inTheWay returns true for a stored
// one; nil means never. Concurrent calls, also of other programs, see each other's
// drafts. A conflict is an error with code draft_moved, and nothing is stored.
// inTheWay must not use the store.
func (t draftTable) SaveDraftUnless(ctx context.Context, d store.Draft, inTheWay func(store.Draft) bool) error {
	owner, body, err := t.draftRow(d)
	if err != nil {
		return err
	}
	return t.change(ctx, message.New("store.keep_draft"), func(tx *txn) error {
		if inTheWay != nil {
			kept, err := t.drafts(ctx, tx.Tx, false, "")
			if err != nil {
				return err
			}
			if i := slices.IndexFunc(kept, inTheWay); i >= 0 {
				return tool.NewError(tool.ExecutionError, store.CodeDraftMoved, message.New("store.draft_out_of_order", "id", d.ID, "other", kept[i].ID)).
					WithHint(message.New("store.read_that_draft"))
			}
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO drafts
			(draft_id, run_id, digest, state, created_at, expires_at, owner, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			d.ID, d.RunID, d.PlanDigest, string(d.State), d.CreatedAt.UnixNano(), d.ExpiresAt.UnixNano(), owner, body)
		if isConstraint(err, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY) {
			return tool.NewError(tool.ExecutionError, store.CodeDraftTaken, message.New("store.draft_taken", "id", d.ID))
		}
		if err != nil {
			return err
		}
		return t.addEvent(ctx, tx, event.Put, draftName(d.ID))
	})
}

// SwapDraft replaces the draft was with d, if the stored draft still equals was.
// If it was approved, rejected in part, edited or answered meanwhile, the error
// has code draft_moved and nothing changes. Therefore an approval never covers a
// concurrent edit, and only one of several concurrent edits or applications
// succeeds.
func (t draftTable) SwapDraft(ctx context.Context, was, d store.Draft) error {
	before, err := toJSON(was)
	if err != nil {
		return err
	}
	owner, body, err := t.draftRow(d)
	if err != nil {
		return err
	}
	return t.change(ctx, message.New("store.change_draft"), func(tx *txn) error {
		result, err := tx.ExecContext(ctx, `UPDATE drafts SET digest = ?, state = ?, expires_at = ?, owner = ?, body = ?
			WHERE draft_id = ? AND body IN (?, ?)`,
			d.PlanDigest, string(d.State), d.ExpiresAt.UnixNano(), owner, body, d.ID, string(before), was.Stored)
		if err != nil {
			return err
		}
		n, err := result.RowsAffected()
		if err == nil && n == 0 {
			return tool.NewError(tool.ExecutionError, store.CodeDraftMoved, message.New("store.draft_changed", "id", d.ID)).
				WithHint(message.New("store.read_draft_again"))
		}
		if err == nil {
			err = t.addCallback(ctx, tx, d)
		}
		if err != nil {
			return err
		}
		return t.addEvent(ctx, tx, event.Put, draftName(d.ID))
	})
}

// draftRow returns a draft's owner, if it is being applied, and its JSON.
func (t draftTable) draftRow(d store.Draft) (owner, body string, err error) {
	b, err := toJSON(d)
	if err == nil && d.State == approval.StateApplying && !t.readOnly {
		if owner, err = t.leases.take(); err != nil {
			err = diskError(message.New("store.keep_draft"), t.dir, err)
		}
	}
	return owner, string(b), err
}

// Draft returns the draft with this id or unambiguous prefix. If there is none,
// the error is a *tool.Error of class validation_error with code draft_not_found.
func (t draftTable) Draft(ctx context.Context, id string) (store.Draft, error) {
	var d store.Draft
	found := false
	err := t.look(ctx, message.New("store.read_draft"), func(tx *sql.Tx) error {
		ids, err := withPrefix(ctx, tx, "SELECT draft_id FROM drafts WHERE draft_id >= ? AND draft_id < ?", id)
		if err != nil {
			return err
		}
		if i := slices.IndexFunc(ids, func(other string) bool { return strings.EqualFold(id, other) }); i >= 0 {
			ids = ids[i : i+1]
		}
		if len(ids) > 1 {
			return tool.NewError(tool.ValidationError, store.CodeDraftAmbiguous, message.New("store.draft_ambiguous", "count", len(ids), "id", id)).
				WithHint(message.New("store.type_more"))
		}
		drafts, err := t.drafts(ctx, tx, true, "WHERE draft_id = ?", append(ids, "")[0])
		if err == nil && len(drafts) == 1 {
			d, found = drafts[0], true
		}
		return err
	})
	if err == nil && !found {
		err = tool.NewError(tool.ValidationError, store.CodeDraftNotFound, message.New("store.draft_not_found", "id", id)).
			WithHint(message.New("store.list_drafts"))
	}
	return d, err
}

// Drafts returns the drafts in a state, or all for "", the newest first. The
// caller checks whether a draft has expired.
func (t draftTable) Drafts(ctx context.Context, state approval.State) ([]store.Draft, error) {
	drafts := []store.Draft{}
	err := t.look(ctx, message.New("store.read_drafts"), func(tx *sql.Tx) (err error) {
		const order = " ORDER BY created_at DESC, draft_id DESC"
		if state == "" {
			drafts, err = t.drafts(ctx, tx, false, order)
		} else {
			drafts, err = t.drafts(ctx, tx, false, "WHERE state = ?"+order, string(state))
		}
		return err
	})
	return drafts, err
}

// ListStranded returns the drafts that dead programs left in state APPLYING.
func (t draftTable) ListStranded(ctx context.Context) ([]store.Draft, error) {
	drafts, err := t.Drafts(ctx, approval.StateApplying)
	return slices.DeleteFunc(drafts, func(d store.Draft) bool { return !d.Stranded }), err
}

// drafts reads rows. A damaged row is an error only if alone is set.
func (t draftTable) drafts(ctx context.Context, tx *sql.Tx, alone bool, where string, args ...any) ([]store.Draft, error) {
	rows, err := tx.QueryContext(ctx, "SELECT state, owner, body FROM drafts "+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	drafts := []store.Draft{}
	for rows.Next() {
		var state, owner, body string
		if err := rows.Scan(&state, &owner, &body); err != nil {
			return nil, err
		}
		var d store.Draft
		if err := json.Unmarshal([]byte(body), &d); err != nil {
			if !alone {
				continue // a damaged draft must not hide the others
			}
			return nil, damagedError(err)
		}
		d.Stored, d.Stranded = body, approval.State(state) == approval.StateApplying && !t.leases.isHeld(owner)
		drafts = append(drafts, d)
	}
	return drafts, rows.Err()
}
