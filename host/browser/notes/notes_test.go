package notes_test

import (
	"reflect"
	"strings"
	"testing"

	"errand/host/browser/address"
	"errand/host/browser/notes"
	"errand/host/trace"
	"errand/policy"
)

// TestWaitEventOnNoisyPage checks that the events about waiting for the user are kept even if a
// hostile page makes many requests.
func TestWaitEventOnNoisyPage(t *testing.T) {
	var told []trace.Note
	n := notes.New(func(n trace.Note) { told = append(told, n) }, nil)
	for range 3 * notes.Max {
		n.Add(policy.Request{}, trace.ConnectionNote{URL: "https://a.example/"})
	}
	limit := trace.Note(trace.LimitNote{OmittedKind: "connection", Truncated: true, Limit: notes.Max})
	unsolved := trace.PageNote{Event: trace.PageUnsolved}
	n.AddAlways(policy.Request{}, unsolved)
	if len(told) != notes.Max+1 || told[notes.Max-1] != limit || !reflect.DeepEqual(told[notes.Max], unsolved) {
		t.Errorf("%d notes, the last %v", len(told), told[len(told)-1])
	}
}

func TestNotesAreCapped(t *testing.T) {
	var got []trace.Note
	n := notes.New(func(n trace.Note) { got = append(got, n) }, nil)
	for range 3 * notes.Max {
		n.Add(policy.Request{}, trace.ConnectionNote{URL: strings.Repeat("é", 5000)})
	}
	if len(got) != notes.Max {
		t.Fatalf("%d notes, want %d", len(got), notes.Max)
	}
	if s := got[0].(trace.ConnectionNote).URL; len(s) > address.MaxText+len("…") || !strings.HasSuffix(s, "é…") {
		t.Errorf("a long text is %d bytes and ends in %q", len(s), s[len(s)-6:])
	}
	if _, ok := got[notes.Max-1].(trace.LimitNote); !ok {
		t.Errorf("the last note is %v", got[notes.Max-1])
	}
	notes.New(nil, nil).Add(policy.Request{}, trace.PageNote{}) // nobody listens
}

// TestLimitOfEachRun checks that a noisy run does not silence another one in the same browser.
func TestLimitOfEachRun(t *testing.T) {
	got := map[string]int{}
	n := notes.New(nil, func(of policy.Request, _ trace.Note) { got[of.Run]++ })
	for range 2 * notes.Max {
		n.Add(policy.Request{Run: "noisy"}, trace.ConnectionNote{})
	}
	n.Add(policy.Request{Run: "quiet"}, trace.ConnectionNote{})
	if got["noisy"] != notes.Max || got["quiet"] != 1 {
		t.Errorf("notes %v", got)
	}
}
