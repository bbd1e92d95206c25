package sqlite

import (
	"context"
	"database/sql"
	"time"

	"errand/host/store"
	"errand/planner/message"
)

// chatTable is the part of [Store] that keeps chats.
type chatTable struct{ *database }

// keptUpdates is how long the ids of settled updates are kept. A messenger repeats an update for a day.
const keptUpdates = 14 * 24 * time.Hour

// SavePairing implements [store.Chats].
func (t chatTable) SavePairing(ctx context.Context, p store.Pairing) error {
	return t.change(ctx, message.New("store.change_chat"), func(tx *txn) error {
		_, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO pairing (id, hash, expires, attempts) VALUES (1, ?, ?, ?)", p.Hash, p.Expires.UnixNano(), p.Attempts)
		return err
	})
}

// PairChat implements [store.Chats].
func (t chatTable) PairChat(ctx context.Context, hash string, c store.Chat) (paired bool, err error) {
	err = t.change(ctx, message.New("store.change_chat"), func(tx *txn) error {
		paired, err = changed(tx.ExecContext(ctx, "DELETE FROM pairing WHERE hash = ? AND expires > ? AND attempts > 0", hash, c.PairedAt.UnixNano()))
		if err != nil {
			return err
		}
		if !paired {
			_, err = tx.ExecContext(ctx, "UPDATE pairing SET attempts = max(0, attempts - 1)")
			return err
		}
		_, err = tx.ExecContext(ctx, "INSERT OR REPLACE INTO chats (bot, chat, name, paired_at) VALUES (?, ?, ?, ?)", c.Bot, c.ID, c.Name, c.PairedAt.UnixNano())
		return err
	})
	return paired && err == nil, err
}

// Chats implements [store.Chats].
func (t chatTable) Chats(ctx context.Context) ([]store.Chat, error) {
	chats := []store.Chat{}
	err := t.look(ctx, message.New("store.read_chats"), func(tx *sql.Tx) error {
		return eachRow(ctx, tx, func(rows *sql.Rows) error {
			var c store.Chat
			var at int64
			if err := rows.Scan(&c.Bot, &c.ID, &c.Name, &at); err != nil {
				return err
			}
			c.PairedAt = time.Unix(0, at).UTC()
			chats = append(chats, c)
			return nil
		}, "SELECT bot, chat, name, paired_at FROM chats ORDER BY paired_at, bot, chat")
	})
	return chats, err
}

// IsPaired implements [store.Chats].
func (t chatTable) IsPaired(ctx context.Context, bot, chat int64) (paired bool, err error) {
	err = t.look(ctx, message.New("store.read_chats"), func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM chats WHERE bot = ? AND chat = ?)", bot, chat).Scan(&paired)
	})
	return paired && err == nil, err
}

// UnpairChat implements [store.Chats].
func (t chatTable) UnpairChat(ctx context.Context, chat int64) (unpaired bool, err error) {
	err = t.change(ctx, message.New("store.change_chat"), func(tx *txn) error {
		unpaired, err = changed(tx.ExecContext(ctx, "DELETE FROM chats WHERE chat = ?", chat))
		return err
	})
	return unpaired && err == nil, err
}

// ClaimUpdate implements [store.Chats].
func (t chatTable) ClaimUpdate(ctx context.Context, u store.ChatUpdate) (claimed bool, err error) {
	err = t.change(ctx, message.New("store.change_chat"), func(tx *txn) error {
		claimed, err = changed(tx.ExecContext(ctx, "INSERT INTO chat_updates (bot, update_id, chat, taken_at, ref) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
			u.Bot, u.ID, u.Chat, u.At.UnixNano(), u.Ref))
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "DELETE FROM chat_updates WHERE settled = 1 AND taken_at < ?", u.At.Add(-keptUpdates).UnixNano())
		return err
	})
	return claimed && err == nil, err
}

// SettleUpdate implements [store.Chats].
func (t chatTable) SettleUpdate(ctx context.Context, bot, id int64) error {
	return t.change(ctx, message.New("store.change_chat"), func(tx *txn) error {
		_, err := tx.ExecContext(ctx, "UPDATE chat_updates SET settled = 1 WHERE bot = ? AND update_id = ?", bot, id)
		return err
	})
}

// UnsettledUpdates implements [store.Chats].
func (t chatTable) UnsettledUpdates(ctx context.Context, bot int64) ([]store.ChatUpdate, error) {
	updates := []store.ChatUpdate{}
	err := t.look(ctx, message.New("store.read_chats"), func(tx *sql.Tx) error {
		return eachRow(ctx, tx, func(rows *sql.Rows) error {
			u := store.ChatUpdate{Bot: bot}
			var at int64
			if err := rows.Scan(&u.ID, &u.Chat, &at, &u.Ref); err != nil {
				return err
			}
			u.At = time.Unix(0, at).UTC()
			updates = append(updates, u)
			return nil
		}, "SELECT update_id, chat, taken_at, ref FROM chat_updates WHERE bot = ? AND settled = 0 ORDER BY taken_at, update_id", bot)
	})
	return updates, err
}
