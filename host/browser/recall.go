package browser

import (
	"context"
	"reflect"
	"time"

	"errand/host/browser/locator"
)

// recently is how long an element stands for its locator after the look that found
// it: long enough for a call that was judged by its element and was let through
// unasked, too short for anybody to have been asked.
const recently = 250 * time.Millisecond

// sighting is what the last look through the accessibility tree found. The browser
// answers such a look with its next frame, 13 ms or so, and a click takes two: one
// to be judged, one to be done.
type sighting struct {
	locator locator.Locator
	match   match
	act     int
	at      time.Time
}

// recall answers with the element that the act right before this one found under
// the same locator, once, as long as its node is there. What it is by now is the
// caller's to check: it is looked at again before anything is done to it.
func (d *document) recall(ctx context.Context, l locator.Locator) *element {
	s := d.sighted
	d.sighted = sighting{}
	if s.match.node == nil || s.act != d.acts-1 || time.Since(s.at) > recently || !reflect.DeepEqual(s.locator, l) {
		return nil
	}
	e, err := d.hold(ctx, s.match)
	if err != nil {
		return nil
	}
	there, err := e.frame.invoke(ctx, e.object, true, "function () { return this.isConnected }")
	if err != nil || string(there.Result.Value) != "true" {
		return nil
	}
	return e
}

func (d *document) remember(l locator.Locator, m match) {
	d.sighted = sighting{l, m, d.acts, time.Now()}
}
