package page

import (
	"sync"

	"errand/host/browser/address"
	"errand/host/trace"
)

// maxNotes limits the notes of one browser, because a hostile page can cause any number of
// requests and dialogs.
const maxNotes = 1000

// notes passes on at most maxNotes events, and then reports once that more were dropped.
type notes struct {
	tell func(trace.Note)

	mu sync.Mutex
	n  int
}

func newNotes(tell func(trace.Note)) *notes { return &notes{tell: tell} }

func (n *notes) add(note trace.Note) {
	if n.tell == nil {
		return
	}
	n.mu.Lock()
	n.n++
	count := n.n
	n.mu.Unlock()
	switch {
	case count < maxNotes:
		n.addAlways(note)
	case count == maxNotes:
		n.tell(trace.LimitNote{OmittedKind: note.Kind(), Truncated: true, Limit: maxNotes})
	}
}

// addAlways passes on an event regardless of the limit: that the run waits for the user,
// or no longer does. A call has at most one of each.
func (n *notes) addAlways(note trace.Note) {
	if n.tell == nil {
		return
	}
	n.tell(note.MapText(address.Clip))
}
