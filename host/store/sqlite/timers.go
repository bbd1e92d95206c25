package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"errand/host/event"
	"errand/host/store"
	"errand/planner/message"
)

// timerTable is the part of [Store] that keeps timers.
type timerTable struct{ *database }

const (
	maxClaims  = 1000
	keptClaims = 64 // of one timer, so that a clock that is put back doubles nothing

)

func timerName(id string) event.Name { return event.Name("cld:errand.Timer." + event.ID(id)) }

// AddTimer keeps a new timer and reports whether it is new.
func (t timerTable) AddTimer(ctx context.Context, timer store.Timer) (added bool, err error) {
	body, err := toJSON(timer)
	if err != nil {
		return false, err
	}
	err = t.change(ctx, message.New("store.keep_timer"), func(tx *txn) error {
		added, err = changed(tx.ExecContext(ctx, "INSERT INTO timers (timer_id, due, body) VALUES (?, ?, ?) ON CONFLICT (timer_id) DO NOTHING",
			timer.ID, timer.Due.UnixNano(), string(body)))
		if err != nil || !added {
			return err
		}
		return t.addEvent(ctx, tx, event.Put, timerName(timer.ID))
	})
	return added, err
}

// changed reports whether a statement changed a row.
func changed(result sql.Result, err error) (bool, error) {
	if err != nil {
		return false, err
	}
	n, err := result.RowsAffected()
	return n > 0, err
}

// Timers lists what is pending, by its time.
func (t timerTable) Timers(ctx context.Context) ([]store.Timer, error) {
	timers := []store.Timer{}
	err := t.look(ctx, message.New("store.read_timers"), func(tx *sql.Tx) error {
		return eachRow(ctx, tx, func(rows *sql.Rows) error {
			var due int64
			var body string
			if err := rows.Scan(&due, &body); err != nil {
				return err
			}
			if timer, ok := readTimer(body, due); ok {
				timers = append(timers, timer)
			}
			return nil
		}, "SELECT due, body FROM timers ORDER BY due, timer_id")
	})
	return timers, err
}

// readTimer reads a timer. A damaged one is left out, so that it does not hide the others.
func readTimer(body string, due int64) (store.Timer, bool) {
	var timer store.Timer
	if json.Unmarshal([]byte(body), &timer) != nil {
		return timer, false
	}
	timer.Due = time.Unix(0, due).UTC()
	return timer, true
}

// RemoveTimer removes a pending timer and reports whether there was one.
func (t timerTable) RemoveTimer(ctx context.Context, id string) (removed bool, err error) {
	err = t.change(ctx, message.New("store.change_timer"), func(tx *txn) (err error) {
		if removed, err = changed(tx.ExecContext(ctx, "DELETE FROM timers WHERE timer_id = ?", id)); err != nil || !removed {
			return err
		}
		return t.addEvent(ctx, tx, event.Delete, timerName(id))
	})
	return removed, err
}

// MoveTimer changes when a pending timer is due, and reports whether it was due at from.
func (t timerTable) MoveTimer(ctx context.Context, id string, from, to time.Time) (moved bool, err error) {
	err = t.change(ctx, message.New("store.change_timer"), func(tx *txn) (err error) {
		if moved, err = changed(tx.ExecContext(ctx, "UPDATE timers SET due = ?3 WHERE timer_id = ?1 AND due = ?2", id, from.UnixNano(), to.UnixNano())); err != nil || !moved {
			return err
		}
		return t.addEvent(ctx, tx, event.Put, timerName(id))
	})
	return moved, err
}

// SetTimerState changes the state of a pending timer.
func (t timerTable) SetTimerState(ctx context.Context, id, state string) (set bool, err error) {
	err = t.change(ctx, message.New("store.change_timer"), func(tx *txn) (err error) {
		set, err = changed(tx.ExecContext(ctx, "UPDATE timers SET body = json_set(body, '$.state', ?2) WHERE timer_id = ?1", id, state))
		return err
	})
	return set, err
}

// ClaimTimer claims the moment at which a pending timer is due.
func (t timerTable) ClaimTimer(ctx context.Context, id string, due, next time.Time) (claimed bool, err error) {
	err = t.change(ctx, message.New("store.change_timer"), func(tx *txn) error {
		var body string
		switch err := tx.QueryRowContext(ctx, "SELECT body FROM timers WHERE timer_id = ? AND due = ?", id, due.UnixNano()).Scan(&body); {
		case errors.Is(err, sql.ErrNoRows):
			return nil
		case err != nil:
			return err
		}
		fresh, err := changed(tx.ExecContext(ctx, "INSERT INTO timer_claims (timer_id, due, claimed_at, body) VALUES (?, ?, ?, json_remove(?, '$.state')) ON CONFLICT DO NOTHING",
			id, due.UnixNano(), t.now().UnixNano(), body))
		if err != nil {
			return err
		}
		if next.IsZero() {
			_, err = tx.ExecContext(ctx, "DELETE FROM timers WHERE timer_id = ?", id)
		} else {
			_, err = tx.ExecContext(ctx, "UPDATE timers SET due = ? WHERE timer_id = ?", next.UnixNano(), id)
		}
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM timer_claims WHERE timer_id = ?1 AND settled = 1 AND due NOT IN (
			SELECT due FROM timer_claims WHERE timer_id = ?1 ORDER BY due DESC LIMIT ?2)`, id, keptClaims); err != nil {
			return err
		}
		claimed = fresh
		return t.addEvent(ctx, tx, event.Put, timerName(id))
	})
	return claimed && err == nil, err
}

// SettleClaim records that a claimed moment was handled.
func (t timerTable) SettleClaim(ctx context.Context, id string, due time.Time) error {
	return t.change(ctx, message.New("store.change_timer"), func(tx *txn) error {
		_, err := tx.ExecContext(ctx, "UPDATE timer_claims SET settled = 1 WHERE timer_id = ? AND due = ?", id, due.UnixNano())
		return err
	})
}

// TimerClaims lists the claims from a time on, newest first.
func (t timerTable) TimerClaims(ctx context.Context, since time.Time) ([]store.TimerClaim, error) {
	claims := []store.TimerClaim{}
	err := t.look(ctx, message.New("store.read_timers"), func(tx *sql.Tx) error {
		return eachRow(ctx, tx, func(rows *sql.Rows) error {
			var due, at int64
			var c store.TimerClaim
			var body string
			if err := rows.Scan(&due, &at, &c.Settled, &body); err != nil {
				return err
			}
			timer, ok := readTimer(body, due)
			c.Timer, c.ClaimedAt = timer, time.Unix(0, at).UTC()
			if ok {
				claims = append(claims, c)
			}
			return nil
		}, "SELECT due, claimed_at, settled, body FROM timer_claims WHERE claimed_at >= ? ORDER BY claimed_at DESC, timer_id, due DESC LIMIT ?", since.UnixNano(), maxClaims)
	})
	return claims, err
}

// forgetClaims deletes settled claims of timers that are gone, from before a time.
func forgetClaims(ctx context.Context, tx *sql.Tx, before time.Time) error {
	_, err := tx.ExecContext(ctx, "DELETE FROM timer_claims WHERE settled = 1 AND claimed_at < ? AND timer_id NOT IN (SELECT timer_id FROM timers)", before.UnixNano())
	return err
}
