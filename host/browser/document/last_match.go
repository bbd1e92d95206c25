package document

import (
	"context"
	"reflect"
	"time"

	"errand/host/browser/locator"
)

// lastMatchLife is how long a match may be reused. It is long enough for a call that was
// classified and allowed, and too short for a call that waited for approval.
const lastMatchLife = 250 * time.Millisecond

// lastMatch caches the latest match in the accessibility tree. The browser answers such a
// query with its next frame, after about 13 ms, and a click needs two: one to classify it
// and one to perform it.
type lastMatch struct {
	locator locator.Locator
	match   Match
	act     int
	at      time.Time
}

// recallMatch returns, once, the element that the previous action found with the same
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
