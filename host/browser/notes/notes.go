// Package notes limits what a browser reports about its pages.
package notes

import (
	"sync"

	"errand/host/browser/address"
	"errand/host/trace"
	"errand/policy"
)

// Max limits the notes of one run, because a hostile page can cause any number of requests and
// dialogs.
const Max = 1000

// maxRuns limits the runs whose notes are counted. Beyond it the counts begin again.
const maxRuns = 256

// Notes passes on at most [Max] events of each run, and then reports once that more were dropped.
// It is safe for concurrent use.
type Notes struct {
	tell  func(of policy.Request, n trace.Note)
	byRun bool

	mu sync.Mutex
	n  map[string]int // by the id of the run, or else by ""
}

// New returns the notes of a browser that several runs use and reports to tellOf, or else of one
// run that it reports to tell. Both may be nil.
func New(tell func(trace.Note), tellOf func(of policy.Request, n trace.Note)) *Notes {
	n := &Notes{tell: tellOf, byRun: tellOf != nil, n: map[string]int{}}
	if !n.byRun && tell != nil {
		n.tell = func(_ policy.Request, note trace.Note) { tell(note) }
	}
	return n
}

// Add passes on an event of a call; of is zero if the call is unknown.
func (n *Notes) Add(of policy.Request, note trace.Note) {
	if n.tell == nil {
		return
	}
	run := ""
	if n.byRun {
		run = of.Run
	}
	n.mu.Lock()
	if len(n.n) >= maxRuns {
		clear(n.n)
	}
	n.n[run]++
	count := n.n[run]
	n.mu.Unlock()
	switch {
	case count < Max:
		n.AddAlways(of, note)
	case count == Max:
		n.tell(of, trace.LimitNote{OmittedKind: note.Kind(), Truncated: true, Limit: Max})
	}
}

// AddAlways passes on an event regardless of the limit: that the run waits for the user, or no
// longer does. A call has at most one of each.
func (n *Notes) AddAlways(of policy.Request, note trace.Note) {
	if n.tell != nil {
		n.tell(of, note.MapText(address.Clip))
	}
}
