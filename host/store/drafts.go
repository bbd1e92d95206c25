package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"

	sqlite3 "modernc.org/sqlite/lib"

	"errand/host/tool"
	"errand/policy/approval"
)

// Draft is a draft with what it takes to carry it out later.
type Draft struct {
	approval.Draft
	RunID string          `json:"run_id"` // the run that proposed it
	Plan  json.RawMessage `json:"plan"`   // whose digest PlanDigest is
	// Shown is what the person was shown and what it was made of; the store does
	// not look into it.
	Shown json.RawMessage `json:"shown,omitempty"`
}

// SaveDraft keeps a new draft.
func (s *Store) SaveDraft(ctx context.Context, d Draft) error {
	body, err := toJSON(d)
	if err != nil {
		return err
	}
	return s.change(ctx, "keep the draft", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO drafts
			(draft_id, run_id, digest, state, created_at, expires_at, body) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			d.ID, d.RunID, d.PlanDigest, string(d.State), d.CreatedAt.UnixNano(), d.ExpiresAt.UnixNano(), string(body))
		if isConstraint(err, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY) {
			return tool.Errorf(tool.ExecutionError, CodeDraftTaken, "keep draft %q: a draft of this id exists", d.ID)
		}
		return err
	})
}

// MoveDraft replaces a draft that is still in state from by its next step. If
// another program was faster the error has code draft_moved and nothing
// changes: of two that approve or apply one draft, one does.
func (s *Store) MoveDraft(ctx context.Context, from approval.State, d Draft) error {
	body, err := toJSON(d)
	if err != nil {
		return err
	}
	return s.change(ctx, "move the draft", func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, `UPDATE drafts SET digest = ?, state = ?, expires_at = ?, body = ?
			WHERE draft_id = ? AND state = ?`, d.PlanDigest, string(d.State), d.ExpiresAt.UnixNano(), string(body), d.ID, string(from))
		if err != nil {
			return err
		}
		n, err := result.RowsAffected()
		if err == nil && n == 0 {
			return tool.Errorf(tool.ExecutionError, CodeDraftMoved, "move draft %q from %s to %s: it is in another state by now", d.ID, from, d.State).
				WithHint("look at it again before answering")
		}
		return err
	})
}

// Draft finds a draft by its id or an unambiguous prefix of it. An unknown one
// is a *tool.Error of class validation_error with code draft_not_found.
func (s *Store) Draft(ctx context.Context, id string) (Draft, error) {
	var d Draft
	found := false
	err := s.look(ctx, "read the draft", func(tx *sql.Tx) error {
		ids, err := withPrefix(ctx, tx, "SELECT draft_id FROM drafts WHERE draft_id >= ? AND draft_id < ?", id)
		if err != nil {
			return err
		}
		if i := slices.IndexFunc(ids, func(other string) bool { return strings.EqualFold(id, other) }); i >= 0 {
			ids = ids[i : i+1]
		}
		if len(ids) > 1 {
			return tool.Errorf(tool.ValidationError, CodeDraftAmbiguous, "%d drafts begin with %q", len(ids), id).
				WithHint("type more of the id")
		}
		drafts, err := bodies[Draft](ctx, tx, "SELECT body FROM drafts WHERE draft_id = ?", append(ids, "")[0])
		if err == nil && len(drafts) == 1 {
			d, found = drafts[0], true
		}
		return err
	})
	if err == nil && !found {
		err = tool.Errorf(tool.ValidationError, CodeDraftNotFound, "no draft has the id %q", id).
			WithHint("errand drafts lists those that wait")
	}
	return d, err
}

// Drafts lists the drafts in a state, or all for the empty one; newest first.
// Whether one has expired meanwhile is for the caller, who has the clock.
func (s *Store) Drafts(ctx context.Context, state approval.State) ([]Draft, error) {
	drafts := []Draft{}
	err := s.look(ctx, "list the drafts", func(tx *sql.Tx) (err error) {
		if state == "" {
			drafts, err = bodies[Draft](ctx, tx, "SELECT body FROM drafts ORDER BY created_at DESC, draft_id DESC")
		} else {
			drafts, err = bodies[Draft](ctx, tx, "SELECT body FROM drafts WHERE state = ? ORDER BY created_at DESC, draft_id DESC", string(state))
		}
		return err
	})
	return drafts, err
}
