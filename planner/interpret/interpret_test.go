package interpret

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/planner"
	"errand/planner/catalogue"
	"errand/planner/plan"
)

func newInterpreter(tb testing.TB) *Interpreter {
	tb.Helper()
	i, err := New(catalogue.Default(), Options{})
	must.Succeed(tb, err)
	return i
}

// utterance is a line of the test data: the goals are those after merging and
// filling in defaults.
type utterance struct {
	ID     string `json:"id"`
	Text   string `json:"text"`
	Lang   string `json:"lang"`
	Expect struct {
		Status  Status      `json:"status"`
		Goals   []plan.Goal `json:"goals"`
		Actions int         `json:"actions"`
	} `json:"expect"`
	Note string `json:"note"`
}

func utterances(tb testing.TB, name string) []utterance {
	tb.Helper()
	return must.ReadJSONL[utterance](tb, name)
}

// finish is what every caller does with the goals of a reading.
func finish(i *Interpreter, r Reading) []plan.Goal {
	p := planner.New(i.cat)
	p.DefaultPlatform = i.options.DefaultPlatform
	goals := p.Prepare(r.Goals, nil).Goals
	for n := range goals {
		goals[n].GoalID = ""
	}
	return goals
}

// comparable drops what the conventions leave open: www. in targets, the
// platform of a visit.
func comparable(goals []plan.Goal) []plan.Goal {
	out := []plan.Goal{}
	for _, g := range goals {
		g.GoalID = ""
		if g.GoalType == plan.BrowserNavigate {
			g.Platform = ""
			g.Target = strings.Replace(g.Target, "://www.", "://", 1)
		}
		out = append(out, g)
	}
	return out
}

func TestUtterances(t *testing.T) {
	in := newInterpreter(t)
	for _, u := range utterances(t, "testdata/utterances.jsonl") {
		if strings.Contains(u.Note, "extra-lang") {
			continue // a language without a file
		}
		t.Run(u.ID, func(t *testing.T) {
			r := in.Read(u.Text)
			got := finish(in, r)
			if strings.Contains(u.Note, "negation:") {
				if r.Status == OK || len(got) > 0 {
					t.Errorf("Read(%q) acts on a negation: %v", u.Text, got)
				}
				return
			}
			if r.Status != u.Expect.Status {
				t.Errorf("Read(%q): status %s (%s), want %s; goals %+v", u.Text, r.Status, r.Reason, u.Expect.Status, got)
			}
			if diff := cmp.Diff(comparable(u.Expect.Goals), comparable(got)); diff != "" {
				t.Errorf("Read(%q): goals (-want +got):\n%s", u.Text, diff)
			}
			if len(got) != u.Expect.Actions {
				t.Errorf("Read(%q): %d goals, want %d", u.Text, len(got), u.Expect.Actions)
			}
		})
	}
}

// corpora are the files of texts in the short notation.
var corpora = []string{"own_en", "own_ru", "more_en", "more_ru", "voice", "search_sites", "search_unknown_sites", "query_ends", "mixed", "name_ends", "file_places", "ambiguous", "mustnot", "pages_en", "pages_ru", "pages_en2", "pages_ru2", "pages_en3", "pages_ru3", "pages_en4", "pages_ru4", "remarks", "page_save", "rows", "articles", "asides", "whether", "local", "places", "never", "file_goals", "file_words", "file_sets", "bare", "topics", "form_fields", "find_words", "new_names", "everyday_en", "everyday_ru", "site_tails", "calculations", "timers", "controls", "second_halves", "everyday_words", "chosen_files", "everyday_files", "page_control", "reworded", "toggles", "screen_pictures", "parts_of_day", "share_prices", "days", "colloquial_ru", "said_again"}

// TestOwnUtterances reads the files in the short notation that own_en.txt
// explains.
func TestOwnUtterances(t *testing.T) {
	in := newInterpreter(t)
	for _, name := range corpora {
		for _, u := range shortUtterances(t, "testdata/"+name+".txt") {
			t.Run(name+"/"+u.text, func(t *testing.T) {
				r := in.Read(u.text)
				if got := short(r, finish(in, r)); got != u.want && !(u.want == "!" && r.Status != OK) {
					t.Errorf("Read(%q) = %s (%s), want %s", u.text, got, r.Reason, u.want)
				}
			})
		}
	}
}

type shortUtterance struct{ text, want string }

func shortUtterances(tb testing.TB, name string) []shortUtterance {
	tb.Helper()
	b := must.ReadFile(tb, name)
	var out []shortUtterance
	for _, line := range strings.Split(string(b), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		text, want, ok := strings.Cut(line, " => ")
		if !ok {
			tb.Fatalf("%s: %q has no =>", name, line)
		}
		out = append(out, shortUtterance{text, want})
	}
	return out
}

// onPage spells what is wanted of a page.
func onPage(g plan.Goal) string {
	key := g.Action + "_" + g.ObjectType
	short, ok := map[string]string{
		plan.ReadPage: "read", plan.ListResults: "list", plan.ListLinks: "links", plan.ScreenshotPage: "shot", plan.ScreenshotFullPage: "full",
		plan.SavePDF: "pdf", plan.DownloadFile: "get", plan.OpenExternal: "own",
	}[key]
	if ok {
		key = short
	}
	if g.Limit > 0 {
		key += fmt.Sprint(g.Limit)
	}
	out := key + ":" + g.Target
	if g.GoalType == plan.BrowserSearch {
		out = key + ":" + g.Platform + ":" + g.Query
	} else if g.Query != "" {
		out += "#" + g.Query
	}
	if g.SaveTo != "" {
		out += " > " + g.SaveTo
	}
	return out
}

// onOpenPage spells what is wanted of the open page: "this.scroll:=down", "this.switch_tab:2".
func onOpenPage(g plan.Goal) string {
	out := "this." + strings.TrimSuffix(g.Action+"_"+g.ObjectType, "_page") + ":" + g.Target
	if g.Value != "" {
		out += "=" + g.Value
	}
	if g.Limit > 0 {
		out += fmt.Sprintf(" (%d)", g.Limit)
	}
	if g.SaveTo != "" {
		out += " > " + g.SaveTo
	}
	return out
}

// onFile spells what is wanted of a file or folder.
func onFile(g plan.Goal) string {
	if g.Action == "create" || g.Action == "delete" {
		g.Action = g.Action[:1]
	}
	out := g.Action + ":" + g.ObjectType + ":" + g.Target
	for _, part := range []struct{ mark, text string }{{"#", g.Query}, {" > ", g.Destination}, {" = ", g.Value}} {
		if part.text != "" {
			out += part.mark + part.text
		}
	}
	if g.Limit > 0 {
		out += fmt.Sprintf(" (%d)", g.Limit)
	}
	return out
}

// onDesktop spells what is set, or done to an app or the desktop.
func onDesktop(g plan.Goal) string {
	switch {
	case g.SaveTo != "":
		return g.Action + "_" + g.ObjectType + " > " + g.SaveTo
	case g.ControlsApp():
		return g.Action + ":" + g.Target
	case g.ObjectType == plan.SettingType:
		return "set:" + g.Target + "=" + g.Value
	case g.Value == "":
		return g.Action + "_" + g.ObjectType
	}
	return g.Action + "_" + g.ObjectType + ":" + g.Value
}

// short spells an outcome in the notation of own_en.txt.
func short(r Reading, goals []plan.Goal) string {
	switch r.Status {
	case Ambiguous:
		return "?"
	case Unsupported:
		return "-"
	}
	var out []string
	for _, g := range comparable(goals) {
		if g.OnPage() {
			out = append(out, onPage(g))
			continue
		}
		if g.ControlsPage() {
			out = append(out, onOpenPage(g))
			continue
		}
		switch g.GoalType {
		case plan.BrowserSearch:
			out = append(out, "s:"+g.Platform+":"+g.Query)
		case plan.BrowserNavigate:
			out = append(out, "n:"+g.Target)
		case plan.AppLaunch:
			out = append(out, "a:"+g.Target)
		case plan.FileOperation:
			out = append(out, onFile(g))
		case plan.SystemQuery:
			if g.AsksWithValue() {
				out = append(out, g.Action+":"+g.Value)
				continue
			}
			out = append(out, "q:"+g.Target)
		case plan.SystemControl:
			if g.ControlsTimer() {
				out = append(out, g.Action+":"+g.ObjectType+":"+g.Target+"="+g.Value)
				continue
			}
			out = append(out, onDesktop(g))
		}
	}
	return strings.Join(out, " + ")
}
