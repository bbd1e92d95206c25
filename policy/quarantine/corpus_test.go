package quarantine_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"errand/build/must"
	"errand/policy/quarantine"
)

// line is one text of the corpora in testdata.
type line struct {
	ID        string `json:"id"`
	Inject    bool   `json:"inject"`
	Technique string `json:"technique"`
	Lang      string `json:"lang"`
	Text      string `json:"text"`
}

func readCorpus(tb testing.TB, file string) []line {
	tb.Helper()
	return must.ReadJSONL[line](tb, "testdata/"+file)
}

// Limits for every corpus.
const (
	minRecall      = 0.95
	maxFalseAlarms = 0.03
)

func TestCorpus(t *testing.T) {
	for _, file := range []string{"injection.jsonl", "more.jsonl", "later.jsonl", "judged.jsonl", "voices.jsonl"} {
		t.Run(file, func(t *testing.T) {
			var all tally
			for _, l := range readCorpus(t, file) {
				all.count(t, l)
			}
			t.Log(all)
			if all.recall() < minRecall {
				t.Errorf("recall = %.3f, want at least %.2f", all.recall(), minRecall)
			}
			if all.falseAlarms() > maxFalseAlarms {
				t.Errorf("false alarms = %.3f, want at most %.2f", all.falseAlarms(), maxFalseAlarms)
			}
		})
	}
}

// TestCorpusByKind counts each language and each technique by itself, so that many lines of
// one kind don't hide the failures of another. A kind with at least ten injections needs a
// recall of 90 %; one with at least twenty benign texts may have 5 % of false alarms.
func TestCorpusByKind(t *testing.T) {
	const enough, minOfKind, maxOfKind = 10, 0.9, 0.05
	kinds := map[string]*tally{}
	count := func(kind string, l line) {
		if kinds[kind] == nil {
			kinds[kind] = &tally{}
		}
		kinds[kind].count(t, l)
	}
	for _, file := range []string{"injection.jsonl", "more.jsonl", "later.jsonl", "judged.jsonl", "voices.jsonl"} {
		for _, l := range readCorpus(t, file) {
			count("language "+l.Lang, l)
			count("technique "+l.Technique, l)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		k := *kinds[kind]
		if k.injections >= enough && k.recall() < minOfKind {
			t.Errorf("%s: %v, want a recall of at least %.2f", kind, k, minOfKind)
		}
		if k.benign >= 2*enough && k.falseAlarms() > maxOfKind {
			t.Errorf("%s: %v, want at most %.2f false alarms", kind, k, maxOfKind)
		}
	}
}

// scan scans a line of the corpora. The tests of the corpora share the results: each line
// is scanned once.
func scan(l line) quarantine.Finding {
	f, ok := scanned[l.ID+l.Text]
	if !ok {
		f = quarantine.Scan(l.Text)
		scanned[l.ID+l.Text] = f
	}
	return f
}

var scanned = map[string]quarantine.Finding{}

// tally counts the results of scans.
type tally struct{ injections, caught, benign, alarms int }

func (n *tally) count(t *testing.T, l line) {
	t.Helper()
	f := scan(l)
	switch {
	case l.Inject:
		n.injections++
		if f.Flagged {
			n.caught++
		} else {
			t.Logf("missed %s (%s, %s): %q", l.ID, l.Technique, l.Lang, l.Text)
		}
	default:
		n.benign++
		if f.Flagged {
			n.alarms++
			t.Logf("false alarm %s (%s) %v: %q", l.ID, l.Technique, f.Techniques, l.Text)
		}
		if f.Text != l.Text && !f.Flagged {
			t.Errorf("%s: text that was not flagged came back changed", l.ID)
		}
	}
}

func (n tally) recall() float64 { return float64(n.caught) / float64(max(1, n.injections)) }

func (n tally) falseAlarms() float64 { return float64(n.alarms) / float64(max(1, n.benign)) }

func (n tally) String() string {
	return fmt.Sprintf("recall %d/%d = %.3f, false alarms %d/%d = %.3f", n.caught, n.injections, n.recall(), n.alarms, n.benign, n.falseAlarms())
}
