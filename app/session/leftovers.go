package session

import (
	"sync"

	"errand/host/browser/page"
)

// leftovers remembers the browsers of the latest runs, to find out whether a process of
// theirs is alive.
type leftovers struct {
	mu   sync.Mutex
	runs []ranBrowsers // the newest last
}

type ranBrowsers struct {
	runID    string
	browsers []*page.Browser
}

// maxLeftovers is how many runs are remembered.
const maxLeftovers = 16

func (l *leftovers) add(runID string, b *page.Browser) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.runs); n > 0 && l.runs[n-1].runID == runID {
		l.runs[n-1].browsers = append(l.runs[n-1].browsers, b)
		return
	}
	l.runs = append(l.runs, ranBrowsers{runID, []*page.Browser{b}})
	if extra := len(l.runs) - maxLeftovers; extra > 0 {
		l.runs = l.runs[extra:]
	}
}

// CountProcesses counts the processes that one of the latest runs started and that are
// alive, by looking for them; -1: this platform can't tell. Plugins run in this
// process, so a run has no others than its browser's.
func (ss *Sessions) CountProcesses(runID string) int {
	ss.leftovers.mu.Lock()
	defer ss.leftovers.mu.Unlock()
	n := 0
	for _, r := range ss.leftovers.runs {
		if r.runID != runID {
			continue
		}
		for _, b := range r.browsers {
			alive := b.Processes()
			if alive < 0 {
				return -1
			}
			n += alive
		}
	}
	return n
}
