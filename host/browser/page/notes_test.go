package page

import (
	"reflect"
	"testing"

	"errand/host/trace"
)

// TestWaitEventOnNoisyPage checks that the events about waiting for the user are kept even if a
// hostile page makes many requests.
func TestWaitEventOnNoisyPage(t *testing.T) {
	var told []trace.Note
	n := newNotes(func(n trace.Note) { told = append(told, n) })
	for range 3 * maxNotes {
		n.add(trace.ConnectionNote{URL: "https://a.example/"})
	}
	limit := trace.Note(trace.LimitNote{OmittedKind: "connection", Truncated: true, Limit: maxNotes})
	unsolved := trace.PageNote{Event: trace.PageUnsolved}
	n.addAlways(unsolved)
	if len(told) != maxNotes+1 || told[maxNotes-1] != limit || !reflect.DeepEqual(told[maxNotes], unsolved) {
		t.Errorf("%d notes, the last %v", len(told), told[len(told)-1])
	}
}
