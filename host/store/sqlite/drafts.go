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
	"errand/policy/approval"
)

// draftTable is the part of [Store] that keeps drafts.
type draftTable struct{ *database }

// SaveDraft keeps a new draft.
func (t draftTable) SaveDraft(ctx context.Context, d store.Draft) error {
	return t.SaveDraftUnless(ctx, d, nil)
}

// SaveDraftUnless is SaveDraft where none of the drafts that are kept is in its
// way; nil: none can be. Of several programs that save at once each sees those
// that were saved before its own. One in the way is an error with code
// draft_moved, and nothing is kept. inTheWay must not use the store.
func (t draftTable) SaveDraftUnless(ctx context.Context, d store.Draft, inTheWay func(store.Draft) bool) error {
	owner, body, err := t.draftRow(d)
	if err != nil {
		return err
	}
	return t.change(ctx, "keep the draft", func(tx *txn) error {
		if inTheWay != nil {
			kept, err := t.drafts(ctx, tx.Tx, false, "")
			if err != nil {
				return err
			}
			if i := slices.IndexFunc(kept, inTheWay); i >= 0 {
				return tool.Errorf(tool.ExecutionError, store.CodeDraftMoved, "keep draft %q: draft %q was kept before", d.ID, kept[i].ID).
					WithHint("look at that one first")
			}
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO drafts
			(draft_id, run_id, digest, state, created_at, expires_at, owner, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			d.ID, d.RunID, d.PlanDigest, string(d.State), d.CreatedAt.UnixNano(), d.ExpiresAt.UnixNano(), owner, body)
		if isConstraint(err, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY) {
			return tool.Errorf(tool.ExecutionError, store.CodeDraftTaken, "keep draft %q: a draft of this id exists", d.ID)
		}
		if err != nil {
			return err
		}
		return t.tell(ctx, tx, event.Put, draftName(d.ID))
	})
}

// SwapDraft replaces a draft that is still as it was read, or as it was last
// saved, by another version of it. Where anything of it changed meanwhile (it
// was approved, rejected in part, edited or answered) the error has code
// draft_moved and nothing changes: nobody approves what somebody else has just
// altered, and of two that edit or apply one draft, one does.
func (t draftTable) SwapDraft(ctx context.Context, was, d store.Draft) error {
	before, err := toJSON(was)
	if err != nil {
		return err
	}
	owner, body, err := t.draftRow(d)
	if err != nil {
		return err
	}
	return t.change(ctx, "move the draft", func(tx *txn) error {
		result, err := tx.ExecContext(ctx, `UPDATE drafts SET digest = ?, state = ?, expires_at = ?, owner = ?, body = ?
			WHERE draft_id = ? AND body IN (?, ?)`,
			d.PlanDigest, string(d.State), d.ExpiresAt.UnixNano(), owner, body, d.ID, string(before), was.Stored)
		if err != nil {
			return err
		}
		n, err := result.RowsAffected()
		if err == nil && n == 0 {
			return tool.Errorf(tool.ExecutionError, store.CodeDraftMoved, "move draft %q to %s: it changed meanwhile", d.ID, d.State).
				WithHint("look at it again before answering")
		}
		if err != nil {
			return err
		}
		return t.tell(ctx, tx, event.Put, draftName(d.ID))
	})
}

// draftRow is the owner of a draft, if it is being applied, and its JSON.
func (t draftTable) draftRow(d store.Draft) (owner, body string, err error) {
	b, err := toJSON(d)
	if err == nil && d.State == approval.StateApplying && !t.readOnly {
		if owner, err = t.leases.take(); err != nil {
			err = fault("keep the draft", t.dir, err)
		}
	}
	return owner, string(b), err
}

// Draft finds a draft by its id or an unambiguous prefix of it. An unknown one
// is a *tool.Error of class validation_error with code draft_not_found.
func (t draftTable) Draft(ctx context.Context, id string) (store.Draft, error) {
	var d store.Draft
	found := false
	err := t.look(ctx, "read the draft", func(tx *sql.Tx) error {
		ids, err := withPrefix(ctx, tx, "SELECT draft_id FROM drafts WHERE draft_id >= ? AND draft_id < ?", id)
		if err != nil {
			return err
		}
		if i := slices.IndexFunc(ids, func(other string) bool { return strings.EqualFold(id, other) }); i >= 0 {
			ids = ids[i : i+1]
		}
		if len(ids) > 1 {
			return tool.Errorf(tool.ValidationError, store.CodeDraftAmbiguous, "%d drafts begin with %q", len(ids), id).
				WithHint("type more of the id")
		}
		drafts, err := t.drafts(ctx, tx, true, "WHERE draft_id = ?", append(ids, "")[0])
		if err == nil && len(drafts) == 1 {
			d, found = drafts[0], true
		}
		return err
	})
	if err == nil && !found {
		err = tool.Errorf(tool.ValidationError, store.CodeDraftNotFound, "no draft has the id %q", id).
			WithHint("errand drafts lists those that wait")
	}
	return d, err
}

// Drafts lists the drafts in a state, or all for the empty one; newest first.
// Whether one has expired meanwhile is for the caller, who has the clock.
func (t draftTable) Drafts(ctx context.Context, state approval.State) ([]store.Draft, error) {
	drafts := []store.Draft{}
	err := t.look(ctx, "list the drafts", func(tx *sql.Tx) (err error) {
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

// Stranded lists the drafts that programs which died have left APPLYING.
func (t draftTable) Stranded(ctx context.Context) ([]store.Draft, error) {
	drafts, err := t.Drafts(ctx, approval.StateApplying)
	return slices.DeleteFunc(drafts, func(d store.Draft) bool { return !d.Stranded }), err
}

// drafts reads rows. One that is damaged is an error where it was asked for alone.
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
				continue // one that is damaged must not hide the others
			}
			return nil, damaged(err)
		}
		d.Stored, d.Stranded = body, approval.State(state) == approval.StateApplying && !t.leases.isHeld(owner)
		drafts = append(drafts, d)
	}
	return drafts, rows.Err()
}
