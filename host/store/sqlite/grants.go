package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"errand/host/event"
	"errand/host/store"
	"errand/host/tool"
	"errand/planner/message"
	"errand/policy"
)

// grantTable is the part of [Store] that keeps grants.
type grantTable struct{ *database }

// SaveGrant stores a new grant.
func (t grantTable) SaveGrant(ctx context.Context, g store.Grant) error {
	if err := g.Validate(); err != nil {
		return tool.NewError(tool.ValidationError, "bad_grant", message.FromError(err))
	}
	body, err := toJSON(g)
	if err != nil {
		return err
	}
	return t.change(ctx, message.New("store.keep_grant"), func(tx *txn) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO grants (grant_id, granted_at, until, run_id, call_id, used_at, body) VALUES (?1, ?2, ?3, ?4, ?5, iif(?4 = '', NULL, ?2), ?6)",
			g.ID, g.GrantedAt.UnixNano(), nanos(g.Until), g.Run, g.Call, string(body))
		if err != nil {
			return err
		}
		return t.addEvent(ctx, tx, event.Put, grantName(g.ID))
	})
}

// Grants returns all grants, including ended ones, the newest first.
func (t grantTable) Grants(ctx context.Context) ([]store.Grant, error) {
	grants := []store.Grant{}
	err := t.look(ctx, message.New("store.read_grants"), func(tx *sql.Tx) (err error) {
		grants, err = readGrants(ctx, tx, "ORDER BY granted_at DESC, grant_id DESC")
		return err
	})
	return grants, err
}

// OpenGrants returns the grants that are not revoked, for policy. Expired grants
// are included, because policy checks the time of each request.
func (t grantTable) OpenGrants(ctx context.Context) ([]policy.Grant, error) {
	var open []policy.Grant
	err := t.look(ctx, message.New("store.look_up_grants"), func(tx *sql.Tx) error {
		grants, err := readGrants(ctx, tx, "WHERE revoked_at IS NULL ORDER BY granted_at, grant_id")
		for _, g := range grants {
			open = append(open, g.Grant)
		}
		return err
	})
	return open, err
}

// UseGrant records which run and call use a grant for once or for a run. Call it
// before the grant's first use. Only one of several concurrent calls succeeds. A
// grant that is revoked or used elsewhere is an error with code grant_gone.
func (t grantTable) UseGrant(ctx context.Context, id, run, call string) error {
	return t.change(ctx, message.New("store.use_grant"), func(tx *txn) error {
		result, err := tx.ExecContext(ctx, `UPDATE grants SET run_id = ?2, call_id = ?3, used_at = coalesce(used_at, ?4)
			WHERE grant_id = ?1 AND revoked_at IS NULL AND (run_id = '' OR run_id = ?2)
			AND (body ->> '$.scope' <> 'once' OR call_id = '' OR call_id = ?3)`, id, run, call, t.now().UnixNano())
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			if err == nil {
				err = tool.NewError(tool.PolicyDenied, store.CodeGrantGone, message.New("store.grant_gone", "id", id))
			}
			return err
		}
		return t.addEvent(ctx, tx, event.Put, grantName(id))
	})
}

// RevokeGrant revokes the grant with this id or unambiguous prefix. A revoked
// grant stays unchanged. If there is none, the error is a *tool.Error of class
// validation_error with code grant_not_found.
func (t grantTable) RevokeGrant(ctx context.Context, id, by string, at time.Time) (store.Grant, error) {
	var g store.Grant
	err := t.change(ctx, message.New("store.revoke_grant"), func(tx *txn) error {
		ids, err := withPrefix(ctx, tx.Tx, "SELECT grant_id FROM grants WHERE grant_id >= ? AND grant_id < ?", id)
		if err != nil {
			return err
		}
		if i := slices.IndexFunc(ids, func(other string) bool { return strings.EqualFold(id, other) }); i >= 0 {
			ids = ids[i : i+1]
		}
		switch {
		case len(ids) == 0:
			return tool.NewError(tool.ValidationError, store.CodeGrantNotFound, message.New("store.grant_not_found", "id", id)).
				WithHint(message.New("store.list_grants"))
		case len(ids) > 1:
			return tool.NewError(tool.ValidationError, store.CodeGrantAmbiguous, message.New("store.grant_ambiguous", "count", len(ids), "id", id)).
				WithHint(message.New("store.type_more"))
		}
		if _, err := tx.ExecContext(ctx, "UPDATE grants SET revoked_at = ?, revoked_by = ? WHERE grant_id = ? AND revoked_at IS NULL",
			at.UnixNano(), by, ids[0]); err != nil {
			return err
		}
		grants, err := readGrants(ctx, tx.Tx, "WHERE grant_id = ?", ids[0])
		if err != nil {
			return err
		}
		g = grants[0]
		return t.addEvent(ctx, tx, event.Put, grantName(g.ID))
	})
	return g, err
}

func readGrants(ctx context.Context, tx *sql.Tx, where string, args ...any) ([]store.Grant, error) {
	rows, err := tx.QueryContext(ctx, "SELECT run_id, call_id, used_at, revoked_at, revoked_by, body FROM grants "+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	grants := []store.Grant{}
	for rows.Next() {
		var run, call, by, body string
		var used, revoked sql.NullInt64
		if err := rows.Scan(&run, &call, &used, &revoked, &by, &body); err != nil {
			return nil, err
		}
		var g store.Grant
		if err := json.Unmarshal([]byte(body), &g); err != nil {
			continue // a damaged grant permits nothing and must not hide the others
		}
		g.Run, g.Call, g.RevokedBy = run, call, by
		g.UsedAt, g.RevokedAt = moment(used), moment(revoked)
		grants = append(grants, g)
	}
	return grants, rows.Err()
}

// forgetGrants deletes grants that ended before a time.
func forgetGrants(ctx context.Context, tx *sql.Tx, before time.Time) error {
	_, err := tx.ExecContext(ctx, "DELETE FROM grants WHERE revoked_at < ?1 OR until < ?1 OR run_id <> '' AND used_at < ?1", before.UnixNano())
	return err
}

func nanos(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixNano()
}

func moment(n sql.NullInt64) time.Time {
	if !n.Valid {
		return time.Time{}
	}
	return time.Unix(0, n.Int64).UTC()
}
