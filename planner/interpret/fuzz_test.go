package interpret

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"errand/app/i18n"
	"errand/planner/interpret/files/item"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// FuzzRead states the laws of every reading: total, deterministic, goals only
// if ok and exactly one question if not understood by half, evidence cut from
// the text, queries cut from it too.
func FuzzRead(f *testing.F) {
	in := newInterpreter(f)
	for _, u := range utterances(f, "testdata/utterances.jsonl") {
		f.Add(u.Text)
	}
	for _, name := range corpora {
		for _, u := range shortUtterances(f, "testdata/"+name+".txt") {
			f.Add(u.text)
		}
	}
	f.Add("\xff\xfe")
	f.Add(strings.Repeat("open ", 1000))
	f.Add("\"'«“„‘’”»")
	f.Fuzz(func(t *testing.T, text string) {
		r := in.Read(text)
		if diff := cmp.Diff(r, in.Read(text)); diff != "" {
			t.Fatalf("two readings of %q differ:\n%s", text, diff)
		}
		switch r.Status {
		case OK:
			if len(r.Goals.Goals) == 0 || len(r.Questions) > 0 || !r.Reason.IsZero() {
				t.Errorf("Read(%q): ok with %d goals, %d questions, reason %q", text, len(r.Goals.Goals), len(r.Questions), r.Reason)
			}
		case Ambiguous:
			if len(r.Goals.Goals) > 0 || len(r.Questions) != 1 || r.Questions[0].Question.IsZero() {
				t.Errorf("Read(%q): ambiguous with goals %v, questions %v", text, r.Goals.Goals, r.Questions)
			}
		case Unsupported:
			if len(r.Goals.Goals) > 0 || r.Reason.IsZero() {
				t.Errorf("Read(%q): unsupported with goals %v, reason %q", text, r.Goals.Goals, r.Reason)
			}
		default:
			t.Errorf("Read(%q): status %q", text, r.Status)
		}
		if len(r.Goals.Goals) > MaxClauses || !utf8.ValidString(r.Text) {
			t.Errorf("Read(%q): %d goals, text %q", text, len(r.Goals.Goals), r.Text)
		}
		for _, e := range r.Evidence {
			if e.Start < 0 || e.Start >= e.End || e.End > len(text) || text[e.Start:e.End] != e.Words {
				t.Errorf("Read(%q): evidence %+v is not in the text", text, e)
			}
		}
		for _, g := range r.Goals.Goals {
			checkGoal(t, in, text, g)
		}
	})
}

// checkGoal states what every goal has, whatever the text was.
func checkGoal(t *testing.T, in *Interpreter, text string, g plan.Goal) {
	t.Helper()
	bad := func(why string) { t.Errorf("Read(%q): goal %+v: %s", text, g, why) }
	switch g.GoalType {
	case plan.BrowserSearch:
		if g.Query == "" || !utf8.ValidString(g.Query) {
			bad("no query")
		}
		if g.Platform != "" {
			if _, err := in.cat.SearchURL(g.Platform, "q"); err != nil {
				bad(err.Error())
			}
		}
	case plan.BrowserNavigate:
		if !strings.HasPrefix(g.Target, "https://") && !strings.HasPrefix(g.Target, "http://") {
			bad("the target is no web address")
		}
	case plan.AppLaunch:
		if _, ok := in.cat.App(g.Target); !ok {
			bad("no such app")
		}
	case plan.FileOperation:
		if g.EmptiesTrash() {
			break
		}
		if places := g.Action == plan.MoveAction || g.Action == plan.CopyAction; g.AreFiles() {
			switch {
			case !strings.HasSuffix(g.Target, "/"), g.AreMany() && places && !strings.HasSuffix(g.Destination, "/"), places && g.Destination == "":
				bad("many files without their folder")
			case g.Action == plan.RenameAction && g.AreMany():
				bad("one name for many files")
			case g.Action == "delete" && g.Value == "" && g.Query == "", g.Target != "./" && item.IsRoot(g.Target):
				bad("deletes too much")
			}
			break
		}
		onExisting := slices.Contains(plan.FileActions(), g.Action)
		if g.Target == "" || g.Action != "create" && g.Action != "delete" && !onExisting || g.ObjectType != parse.FileType && g.ObjectType != parse.FolderType && !(onExisting && g.ObjectType == "") {
			bad("a slot is missing")
		}
		if g.Action == "delete" && (item.IsRoot(g.Target) || strings.ContainsAny(g.Target, "*?") && !strings.ContainsAny(text, "\"'“‘«")) {
			bad("deletes too much")
		}
	case plan.SystemQuery:
		if g.Target == "" {
			bad("no target")
		}
	}
}

func TestLimits(t *testing.T) {
	in := newInterpreter(t)
	tests := []struct {
		name, text, want string
	}{
		{"not UTF-8", "open \xff", "not valid UTF-8"},
		{"too long", strings.Repeat("a", MaxBytes+1), "4097 bytes, the limit is 4096"},
		{"too many clauses", strings.Repeat("open notepad, open word; ", 40), "80 commands, the limit is 64"},
		{"too many items", "open word" + strings.Repeat(", excel, word", 40), "81 commands, the limit is 64"},
		{"empty", "", "There are no words"},
		{"blank", " \t\n…", "There are no words"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := in.Read(tt.text)
			if r.Status != Unsupported || !strings.Contains(i18n.English().Text(r.Reason), tt.want) {
				t.Errorf("status %s, reason %q, want unsupported with %q", r.Status, r.Reason, tt.want)
			}
		})
	}
	if r := in.Read("search youtube for " + strings.Repeat("cat, ", 800)); r.Status != OK {
		t.Errorf("a long query is one clause: %s (%s)", r.Status, r.Reason)
	}
}

func BenchmarkRead(b *testing.B) {
	in := newInterpreter(b)
	for _, bb := range []struct{ name, text string }{
		{"litmus", "open youtube and search nvidia"},
		{"russian", "джарвис, открой ютуб и найди нвидиа пожалуйста"},
		{"list", "open terminal, vs code and chrome"},
		{"typo", "open yuotube"},
		{"unsupported", "what is the meaning of life"},
		{"query1024", "search youtube for " + strings.Repeat("open cats and ", 72)},
		{"query2048", "search youtube for " + strings.Repeat("open cats and ", 144)},
		{"query4096", "search youtube for " + strings.Repeat("open cats and ", 290)},
		{"list4096", "open " + strings.Repeat("word, ", 680)},
		{"noise4096", strings.Repeat("delete open and search on ", 157)},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(bb.text)))
			b.ReportAllocs()
			for b.Loop() {
				in.Read(bb.text)
			}
		})
	}
}

// BenchmarkFirst is what the first text costs: reading all the words.
func BenchmarkFirst(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		newInterpreter(b).Read("open youtube and search nvidia")
	}
}
