package drafts

import (
	"cmp"
	"context"
	"slices"

	"errand/host/store"
)

// Newest returns the last draft of a run.
func (ds *Drafts) Newest(ctx context.Context, s store.Store, runID string) (h Draft, found bool, err error) {
	stored, err := s.Drafts(ctx, "")
	if err != nil {
		return h, false, err
	}
	stored = slices.DeleteFunc(stored, func(d store.Draft) bool { return d.RunID != runID })
	if len(stored) == 0 {
		return h, false, nil
	}
	newest := slices.MaxFunc(stored, func(a, b store.Draft) int { return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID)) })
	h, err = ds.Read(ctx, s, newest)
	return h, err == nil, err
}
