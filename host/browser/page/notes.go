package page

import (
	"sync"

	"errand/host/browser/address"
)

// Limits of what one browser tells the record. A hostile page can make
// requests and dialogs without end.
const maxNotes = 1000

// notes passes on what happened, up to maxNotes, and says once that there was
// more.
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

// addAlways passes on what has to be known however much a page made of noise before:
// that a person is waited for, and that they no longer are. A call has at most
// one of each.
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
