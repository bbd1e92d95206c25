package page

import (
	"sync"

	"errand/host/browser/address"
)

// maxNotes limits the notes of one browser, because a hostile page can cause any number of
// requests and dialogs.
const maxNotes = 1000

// notes passes on at most maxNotes events, and then reports once that more were dropped.
type notes struct {
	tell func(kind string, data map[string]any)

	mu sync.Mutex
	n  int
}

func newNotes(tell func(string, map[string]any)) *notes { return &notes{tell: tell} }

func (n *notes) add(kind string, data map[string]any) {
	if n.tell == nil {
		return
	}
	n.mu.Lock()
	n.n++
	count := n.n
	n.mu.Unlock()
	switch {
	case count < maxNotes:
		n.addAlways(kind, data)
	case count == maxNotes:
		n.tell(kind, map[string]any{"truncated": true, "limit": maxNotes})
	}
}

// addAlways passes on an event regardless of the limit: that the run waits for the user,
// or no longer does. A call has at most one of each.
func (n *notes) addAlways(kind string, data map[string]any) {
	if n.tell == nil {
		return
	}
	for k, v := range data {
		if s, ok := v.(string); ok {
			data[k] = address.Clip(s)
		}
	}
	n.tell(kind, data)
}
