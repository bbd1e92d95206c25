package live

import (
	"slices"
	"time"

	"errand/app/desktop/view"
	"errand/host/trace"
)

// pageWait is a page that waits for the user. Steps run in parallel, so several pages
// of a run may wait. The browser numbers them.
type pageWait struct {
	number int
	view   *view.PageWait
}

// updateWaits adds or removes a page that waits for the user. It returns the run if the user
// has to be notified. The caller holds l.mu.
func (l *Run) updateWaits(n trace.PageNote) (called *view.Run) {
	if n.Wait == 0 || l.view.RunID == "" {
		return nil
	}
	if n.WaitSeconds == 0 { // the user has answered it, or the time is over
		l.openWaits = slices.DeleteFunc(l.openWaits, func(w pageWait) bool { return w.number == n.Wait })
		l.showLongestWait()
		return nil
	}
	w := &view.PageWait{Kind: n.Challenge, URL: n.URL, Deadline: time.Now().Add(time.Duration(n.WaitSeconds) * time.Second).UnixMilli()}
	l.openWaits = append(l.openWaits, pageWait{n.Wait, w})
	l.showLongestWait()
	return l.snapshot()
}

// showLongestWait shows the page that has waited longest, because its wait ends first.
func (l *Run) showLongestWait() {
	var next *view.PageWait
	if len(l.openWaits) > 0 {
		next = l.openWaits[0].view
	}
	if next == l.view.Waits {
		return
	}
	l.view.Waits = next
	l.send(view.RunEvent{Run: l.snapshot()})
}
