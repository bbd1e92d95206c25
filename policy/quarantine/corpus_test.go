package quarantine_test

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

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
	f, err := os.Open("testdata/" + file)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	var lines []line
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		var l line
		if err := json.Unmarshal(sc.Bytes(), &l); err != nil {
			tb.Fatalf("%s: %v", file, err)
		}
		lines = append(lines, l)
	}
	if len(lines) == 0 {
		tb.Fatalf("%s is empty", file)
	}
	return lines
}

// The bars that every corpus is held to.
const (
	minRecall      = 0.95
	maxFalseAlarms = 0.03
)

func TestCorpus(t *testing.T) {
	for _, file := range []string{"injection.jsonl", "more.jsonl", "later.jsonl", "judged.jsonl"} {
		t.Run(file, func(t *testing.T) {
			var injections, caught, benign, alarms int
			for _, l := range readCorpus(t, file) {
				f := quarantine.Scan(l.Text)
				switch {
				case l.Inject:
					injections++
					if f.Flagged {
						caught++
					} else {
						t.Logf("missed %s (%s, %s): %q", l.ID, l.Technique, l.Lang, l.Text)
					}
				default:
					benign++
					if f.Flagged {
						alarms++
						t.Logf("false alarm %s (%s) %v: %q", l.ID, l.Technique, f.Techniques, l.Text)
					}
					if f.Text != l.Text && !f.Flagged {
						t.Errorf("%s: text that was not flagged came back changed", l.ID)
					}
				}
			}
			recall, false0 := float64(caught)/float64(injections), float64(alarms)/float64(benign)
			t.Logf("recall %d/%d = %.3f, false alarms %d/%d = %.3f", caught, injections, recall, alarms, benign, false0)
			if recall < minRecall {
				t.Errorf("recall = %.3f, want at least %.2f", recall, minRecall)
			}
			if false0 > maxFalseAlarms {
				t.Errorf("false alarms = %.3f, want at most %.2f", false0, maxFalseAlarms)
			}
		})
	}
}
