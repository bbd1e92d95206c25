package page

import (
	"testing"
)

// TestAWaitIsToldHoweverMuchNoiseAPageMakes: what a person waits to hear is not
// lost among a hostile page's requests.
func TestAWaitIsToldHoweverMuchNoiseAPageMakes(t *testing.T) {
	var told []map[string]any
	n := newNotes(func(_ string, data map[string]any) { told = append(told, data) })
	for range 3 * maxNotes {
		n.add("connection", map[string]any{"url": "https://a.example/"})
	}
	n.addAlways("page", map[string]any{"event": "challenge_unsolved"})
	if len(told) != maxNotes+1 || told[maxNotes-1]["truncated"] != true || told[maxNotes]["event"] != "challenge_unsolved" {
		t.Errorf("%d notes, the last %v", len(told), told[len(told)-1])
	}
}
