package store

import (
	"context"
	"time"
)

// Chats keeps the chats of a messenger that may give goals, and which of their updates were taken up. An
// update is claimed before anything is done for it, so that of several programs, or of one that was killed
// and started again, one acts on it, and what a killed program left unanswered can be found.
type Chats interface {
	// SavePairing keeps the code that pairs the next chat, in place of an earlier one.
	SavePairing(ctx context.Context, p Pairing) error
	// PairChat pairs a chat if the hash is that of the code and the code has not expired, and uses the code
	// up. Another hash costs one of its attempts; without one left the code is void.
	PairChat(ctx context.Context, hash string, c Chat) (bool, error)
	// Chats lists the paired chats, the first paired first.
	Chats(ctx context.Context) ([]Chat, error)
	// IsPaired reports whether a chat is paired with a bot.
	IsPaired(ctx context.Context, bot, chat int64) (bool, error)
	// UnpairChat ends the pairing of a chat with all bots, and reports whether there was one.
	UnpairChat(ctx context.Context, chat int64) (bool, error)
	// ClaimUpdate claims an update, and reports false if it was claimed before.
	ClaimUpdate(ctx context.Context, u ChatUpdate) (bool, error)
	// SettleUpdate records that the chat has its answer.
	SettleUpdate(ctx context.Context, bot, id int64) error
	// UnsettledUpdates lists the updates of a bot that were claimed and not settled, the first first.
	UnsettledUpdates(ctx context.Context, bot int64) ([]ChatUpdate, error)
}

// Pairing is a code that pairs a chat once.
type Pairing struct {
	Hash     string // of the code
	Expires  time.Time
	Attempts int // how many wrong codes it outlives
}

// Chat is a paired chat.
type Chat struct {
	Bot      int64     `json:"bot"`
	ID       int64     `json:"chat"`
	Name     string    `json:"name"` // as the messenger told it when it was paired
	PairedAt time.Time `json:"paired_at"`
}

// ChatUpdate is a message, or a press of a button, in a paired chat.
type ChatUpdate struct {
	Bot, ID, Chat int64
	At            time.Time
	Ref           string // the run or the draft that it is about
}

// Callback is a press of a button that moved a draft. [Drafts.SwapDraft] keeps it with the draft.
type Callback struct {
	Key     string `json:"key"` // names the press; empty: there was none
	DraftID string `json:"draft_id"`
	Action  string `json:"action"`
	State   string `json:"state"` // of the draft, to which it was moved
}
