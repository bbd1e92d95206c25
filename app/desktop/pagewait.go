package desktop

import (
	"slices"
	"time"

	"errand/app/desktop/view"
	"errand/host/trace"
)

// pageWait is one page of a run that waits for a person. Steps run side by side,
// so several may; the browser numbers them.
type pageWait struct {
	number int
	view   *view.PageWait
}

// updateWaits adds or removes a page that waits for a person. It returns the run where
// a person is called to it. The caller holds l.mu.
func (l *liveRun) updateWaits(n trace.PageNote) (called *view.Run) {
	if n.Wait == 0 || l.view.RunID == "" {
		return nil
	}
	if n.WaitSeconds == 0 { // the person has seen to it, or the time is over
		l.openWaits = slices.DeleteFunc(l.openWaits, func(w pageWait) bool { return w.number == n.Wait })
		l.tellWait()
		return nil
	}
	w := &view.PageWait{Kind: n.Challenge, URL: n.URL, Deadline: time.Now().Add(time.Duration(n.WaitSeconds) * time.Second).UnixMilli()}
	l.openWaits = append(l.openWaits, pageWait{n.Wait, w})
	l.tellWait()
	return l.snapshot()
}

// tellWait shows the page that has waited longest, which ends first.
func (l *liveRun) tellWait() {
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
