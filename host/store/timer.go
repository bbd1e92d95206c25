package store

import (
	"context"
	"time"
)

// Timers keeps what is due later. A moment at which something is due is claimed before it is shown or
// run, and settled afterwards. So of several programs, or of one that was killed and started again, one
// handles it, and what a killed program left unsettled can be found.
type Timers interface {
	// AddTimer keeps a new timer and reports whether it is new. One with the id of another changes
	// nothing.
	AddTimer(ctx context.Context, t Timer) (bool, error)
	// Timers lists what is pending, by its time.
	Timers(ctx context.Context) ([]Timer, error)
	// RemoveTimer removes a pending timer and reports whether there was one.
	RemoveTimer(ctx context.Context, id string) (bool, error)
	// MoveTimer changes when a pending timer is due, and reports whether it was due at from.
	MoveTimer(ctx context.Context, id string, from, to time.Time) (bool, error)
	// SetTimerState changes the state of a pending timer, and reports whether there is one.
	SetTimerState(ctx context.Context, id, state string) (bool, error)
	// ClaimTimer claims the moment at which a pending timer is due. It reports false if the timer is
	// gone, is due at another time, or the moment was claimed before. The timer is then due at next, and
	// removed if next is zero.
	ClaimTimer(ctx context.Context, id string, due, next time.Time) (bool, error)
	// SettleClaim records that a claimed moment was handled.
	SettleClaim(ctx context.Context, id string, due time.Time) error
	// TimerClaims lists the claims from a time on, newest first, at most 1000.
	TimerClaims(ctx context.Context, since time.Time) ([]TimerClaim, error)
}

// Timer is something that is due later, once or again and again.
type Timer struct {
	ID        string    `json:"id"`
	Kind      string    `json:"kind"` // timer, alarm, reminder, goal or watch
	When      string    `json:"when"` // as package moment writes it
	Text      string    `json:"text"` // of a reminder, the name of a timer, the words of a goal, or the address of a watched page
	Due       time.Time `json:"due"`
	CreatedAt time.Time `json:"created_at"`
	RunID     string    `json:"run_id,omitempty"`  // that made it
	Changes   string    `json:"changes,omitempty"` // of a page that count: first or every
	State     string    `json:"state,omitempty"`   // what is known of a watched page; claims don't have it
}

// TimerClaim is a moment that a program has claimed.
type TimerClaim struct {
	Timer               // Due is the moment
	ClaimedAt time.Time `json:"claimed_at"`
	Settled   bool      `json:"settled"`
}
