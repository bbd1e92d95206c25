package history

import (
	"context"
	"slices"
	"time"

	"errand/host/event"
	"errand/host/store"
)

// How often a watch looks by itself: the bus tells of this program's own changes
// at once, and of another's only with the next own one.
const (
	recordAppears = 2 * time.Second // for a record that is not there yet
	othersChange  = 2 * time.Second
)

// WatchDrafts calls changed after drafts have changed, here or in another program
// over the same record, until ctx ends; it answers ctx's error then. What other
// programs do is heard of within 2 seconds. Where there is no record it waits for
// one, and makes none.
func (h *History) WatchDrafts(ctx context.Context, changed func()) error {
	for !store.HasRecord(h.o.Dir) {
		if err := pause(ctx, recordAppears); err != nil {
			return err
		}
	}
	s, err := h.o.Store()
	if err != nil {
		return err
	}
	for ctx.Err() == nil {
		seen, err := s.LastSeq(ctx)
		if err != nil {
			return err
		}
		sub, err := h.SubscribeFrom(ctx, seen, event.Filter{})
		if err != nil {
			return err
		}
		changed() // whatever happened before the subscription
		h.follow(ctx, s, sub, seen, changed)
		sub.Close()
		if err := pause(ctx, time.Second); err != nil { // it was dropped for being slow
			return err
		}
	}
	return ctx.Err()
}

// follow returns when the subscription has ended.
func (h *History) follow(ctx context.Context, s store.Store, sub *event.Subscription, seen int64, changed func()) {
	tick := time.NewTicker(othersChange)
	defer tick.Stop()
	for {
		select {
		case e, open := <-sub.C():
			if !open {
				return
			}
			if seen = max(seen, e.Seq); ofDrafts(e) {
				changed()
			}
		case <-tick.C:
			news, err := s.EventsSince(ctx, seen, "", 0)
			if err != nil {
				return
			}
			if len(news) > 0 {
				seen = news[len(news)-1].Seq
			}
			if slices.ContainsFunc(news, ofDrafts) {
				changed()
			}
		}
	}
}

func ofDrafts(e event.Event) bool {
	return slices.ContainsFunc(e.Resources, func(n event.Name) bool { return n.Kind() == "errand.Draft" })
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
