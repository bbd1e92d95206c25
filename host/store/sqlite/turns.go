package sqlite

import (
	"context"

	"errand/host/trace"
	"errand/planner/message"
)

// turnTable is the part of [Store] that keeps conversations with planners.
type turnTable struct{ *database }

// AddTurn implements [trace.Log].
func (s turnTable) AddTurn(ctx context.Context, turn trace.Turn) error {
	turn.At = turn.At.Round(0).UTC()
	body, err := toJSON(turn)
	if err != nil {
		return err
	}
	return s.change(ctx, message.New("store.record_turn"), func(tx *txn) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO turns (run_id, turn, role, at, body) VALUES (?, ?, ?, ?, ?)",
			turn.RunID, turn.Number, turn.Role, turn.At.UnixNano(), string(body))
		return inRun(err, turn.RunID)
	})
}
