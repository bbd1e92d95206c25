package sqlite

import (
	"context"
	"database/sql"
	"time"

	"errand/host/store"
	"errand/planner/message"
)

// usageTable is the part of [Store] that counts tokens.
type usageTable struct{ *database }

// AddUsage adds a request to the counts of its day and model.
func (t usageTable) AddUsage(ctx context.Context, u store.ModelUsage) error {
	return t.change(ctx, message.New("store.count_tokens"), func(tx *txn) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO usage (day, provider, model, requests, unpriced, sent, received, cost) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (day, provider, model) DO UPDATE SET requests = requests + excluded.requests, unpriced = unpriced + excluded.unpriced,
			sent = sent + excluded.sent, received = received + excluded.received, cost = cost + excluded.cost`,
			u.Day, u.Provider, u.Model, u.Requests, u.Unpriced, u.TokensIn, u.TokensOut, u.CostMicros)
		return err
	})
}

// UsageOf lists the counts of a day, by provider and model.
func (t usageTable) UsageOf(ctx context.Context, day string) ([]store.ModelUsage, error) {
	all := []store.ModelUsage{}
	err := t.look(ctx, message.New("store.read_tokens"), func(tx *sql.Tx) error {
		return eachRow(ctx, tx, func(rows *sql.Rows) error {
			u := store.ModelUsage{Day: day}
			err := rows.Scan(&u.Provider, &u.Model, &u.Requests, &u.Unpriced, &u.TokensIn, &u.TokensOut, &u.CostMicros)
			all = append(all, u)
			return err
		}, "SELECT provider, model, requests, unpriced, sent, received, cost FROM usage WHERE day = ? ORDER BY provider, model", day)
	})
	return all, err
}

// forgetUsage deletes the counts of days before a time.
func forgetUsage(ctx context.Context, tx *sql.Tx, before time.Time) error {
	_, err := tx.ExecContext(ctx, "DELETE FROM usage WHERE day < ?", before.Format(time.DateOnly))
	return err
}
