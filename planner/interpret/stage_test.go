package interpret

import (
	"maps"
	"slices"
	"testing"
)

// TestThen: words such as "then" order goals; "and" and a comma don't.
func TestThen(t *testing.T) {
	in := newInterpreter(t)
	type deps = map[string][]string
	for text, want := range map[string]deps{
		"open youtube and then delete folder Foo in documents":             {"g2": {"g1"}},
		"open youtube, then create folder Foo in documents":                {"g2": {"g1"}},
		"open youtube. After that create folder Foo in documents":          {"g2": {"g1"}},
		"open youtube and open gmail, then create folder Foo in documents": {"g3": {"g1", "g2"}},
		"open youtube then open gmail then create folder Foo in documents": {"g2": {"g1"}, "g3": {"g2"}},
		"create folder A in documents and then create file b.txt in it":    {"g2": {"g1"}},
		"open youtube and delete folder Foo in documents":                  {},
		"open youtube, delete folder Foo in documents":                     {},
		"открой ютуб, а потом удали папку Foo в документах":                {"g2": {"g1"}},
		"открой ютуб, затем создай папку Foo в документах":                 {"g2": {"g1"}},
		"открой ютуб и после этого создай папку Foo в документах":          {"g2": {"g1"}},
		"открой ютуб и открой gmail, потом создай папку Foo в документах":  {"g3": {"g1", "g2"}},
		"открой ютуб и удали папку Foo в документах":                       {},
	} {
		r := in.Read(text)
		if !maps.EqualFunc(r.Goals.Deps, want, slices.Equal[[]string]) {
			t.Errorf("%q: %s %v, want %v", text, r.Status, r.Goals.Deps, want)
		}
	}
}
