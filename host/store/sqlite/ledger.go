package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"errand/host/event"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// claim is a row of the ledger.
type claim struct {
	trace.Claim   // its Step is the recorded one, if it exists
	runID, stepID string
	owner         string
	settled       bool   // a step of its own run settled it
	body          string // JSON of the call before it was made; empty once told
}

func (c *claim) isBy(step trace.Step) bool { return c.runID == step.RunID && c.stepID == step.StepID }

// claimColumns are the columns for [scanClaim]. Both JOINs are by primary key.
const claimColumns = `SELECT l.key, l.state, l.run_id, l.step_id, l.owner, l.recorded, l.told, l.body, s.body, r.owner, r.status
	FROM ledger l LEFT JOIN steps s ON s.seq = l.step LEFT JOIN runs r ON r.run_id = l.run_id `

// scanClaim reads a row. A PENDING claim that is not under way is Unknown, even if
// the row does not say so yet.
func (s *Store) scanClaim(row interface{ Scan(...any) error }) (claim, error) {
	var c claim
	var body, step, runOwner, runStatus sql.Null[string]
	err := row.Scan(&c.Key, &c.Effect, &c.runID, &c.stepID, &c.owner, &c.Recorded, &c.settled, &body, &step, &runOwner, &runStatus)
	if err != nil {
		return c, err
	}
	c.body = body.V
	shown := body.V
	if step.Valid {
		shown = step.V
	}
	if err := json.Unmarshal([]byte(shown), &c.Step); err != nil {
		return c, damagedError(err)
	}
	if c.Effect == tool.Pending && !(trace.Status(runStatus.V) == trace.Running && runOwner.V == c.owner && s.isCarriedOut(c.owner, claimKey(c.Key, c.runID, c.stepID))) {
		c.Effect = tool.Unknown
	}
	return c, nil
}

// claimOf returns the row of a key. found is false if there is none.
func (s *Store) claimOf(ctx context.Context, tx *sql.Tx, key string) (c claim, found bool, err error) {
	c, err = s.scanClaim(tx.QueryRowContext(ctx, claimColumns+"WHERE l.key = ?", key))
	if errors.Is(err, sql.ErrNoRows) {
		return c, false, nil
	}
	return c, err == nil, err
}

// claimsOf returns the claims of a run, the oldest first. With untold, it returns
// only those without a step.
func (s *Store) claimsOf(ctx context.Context, tx *sql.Tx, runID string, untold bool) ([]claim, error) {
	where := "WHERE l.run_id = ? "
	if untold {
		where += "AND l.told = 0 "
	}
	var claims []claim
	err := eachRow(ctx, tx, func(rows *sql.Rows) error {
		c, err := s.scanClaim(rows)
		claims = append(claims, c)
		return err
	}, claimColumns+where+"ORDER BY l.claimed_at, l.key", runID)
	return claims, err
}

// Claim implements [trace.Log]. If two programs claim a key at the same time, only
// one succeeds.
func (s *Store) Claim(ctx context.Context, step trace.Step) (trace.Claim, error) {
	if step.EffectKey == "" {
		return trace.Claim{}, trace.EffectUnnamed(step)
	}
	step = step.WithDefaults()
	body, err := toJSON(step)
	if err != nil {
		return trace.Claim{}, err
	}
	var out trace.Claim
	err = s.change(ctx, message.New("store.record_call"), func(tx *txn) error {
		var status trace.Status
		var owner string
		err := tx.QueryRowContext(ctx, "SELECT status, owner FROM runs WHERE run_id = ?", step.RunID).Scan(&status, &owner)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return trace.RunNotBegun(step.RunID)
		case err != nil:
			return err
		case status != trace.Running || !s.leases.isOwn(owner):
			return trace.RunEnded(step.RunID)
		}
		earlier, made, err := s.claimOf(ctx, tx.Tx, step.EffectKey)
		switch {
		case err != nil:
			return err
		case made && earlier.Effect == tool.Pending:
			return trace.EffectUnderWay(step)
		case made && earlier.Effect == tool.Unknown:
			out = earlier.Claim
			return s.loseWhere(ctx, tx.Tx, "key = ?", step.EffectKey)
		case made && earlier.Effect == tool.Committed:
			out = earlier.Claim
			return nil
		}
		s.failures.remove(claimKey(step.EffectKey, step.RunID, step.StepID)) // left by an earlier claim
		out = trace.Claim{Key: step.EffectKey, Effect: tool.Pending, Step: step}
		_, err = tx.ExecContext(ctx, `INSERT OR REPLACE INTO ledger (key, run_id, step_id, state, owner, claimed_at, body)
			VALUES (?, ?, ?, ?, ?, ?, ?)`, step.EffectKey, step.RunID, step.StepID, string(tool.Pending), owner, s.now().UnixNano(), string(body))
		return err
	})
	if err != nil {
		return trace.Claim{}, err
	}
	out.Step = s.withPaths(out.Step)
	return out, nil
}

// lose marks a run's pending claims as unknown.
func (s *Store) lose(ctx context.Context, tx *sql.Tx, runID string) error {
	return s.loseWhere(ctx, tx, "run_id = ?", runID)
}

func (s *database) loseWhere(ctx context.Context, tx *sql.Tx, condition, value string) error {
	_, err := tx.ExecContext(ctx, "UPDATE ledger SET state = 'UNKNOWN', settled_at = ? WHERE state = 'PENDING' AND "+condition,
		s.now().UnixNano(), value)
	return err
}

// settle records the effect of an appended step.
func (s *Store) settle(ctx context.Context, tx *sql.Tx, step trace.Step, seq int64) error {
	if step.EffectKey == "" {
		return nil
	}
	c, found, err := s.claimOf(ctx, tx, step.EffectKey)
	if err != nil || !found {
		return err
	}
	next, changed := c.AfterStep(step, c.isBy(step))
	if !changed && c.Effect == tool.Unknown { // it may be lost although the row does not say so yet
		return s.loseWhere(ctx, tx, "key = ?", step.EffectKey)
	}
	if !changed {
		return nil
	}
	_, err = tx.ExecContext(ctx, `UPDATE ledger SET state = ?, settled_at = ?, recorded = 1, step = ?,
		told = told OR run_id = ?4, body = CASE WHEN run_id = ?4 THEN NULL ELSE body END
		WHERE key = ?`,
		string(next.Effect), s.now().UnixNano(), seq, step.RunID, step.EffectKey)
	return err
}

// Settle implements [trace.Log].
func (s *Store) Settle(ctx context.Context, key string, to tool.EffectState) error {
	return s.change(ctx, message.New("store.settle_effect"), func(tx *txn) error {
		c, found, err := s.claimOf(ctx, tx.Tx, key)
		if err != nil {
			return err
		}
		if !found || c.Effect != tool.Unknown || to != tool.Committed && to != tool.Released {
			return trace.EffectSettled(key, c.Effect)
		}
		_, err = tx.ExecContext(ctx, "UPDATE ledger SET state = ?, settled_at = ?, recorded = 0 WHERE key = ?", string(to), s.now().UnixNano(), key)
		if err != nil {
			return err
		}
		return s.addEvent(ctx, tx, event.Put, stepName(c.runID, c.stepID))
	})
}

// maxAbandoned limits the claims of [Store.Abandoned].
const maxAbandoned = 100

// Abandoned implements [store.Runs].
func (s *Store) Abandoned(ctx context.Context) ([]trace.Claim, error) {
	out := []trace.Claim{}
	err := s.look(ctx, message.New("store.read_ledger"), func(tx *sql.Tx) error {
		return eachRow(ctx, tx, func(rows *sql.Rows) error {
			c, err := s.scanClaim(rows)
			if err == nil && c.Effect == tool.Unknown {
				c.Step = s.withPaths(c.Step)
				out = append(out, c.Claim)
			}
			return err
		}, claimColumns+"WHERE l.state = 'PENDING' ORDER BY l.claimed_at DESC LIMIT ?", maxAbandoned)
	})
	return out, err
}

// Effects implements [trace.Reader].
func (s *Store) Effects(ctx context.Context, runID string) ([]trace.Claim, error) {
	out := []trace.Claim{}
	err := s.look(ctx, message.New("store.read_ledger"), func(tx *sql.Tx) error {
		claims, err := s.claimsOf(ctx, tx, runID, false)
		for _, c := range claims {
			c.Step = s.withPaths(c.Step)
			out = append(out, c.Claim)
		}
		return err
	})
	return out, err
}
