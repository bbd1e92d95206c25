package drafts

import (
	"context"

	"errand/host/store"
	"errand/planner/message"
	"errand/policy/approval"
)

// Keep stores a new draft of a run. conflicts reports which other drafts keep it from
// being stored; nil: none.
func (ds *Drafts) Keep(ctx context.Context, h Draft, runID string, t approval.Terms, conflicts func(store.Draft) bool) (Draft, error) {
	d, err := approval.Propose(ds.newID(), t, ds.now())
	if err != nil {
		return h, message.Error("drafts.make_draft", "cause", err)
	}
	h.Draft, h.key = store.Draft{Draft: d, RunID: runID}, ds.vault.Key
	h.Proposal.Demo = ds.demo
	s, err := ds.storage()
	if err != nil {
		return h, err
	}
	packed, err := ds.pack(&h)
	if err != nil {
		return h, err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
	defer cancel()
	if err := s.SaveDraftUnless(ctx, packed, conflicts); err != nil {
		return h, err
	}
	return h.keep(packed), nil
}
