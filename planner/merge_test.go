package planner

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/planner/catalogue"
	"errand/planner/plan"
)

func visit(site string) plan.Goal {
	return plan.Goal{GoalType: plan.BrowserNavigate, Platform: site, Target: "https://" + site + ".com/"}
}

func search(site, query string) plan.Goal {
	return plan.Goal{GoalType: plan.BrowserSearch, Platform: site, Query: query}
}

func launch(app string) plan.Goal { return plan.Goal{GoalType: plan.AppLaunch, Target: app} }

func file(action, kind, path string) plan.Goal {
	return plan.Goal{GoalType: plan.FileOperation, Action: action, ObjectType: kind, Target: path}
}

func ask(target string) plan.Goal { return plan.Goal{GoalType: plan.SystemQuery, Target: target} }

// numbered gives the goals the ids g1, g2, … and derives the kind.
func numbered(deps map[string][]string, goals ...plan.Goal) plan.GoalSet {
	for i := range goals {
		goals[i].GoalID = fmt.Sprintf("g%d", i+1)
	}
	return plan.NewGoalSet(goals, deps)
}

type needs = map[string][]string

func TestMerge(t *testing.T) {
	deep := plan.Goal{GoalType: plan.BrowserNavigate, Platform: "github", Target: "https://github.com/golang/go"}
	elsewhere := plan.Goal{GoalType: plan.BrowserNavigate, Target: "https://example.com/"}
	tests := []struct {
		name string
		set  plan.GoalSet
		want plan.GoalSet
	}{
		{"nothing", numbered(nil), numbered(nil)},
		{"visit then search", numbered(nil, visit("youtube"), search("", "nvidia")), numbered(nil, search("youtube", "nvidia"))},
		{
			"search then visit", numbered(nil, search("", "nvidia"), visit("youtube")),
			numbered(nil, search("", "nvidia"), visit("youtube")),
		},
		{"same site named again", numbered(nil, visit("youtube"), search("youtube", "nvidia")), numbered(nil, search("youtube", "nvidia"))},
		{"an app that is a site, then search", numbered(nil, launch("spotify"), search("", "queen")), numbered(nil, search("spotify", "queen"))},
		{
			"an app that is a site, another site named", numbered(nil, launch("spotify"), search("youtube", "queen")),
			numbered(nil, launch("spotify"), search("youtube", "queen")),
		},
		{
			"an app that is none", numbered(nil, launch("notepad"), search("", "queen")),
			numbered(nil, launch("notepad"), search("", "queen")),
		},
		{
			"another site named", numbered(nil, visit("youtube"), search("google", "nvidia")),
			numbered(nil, visit("youtube"), search("google", "nvidia")),
		},
		{
			"nearest visit only", numbered(nil, visit("youtube"), visit("github"), search("", "wails")),
			numbered(nil, visit("youtube"), search("github", "wails")),
		},
		{
			"a visit serves one search", numbered(nil, visit("youtube"), search("", "a"), search("", "b")),
			numbered(nil, search("youtube", "a"), search("", "b")),
		},
		{
			"a used visit does not pass the turn on", numbered(nil, visit("github"), visit("youtube"), search("", "a"), search("", "b")),
			numbered(nil, visit("github"), search("youtube", "a"), search("", "b")),
		},
		{
			"each visit its search", numbered(nil, visit("youtube"), search("", "a"), visit("youtube"), search("", "b")),
			numbered(nil, search("youtube", "a"), search("youtube", "b")),
		},
		{
			"across another goal", numbered(nil, visit("youtube"), launch("calculator"), search("", "a")),
			numbered(nil, launch("calculator"), search("youtube", "a")),
		},
		{
			"an unknown page takes the scope", numbered(nil, visit("youtube"), elsewhere, search("", "a")),
			numbered(nil, visit("youtube"), elsewhere, search("", "a")),
		},
		{"a page inside the site stays", numbered(nil, deep, search("", "wails")), numbered(nil, deep, search("", "wails"))},
		{"browser then search", numbered(nil, launch("chrome"), search("", "nvidia")), numbered(nil, search("", "nvidia"))},
		{"browser, visit, search", numbered(nil, launch("firefox"), visit("youtube"), search("", "a")), numbered(nil, search("youtube", "a"))},
		{"every browser of the catalogue", numbered(nil, launch("yandex_browser"), launch("vivaldi"), visit("youtube")), numbered(nil, visit("youtube"))},
		{"browser after the page", numbered(nil, visit("github"), launch("edge")), numbered(nil, visit("github"), launch("edge"))},
		{"another app stays", numbered(nil, launch("notepad"), search("", "a")), numbered(nil, launch("notepad"), search("", "a"))},
		{"equal goals", numbered(nil, search("youtube", "a"), ask("time"), search("youtube", "a")), numbered(nil, search("youtube", "a"), ask("time"))},
		{
			"equal visits, one search", numbered(nil, visit("youtube"), visit("youtube"), search("", "a")),
			numbered(nil, search("youtube", "a")),
		},
		{
			"dependencies follow", numbered(needs{"g4": {"g2"}, "g3": {"g1"}}, visit("youtube"), file("create", "folder", "/a"), search("", "x"), file("create", "file", "/a/b")),
			numbered(needs{"g3": {"g1"}}, file("create", "folder", "/a"), search("youtube", "x"), file("create", "file", "/a/b")),
		},
		{
			"a circle falls away", numbered(needs{"g2": {"g1"}, "g3": {"g2"}}, visit("youtube"), launch("notepad"), search("", "x")),
			numbered(needs{"g1": {"g2"}}, launch("notepad"), search("youtube", "x")),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Merge(tt.set, catalogue.Default())
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Merge (-want +got):\n%s", diff)
			}
		})
	}
}

// goalsFrom reads a goal set out of fuzz bytes: two bytes a goal.
func goalsFrom(data []byte) plan.GoalSet {
	alphabet := []plan.Goal{
		visit("youtube"), visit("github"), search("", "a"), search("", "b"), search("youtube", "a"),
		search("github", "b"), launch("chrome"), launch("firefox"), launch("notepad"), ask("time"),
		{GoalType: plan.BrowserNavigate, Target: "https://example.com/"},
		file("create", "folder", "/a"),
	}
	var goals []plan.Goal
	deps := needs{}
	for i := 0; i+1 < len(data) && i < 48; i += 2 {
		goals = append(goals, alphabet[int(data[i])%len(alphabet)])
		n := len(goals)
		if back := int(data[i+1]); back%3 == 0 && n > 1 {
			deps[fmt.Sprintf("g%d", n)] = []string{fmt.Sprintf("g%d", 1+back%(n-1))}
		}
	}
	return numbered(deps, goals...)
}

// FuzzMerge holds the laws of the algebra.
func FuzzMerge(f *testing.F) {
	f.Add([]byte{0, 1, 2, 1})
	f.Add([]byte{6, 1, 0, 3, 0, 6, 2, 9, 3, 1, 4, 0})
	f.Add([]byte{1, 0, 0, 0, 1, 3, 4, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		in := goalsFrom(data)
		once := Merge(in, catalogue.Default())
		if diff := cmp.Diff(once, Merge(once, catalogue.Default())); diff != "" {
			t.Errorf("not idempotent (-once +twice):\n%s", diff)
		}
		for i, g := range in.Goals {
			if !slices.ContainsFunc(once.Goals, func(m plan.Goal) bool { return standsFor(m, g) }) {
				t.Errorf("goal %d is lost: %+v\nin %+v", i+1, g, once.Goals)
			}
		}
		for _, m := range once.Goals {
			if m.Platform == "" {
				continue
			}
			if !slices.ContainsFunc(in.Goals, func(g plan.Goal) bool { return g.Platform == m.Platform }) {
				t.Errorf("platform %q is made up", m.Platform)
			}
		}
		at := map[string]int{}
		for i, g := range once.Goals {
			at[g.GoalID] = i
		}
		deps := newGraph(len(once.Goals))
		for id, list := range once.Deps {
			for _, n := range list {
				if deps.hasPath(at[n], at[id]) {
					t.Errorf("dependencies have a circle at %s: %v", id, once.Deps)
				}
				deps.add(at[id], at[n])
			}
		}
	})
}

// standsFor says when m does all that g asked, as a person would judge it.
func standsFor(m, g plan.Goal) bool {
	m.GoalID, g.GoalID = "", ""
	if m == g {
		return true
	}
	page := m.GoalType == plan.BrowserSearch || m.GoalType == plan.BrowserNavigate
	switch g.GoalType {
	case plan.AppLaunch:
		return page && catalogue.Default().Browser(g.Target)
	case plan.BrowserNavigate:
		return m.GoalType == plan.BrowserSearch && g.Platform != "" && m.Platform == g.Platform
	case plan.BrowserSearch:
		return m.GoalType == plan.BrowserSearch && g.Platform == "" && m.Query == g.Query
	}
	return false
}

// TestMergePages: what is wanted of a page takes the place of seeing it, and a
// search that names no site is made where its page was.
func TestMergePages(t *testing.T) {
	github, nvidia := visit("github"), search("youtube", "nvidia")
	list := func(g plan.Goal) plan.Goal { return of(g, "list", "results") }
	shot := func(g plan.Goal) plan.Goal { return of(g, "screenshot", "page") }
	for _, c := range []struct {
		name      string
		set, want []plan.Goal
	}{
		{"a visit, then a picture of it", []plan.Goal{github, shot(github)}, []plan.Goal{shot(github)}},
		{"a picture, then the visit", []plan.Goal{shot(github), github}, []plan.Goal{shot(github), github}},
		{"another page", []plan.Goal{visit("gmail"), shot(github)}, []plan.Goal{visit("gmail"), shot(github)}},
		{"two things of one page", []plan.Goal{github, shot(github), of(github, "save", "pdf")}, []plan.Goal{shot(github), of(github, "save", "pdf")}},
		{"a search and its results", []plan.Goal{nvidia, list(nvidia)}, []plan.Goal{list(nvidia)}},
		{"a visit, a search, its results", []plan.Goal{visit("youtube"), search("", "nvidia"), list(search("", "nvidia"))}, []plan.Goal{list(nvidia)}},
		{
			"a visit, a search, two things of it",
			[]plan.Goal{visit("youtube"), search("", "nvidia"), list(search("", "nvidia")), shot(search("", "nvidia"))},
			[]plan.Goal{list(nvidia), shot(nvidia)},
		},
		{"a picture of a site, then a search", []plan.Goal{visit("youtube"), shot(visit("youtube")), search("", "nvidia")}, []plan.Goal{shot(visit("youtube")), nvidia}},
		{"the person's own browser shows nothing here", []plan.Goal{github, of(github, "open", "external")}, []plan.Goal{github, of(github, "open", "external")}},
		{"a browser that starts anyway", []plan.Goal{launch("chrome"), shot(github)}, []plan.Goal{shot(github)}},
		{"a browser, and the person's own", []plan.Goal{launch("chrome"), of(github, "open", "external")}, []plan.Goal{launch("chrome"), of(github, "open", "external")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Merge(numbered(nil, c.set...), planner.catalogue)
			if diff := cmp.Diff(numbered(nil, c.want...), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if again := Merge(got, planner.catalogue); cmp.Diff(got, again) != "" {
				t.Errorf("merging again changes it: %s", cmp.Diff(got, again))
			}
		})
	}
}
