package desktop

import (
	"slices"
	"time"

	"errand/app/desktop/view"
)

// pageWait is one page of a run that waits for a person. Steps run side by side,
// so several may; the browser numbers them.
type pageWait struct {
	number int
	view   *view.PageWait
}

// heard takes in what a page did. It answers the run where a person is called to
// it. The caller holds l.mu.
func (l *live) heard(data map[string]any) (called *view.Run) {
	number, numbered := data["wait"].(int)
	if !numbered || l.view.RunID == "" {
		return nil
	}
	seconds, begins := data["waits_seconds"].(int)
	if !begins { // seen to, or not: it waits no longer
		l.waiting = slices.DeleteFunc(l.waiting, func(w pageWait) bool { return w.number == number })
		l.tellWait()
		return nil
	}
	w := &view.PageWait{Until: time.Now().Add(time.Duration(seconds) * time.Second).UnixMilli()}
	w.Kind, _ = data["kind"].(string)
	w.URL, _ = data["url"].(string)
	l.waiting = append(l.waiting, pageWait{number, w})
	l.tellWait()
	return l.snapshot()
}

// tellWait shows the page that has waited longest, which ends first.
func (l *live) tellWait() {
	var next *view.PageWait
	if len(l.waiting) > 0 {
		next = l.waiting[0].view
	}
	if next == l.view.Waits {
		return
	}
	l.view.Waits = next
	l.send(view.RunEvent{Run: l.snapshot()})
}
