package redact_test

import (
	"strings"
	"testing"

	"errand/build/must"
	"errand/policy/redact"
)

// line is one text of the corpora in testdata: a benign one has MustEqual.
type line struct {
	ID             string   `json:"id"`
	Kind           string   `json:"kind"`
	Text           string   `json:"text"`
	MustNotContain []string `json:"must_not_contain"`
	MustEqual      *string  `json:"must_equal"`
}

func readCorpus(tb testing.TB, file string) []line {
	tb.Helper()
	return must.ReadJSONL[line](tb, "testdata/"+file)
}

func TestCorpus(t *testing.T) {
	for _, file := range []string{"secrets.jsonl", "more.jsonl", "later.jsonl", "judged.jsonl", "words.jsonl", "escaped.jsonl"} {
		for _, l := range readCorpus(t, file) {
			t.Run(l.ID+"/"+l.Kind, func(t *testing.T) {
				got := (*redact.Redactor)(nil).Text(l.Text)
				if l.MustEqual != nil && got != *l.MustEqual {
					t.Errorf("benign text changed:\n text %q\n  got %q", l.Text, got)
				}
				for _, s := range l.MustNotContain {
					if !strings.Contains(l.Text, s) {
						t.Errorf("the case is wrong: %q is not in %q", s, l.Text)
					}
					if strings.Contains(got, s) {
						t.Errorf("%q is left:\n text %q\n  got %q", s, l.Text, got)
					}
				}
				if again := (*redact.Redactor)(nil).Text(got); again != got {
					t.Errorf("redacting twice differs:\n once  %q\n twice %q", got, again)
				}
			})
		}
	}
}
