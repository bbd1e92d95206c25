package store

import (
	"context"
	"encoding/json"

	"errand/policy/approval"
)

// Drafts keeps drafts.
type Drafts interface {
	// SaveDraft keeps a new draft. An id in use is an error with code draft_taken.
	SaveDraft(ctx context.Context, d Draft) error
	// SaveDraftUnless is SaveDraft, unless conflicts is true for a draft that is kept
	// already; then the error has code draft_moved and nothing changes. Of several
	// programs that save at once, each sees the drafts saved before its own. conflicts
	// must not use the store; nil: no draft conflicts.
	SaveDraftUnless(ctx context.Context, d Draft, conflicts func(Draft) bool) error
	// SwapDraft replaces a draft that is still as it was read or last saved. If
	// anything of it changed in the meantime the error has code draft_moved and
	// nothing changes, so that of two programs that edit or apply one draft, one does.
	//
	// It keeps d.Callback in the same transaction. A key that is known already is an error with code
	// key_taken, and nothing changes.
	SwapDraft(ctx context.Context, was, d Draft) error
	// Callback returns the press of a button with a key, which moved a draft. found is false if there
	// was none.
	Callback(ctx context.Context, key string) (c Callback, found bool, err error)
	// Draft finds a draft by its id or an unambiguous prefix of it. An unknown one is
	// an error of class validation_error with code draft_not_found.
	Draft(ctx context.Context, id string) (Draft, error)
	// Drafts lists the drafts in a state, or all for the empty state, newest first.
	// It does not look at the time of expiry.
	Drafts(ctx context.Context, state approval.State) ([]Draft, error)
	// ListStranded lists the drafts in state APPLYING whose program died.
	ListStranded(ctx context.Context) ([]Draft, error)
}

// Draft is a draft with what it takes to carry it out later.
type Draft struct {
	approval.Draft
	RunID string          `json:"run_id"` // the run that proposed it
	Plan  json.RawMessage `json:"plan"`   // whose digest PlanDigest is
	// Shown is what the user was shown and what it was made of. The store does not
	// read it.
	Shown json.RawMessage `json:"shown,omitempty"`

	// Stranded and Stored are set by reading.

	// Stranded says that the draft is in state APPLYING and its program died.
	Stranded bool `json:"-"`
	// Callback is the press of a button that moves the draft, for [Drafts.SwapDraft] only.
	Callback Callback `json:"-"`
	// Stored is the draft as it was read, for [Drafts.SwapDraft] only.
	Stored string `json:"-"`
}
