package interpret

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"errand/build/must"
	"errand/planner/plan"
)

// publicLine is something that a person said to a program, from a public corpus: CLINC150,
// SLURP, Home Assistant's intents, Leon and Kalliope (CC BY, MIT), WebVoyager and WebArena
// (Apache 2.0), Firefox Voice (MPL 2.0), and issues and READMEs on GitHub.
type publicLine struct {
	Lang     string `json:"lang"`
	Text     string `json:"text"`
	Kind     string `json:"kind"`
	Expected string `json:"expected"`
	Corpus   string `json:"corpus"`
}

// publicLines reads a file of public lines. Its notation is that of own_en.txt, with "||"
// between outcomes that are all right, and "@site" for the first page of a site.
func publicLines(tb testing.TB, name string) []publicLine {
	tb.Helper()
	return must.ReadJSONL[publicLine](tb, name)
}

// publicOutcome is the outcome of a line: strict, whether it is as labelled, and wrong,
// whether the program did something that it should not do.
func publicOutcome(in *Interpreter, l publicLine) (got string, strict, wrong bool) {
	r := in.Read(l.Text)
	goals := finish(in, r)
	got = short(r, goals)
	for _, want := range strings.Split(l.Expected, " || ") {
		want = expandSites(in, want)
		if got == want || want == "!" && r.Status != OK || got+"/" == want {
			return got, true, false
		}
	}
	return got, false, r.Status == OK
}

// expandSites replaces "@youtube" by the first page of that site.
func expandSites(in *Interpreter, want string) string {
	goals := strings.Split(want, " + ")
	for i, g := range goals {
		if id, ok := strings.CutPrefix(g, "n:@"); ok {
			site, _ := in.cat.Site(id)
			goals[i] = "n:" + comparable([]plan.Goal{{GoalType: plan.BrowserNavigate, Target: site.Home}})[0].Target
		}
	}
	return strings.Join(goals, " + ")
}

// TestPublicLines measures what people said to other programs. Nothing may be done that was
// not meant.
func TestPublicLines(t *testing.T) {
	in := newInterpreter(t)
	type count struct{ lines, strict, wrong int }
	kinds := map[string]*count{}
	all := &count{}
	for _, name := range []string{"public", "public_wrong"} {
		for _, l := range publicLines(t, "testdata/"+name+".jsonl") {
			if l.Expected == "" {
				l.Expected = "!"
			}
			if l.Kind == "" {
				l.Kind = "wrong:" + l.Corpus
			}
			if kinds[l.Kind] == nil {
				kinds[l.Kind] = &count{}
			}
			got, strict, wrong := publicOutcome(in, l)
			for _, c := range []*count{all, kinds[l.Kind]} {
				c.lines++
				if strict {
					c.strict++
				}
				if wrong {
					c.wrong++
				}
			}
			if wrong {
				t.Errorf("wrong act: %q (%s) = %s, want %s", l.Text, l.Kind, got, l.Expected)
			} else if !strict {
				t.Logf("not strict: %q (%s) = %s, want %s", l.Text, l.Kind, got, l.Expected)
			}
		}
	}
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		if c := kinds[k]; c.strict < c.lines {
			t.Logf("%-20s %3d lines, %3d strict, %2d wrong acts", k, c.lines, c.strict, c.wrong)
		}
	}
	t.Logf("%d lines, %.1f %% strict, %d wrong acts", all.lines, 100*float64(all.strict)/float64(all.lines), all.wrong)
}
