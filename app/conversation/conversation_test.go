package conversation_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/app/conversation"
	"errand/app/planning"
	"errand/build/must"
	"errand/host/store"
	"errand/host/store/sqlite"
	"errand/host/tool"
	"errand/host/tool/display"
	"errand/host/trace"
	"errand/host/trace/tracetest"
	"errand/planner/interpret"
	"errand/planner/interpret/followup"
	"errand/planner/plan"
)

// toolsWithViews are tools whose results are shown in the ways that matter here.
func toolsWithViews(t *testing.T) *tool.Set {
	t.Helper()
	make := func(name string, page tool.PageUse, view display.View) tool.Tool {
		return tool.Func(tool.Spec{Name: name, SideEffectClass: tool.Read, Effect: tool.EffectRead, ArgsSchema: []byte(`{"type":"object"}`), Page: page, Display: display.Tool{View: view}}, nil)
	}
	set, err := tool.NewSet(
		make("move", tool.NoPage, display.View{Kind: display.Sentence, Params: []string{"path"}}),
		make("list", tool.NoPage, display.View{Kind: display.Entries, Key: "entries"}),
		make("open", tool.OpensPage, display.View{Kind: display.Page}),
		make("click", tool.UsesPage, display.View{Kind: display.Page}),
		make("links", tool.UsesPage, display.View{Kind: display.List, Key: "links", Label: "text"}),
	)
	must.Succeed(t, err)
	return set
}

// talk is a keeper with a clock that the test sets, and what it ends runs with.
type talk struct {
	*conversation.Keeper
	t     *testing.T
	store store.Store
	tools *tool.Set
	clock time.Time
	count int
}

func newTalk(t *testing.T) *talk {
	k := &talk{t: t, tools: toolsWithViews(t), clock: tracetest.Start}
	s, err := sqlite.Open(t.Context(), t.TempDir(), sqlite.Options{Now: func() time.Time { return k.clock }})
	must.Succeed(t, err)
	t.Cleanup(func() { _ = s.Close() })
	k.store = s
	k.Keeper = &conversation.Keeper{Store: func() (store.Store, error) { return s, nil }, Now: func() time.Time { return k.clock }, Name: "cli"}
	return k
}

// step is a step that is done.
func step(name string, payload map[string]any, facts ...string) trace.Step {
	return trace.Step{ToolName: name, Status: trace.Done, Payload: payload, Facts: facts}
}

// end ends a run of words with its steps.
func (k *talk) end(words string, goals []plan.Goal, steps ...trace.Step) {
	k.t.Helper()
	k.endAs(conversation.Ended{
		Origin: plan.UserGoal, Interpretation: &planning.Interpretation{Status: interpret.OK, Language: "en", Goals: goals}, Steps: steps, Tools: k.tools,
	}, words)
}

func (k *talk) endAs(e conversation.Ended, words string) {
	k.t.Helper()
	k.count++
	run := tracetest.NewRun("r"+strings.Repeat("i", k.count), 0)
	run.Goal = words
	must.Succeed(k.t, k.store.Begin(k.t.Context(), run))
	run.Status = trace.Done
	must.Succeed(k.t, k.End(k.t.Context(), k.store, run, e))
}

// about lists what the context has.
func (k *talk) about() string {
	c := k.Context(k.t.Context(), "")
	var out []string
	add := func(part string, things []followup.Thing) {
		for _, th := range things {
			out = append(out, part+" "+string(th.Kind)+" "+th.Ref)
		}
	}
	add("page", c.Page.Things)
	add("files", c.Files.Things)
	add("app", c.App.Things)
	add("list", c.List.Things)
	return strings.Join(out, "\n")
}

// TestParts: what a run was about comes from the typed results of its steps, and not from texts.
func TestParts(t *testing.T) {
	entry := func(kind, name string) any { return map[string]any{"kind": kind, "name": name} }
	link := func(url, text string) any { return map[string]any{"url": url, "text": text} }
	forged := "the first one: rm -rf /\n\u202egnp.exe"
	tests := []struct {
		name  string
		goals []plan.Goal
		steps []trace.Step
		want  string
	}{
		{"moved", nil, []trace.Step{step("move", map[string]any{"path": "/d/b.txt", "from": "/d/a.txt", "kind": "file"}, "!exists:/d/a.txt", "exists:/d/b.txt")}, "files file /d/b.txt"},
		{"copied", nil, []trace.Step{step("move", map[string]any{"path": "/d/b.txt", "from": "/d/a.txt", "kind": "file"}, "exists:/d/b.txt")}, "files file /d/b.txt\nfiles file /d/a.txt"},
		{"folder", nil, []trace.Step{step("move", map[string]any{"path": "/d/b", "kind": "folder"})}, "files folder /d/b"},
		{"folder by its goal", []plan.Goal{{GoalType: plan.FileOperation, Action: "create", ObjectType: "folder", Target: "~/d/trip"}}, []trace.Step{step("move", map[string]any{"path": "/d/trip"})}, "files folder /d/trip"},
		{"deleted", nil, []trace.Step{step("move", map[string]any{"path": "/d/a.txt"}, "!exists:/d/a.txt")}, ""},
		{"listed", nil, []trace.Step{step("list", map[string]any{"path": "/d", "entries": []any{entry("folder", "x"), entry("file", "a.txt"), entry("link", "l")}})}, "files folder /d\nlist folder /d/x\nlist file /d/a.txt"},
		{"found one", []plan.Goal{{GoalType: plan.FileOperation, Action: plan.FindAction}}, []trace.Step{step("list", map[string]any{"path": "/d", "entries": []any{map[string]any{"path": "/d/x/a.txt", "kind": "file"}}})}, "files file /d/x/a.txt\nlist file /d/x/a.txt"},
		{"page", nil, []trace.Step{step("open", map[string]any{"url": "https://a.example/", "title": "x"})}, "page page https://a.example/"},
		{"two pages", nil, []trace.Step{step("open", map[string]any{"url": "https://a.example/"}), step("open", map[string]any{"url": "https://b.example/"})}, "page page https://a.example/\npage page https://b.example/"},
		{"went on", nil, []trace.Step{step("open", map[string]any{"url": "https://a.example/"}), step("click", map[string]any{"url": "https://a.example/2"})}, "page page https://a.example/2"},
		{"links", nil, []trace.Step{step("links", map[string]any{"links": []any{link("https://a.example/1", forged), link("javascript:alert(1)", "x"), link("file:///etc/passwd", "y"), link("https://u:p@a.example/", "z")}})}, "list page https://a.example/1"},
		{"no path", nil, []trace.Step{step("move", map[string]any{"path": "a.txt"}), step("move", map[string]any{"path": "/d/../etc"}), step("move", map[string]any{"path": "/d/a\nb"}), step("move", map[string]any{"path": 5})}, ""},
		{"a text that looks like a path", nil, []trace.Step{step("move", map[string]any{"text": "/etc/passwd", "title": "https://evil.example/"})}, ""},
		{"failed", nil, []trace.Step{{ToolName: "open", Status: trace.Failed, Payload: map[string]any{"url": "https://a.example/"}}}, ""},
		{"unknown tool", nil, []trace.Step{step("other", map[string]any{"path": "/d/a.txt"})}, ""},
		{"app", []plan.Goal{{GoalType: plan.AppLaunch, Target: "firefox"}}, []trace.Step{step("move", map[string]any{})}, "app app firefox"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			k := newTalk(t)
			k.end("do it", tt.goals, tt.steps...)
			if diff := cmp.Diff(tt.want, k.about()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for _, th := range k.Context(t.Context(), "").List.Things {
				if strings.ContainsAny(th.Label, "\n\u202e") {
					t.Errorf("the label %q has control characters", th.Label)
				}
			}
		})
	}
}

// TestKept: a run leaves what it was not about as it was, and what is old is said to be.
func TestKept(t *testing.T) {
	k := newTalk(t)
	k.end("read a.txt", nil, step("move", map[string]any{"path": "/d/a.txt"}))
	k.clock = k.clock.Add(20 * time.Minute)
	k.end("open a", nil, step("open", map[string]any{"url": "https://a.example/"}))
	k.clock = k.clock.Add(15*time.Minute + 30*time.Second)
	c := k.Context(t.Context(), "")
	if c.Files.Age != 35*60 || c.Page.Age != 15*60 || !followup.IsOld(c.Files.Age) || followup.IsOld(c.Page.Age) || c.Run.Words != "open a" {
		t.Errorf("%+v", c)
	}
	k.clock = k.clock.Add(-time.Hour) // the clock was set back
	if c := k.Context(t.Context(), ""); c.Files.Age != 0 {
		t.Errorf("age %d", c.Files.Age)
	}
}

// TestListAndPage: the context has which page a list is of, and whether a later goal was about a page or
// searched.
func TestListAndPage(t *testing.T) {
	k := newTalk(t)
	check := func(name string, isStale, isBeforeSearch bool) {
		t.Helper()
		l := k.Context(t.Context(), "").List
		if l.From != "https://a.example/" || l.IsStale != isStale || l.IsBeforeSearch != isBeforeSearch {
			t.Errorf("%s: %+v", name, l)
		}
		k.clock = k.clock.Add(time.Second)
	}
	open := func(url string) trace.Step { return step("open", map[string]any{"url": url}) }
	k.end("open a", nil, open("https://a.example/"))
	k.clock = k.clock.Add(time.Second)
	k.end("list the links", nil, step("links", map[string]any{"url": "https://a.example/", "links": []any{map[string]any{"url": "https://a.example/1"}}}))
	check("listed", false, false)
	k.end("read notes", nil, step("move", map[string]any{"path": "/d/a.txt"}))
	check("a file", false, false)
	k.end("open b", nil, open("https://b.example/"))
	check("a page", true, false)
	k.end("search c", []plan.Goal{{GoalType: plan.BrowserSearch, Query: "c", Platform: "google"}}, open("https://c.example/?q=c"))
	check("a search", true, true)
}

// TestNotKept: only what the user asked for in words, or approved, is meant by later goals.
func TestNotKept(t *testing.T) {
	ok := &planning.Interpretation{Status: interpret.OK}
	steps := []trace.Step{step("move", map[string]any{"path": "/d/a.txt"})}
	tools := toolsWithViews(t)
	for name, e := range map[string]conversation.Ended{
		"agent":        {Origin: plan.Agent, Interpretation: ok, Steps: steps, Tools: tools},
		"no origin":    {Interpretation: ok, Steps: steps, Tools: tools},
		"question":     {Origin: plan.UserGoal, Interpretation: &planning.Interpretation{Status: interpret.Ambiguous}, Steps: steps, Tools: tools},
		"unread":       {Origin: plan.UserGoal, Steps: steps, Tools: tools},
		"waiting undo": {Origin: plan.UserGoal, Interpretation: ok, IsGiven: true, Tools: tools},
	} {
		t.Run(name, func(t *testing.T) {
			k := newTalk(t)
			k.endAs(e, "x")
			if c := k.Context(t.Context(), ""); !c.IsEmpty() {
				t.Errorf("%+v", c)
			}
		})
	}
}

// TestApart: each face has a context of its own, which can be cleared and goes with its run.
func TestApart(t *testing.T) {
	k := newTalk(t)
	k.end("read a.txt", nil, step("move", map[string]any{"path": "/d/a.txt"}))
	if c := k.Context(t.Context(), "window"); !c.IsEmpty() {
		t.Errorf("the window knows %+v", c)
	}
	must.Succeed(t, k.ClearContext(t.Context(), "window"))
	if k.Context(t.Context(), "").IsEmpty() {
		t.Error("the other face's context was cleared")
	}
	_, err := k.store.Forget(t.Context(), "ri")
	must.Succeed(t, err)
	if c := k.Context(t.Context(), ""); !c.IsEmpty() {
		t.Errorf("a run that was forgotten is still meant: %+v", c)
	}
}

// TestUnclear: after a run whose program died, nothing is meant without a question.
func TestUnclear(t *testing.T) {
	k := newTalk(t)
	k.end("read a.txt", nil, step("move", map[string]any{"path": "/d/a.txt"}))
	if k.Context(t.Context(), "").Unclear {
		t.Error("unclear without an interrupted run")
	}
	k.clock = k.clock.Add(time.Minute)
	dead := tracetest.NewRun("dead", 1)
	dead.StartedAt = k.clock
	must.Succeed(t, k.store.Begin(t.Context(), dead))
	dead.Status = trace.Interrupted
	must.Succeed(t, k.store.End(t.Context(), dead))
	if !k.Context(t.Context(), "").Unclear {
		t.Error("an interrupted run leaves the context clear")
	}
	k.clock = k.clock.Add(time.Minute)
	k.end("read b.txt", nil, step("move", map[string]any{"path": "/d/b.txt"}))
	if k.Context(t.Context(), "").Unclear {
		t.Error("unclear after a run that ended")
	}
}

// TestSecret: a goal that lost a secret is not repeated, and things without their secret are not meant.
func TestSecret(t *testing.T) {
	k := newTalk(t)
	mark := "[redacted:password:0a1b]"
	k.end("search "+mark+" on youtube", []plan.Goal{{GoalType: plan.BrowserSearch, Query: mark}}, step("open", map[string]any{"url": "https://a.example/?q=" + mark}), step("move", map[string]any{"path": "/d/" + mark}))
	c := k.Context(t.Context(), "")
	if len(c.Run.Goals.Goals) > 0 || len(c.Page.Things)+len(c.Files.Things) > 0 {
		t.Errorf("%+v", c)
	}
}
