package document

import (
	"context"
	"reflect"
	"time"

	"errand/host/browser/locator"
)

// lastMatchLife is how long an element stands for its locator after the look that found
// it: long enough for a call that was judged by its element and was let through
// unasked, too short for anybody to have been asked.
const lastMatchLife = 250 * time.Millisecond

// lastMatch is what the last look through the accessibility tree found. The browser
// answers such a look with its next frame, 13 ms or so, and a click takes two: one
// to be judged, one to be done.
type lastMatch struct {
	locator locator.Locator
	match   Match
	act     int
	at      time.Time
}

// recallMatch returns, once, the element that the previous action found under the same
// locator, if its node is still in the page. The caller checks it again before acting.
func (d *Document) recallMatch(ctx context.Context, l locator.Locator) *Element {
	s := d.lastMatch
	d.lastMatch = lastMatch{}
	if s.match.Node == nil || s.act != d.acts-1 || time.Since(s.at) > lastMatchLife || !reflect.DeepEqual(s.locator, l) {
		return nil
	}
	e, err := d.Hold(ctx, s.match)
	if err != nil {
		return nil
	}
	there, err := e.Frame.Invoke(ctx, e.Object, true, "function () { return this.isConnected }")
	if err != nil || string(there.Result.Value) != "true" {
		return nil
	}
	return e
}

func (d *Document) rememberMatch(l locator.Locator, m Match) {
	d.lastMatch = lastMatch{l, m, d.acts, time.Now()}
}
