package planner

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"errand/planner/catalogue"
	"errand/planner/plan"
	"errand/planner/verify"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var (
	launchTool = plan.Capability{
		Name: launcher, CanAchieve: []string{"app_launch", "browser_navigate", "browser_search", "browser_open"},
		Effects: []string{"browser_running", "page_open", "url_loaded"}, Params: []string{"app_name", "url", "args"},
	}
	queryTool = plan.Capability{Name: "system.query", CanAchieve: []string{"system_query"}, Params: []string{"target"}, ReadOnly: true}
	openTool  = plan.Capability{
		Name: "browser.open", CanAchieve: []string{"browser_navigate"}, Effects: []string{"url_loaded"}, Params: []string{"url"},
	}
)

func fileTool(action string) plan.Capability {
	return plan.Capability{Name: "files." + action, CanAchieve: []string{"file_operation"}, Params: []string{"path", "content"}}
}

var allTools = []plan.Capability{
	launchTool, queryTool, openTool,
	fileTool("create_folder"), fileTool("create_file"), fileTool("delete_folder"), fileTool("delete_file"),
}

func request(goals ...plan.Goal) Request {
	return Request{Goals: numbered(nil, goals...), Capabilities: allTools, Text: "words", Language: "en"}
}

var planner = New(catalogue.Default())

func planFor(t testing.TB, r Request) plan.Result {
	t.Helper()
	got, err := planner.Plan(r)
	if err != nil {
		t.Fatalf("Plan: %v", err)
	}
	for _, f := range verify.CheckPlan(r.Capabilities, r.World, got) {
		t.Error(f)
	}
	return got
}

// brief is what most tests compare of a plan: tool, arguments, effect, needs.
func brief(r plan.Result) []string {
	p, ok := r.Plan()
	if !ok {
		return nil
	}
	var out []string
	for _, a := range p.Actions() {
		var args []string
		for k, v := range a.Args {
			args = append(args, fmt.Sprintf("%s=%v", k, v))
		}
		slices.Sort(args)
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s{%s} %s %s",
			a.ActionID, a.Tool, strings.Join(args, " "), a.ExpectedEffect, strings.Join(a.DependsOn, ","))))
	}
	return out
}

func TestLitmus(t *testing.T) {
	r := request(visit("youtube"), search("", "nvidia"))
	r.Text = "open youtube and search nvidia"
	r.Capabilities = []plan.Capability{launchTool}
	got := planFor(t, r)
	p, _ := got.Plan()
	want := []plan.Action{{
		ActionID: "a1", Tool: "system.apps.launch.shell",
		Args:           map[string]any{"app_name": "chrome", "url": "https://youtube.com/results?search_query=nvidia"},
		DependsOn:      []string{},
		ExpectedEffect: "youtube_search_visible",
		Reason:         "You asked for it: Search for “nvidia” on YouTube.",
		Preview:        "Search for “nvidia” on YouTube",
		Confidence:     1, RiskLevel: plan.Low,
		IdempotencyScope: p.Actions()[0].IdempotencyScope,
	}}
	if diff := cmp.Diff(want, p.Actions()); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}
	if got.Status() != plan.Success || p.GoalAchievedBy() != "a1" {
		t.Errorf("%s, achieved by %s", got.Status(), p.GoalAchievedBy())
	}
	proof, _ := got.Proof()
	if diff := cmp.Diff(plan.Proof{Kind: plan.ByCuts, Cuts: [][]string{{launcher}}}, proof); diff != "" {
		t.Errorf("proof (-want +got):\n%s", diff)
	}
}

func TestPlan(t *testing.T) {
	const yt = "https://youtube.com/results?search_query="
	tests := []struct {
		name   string
		r      Request
		status plan.Status
		want   []string
	}{
		{
			"search without a site", request(search("", "a b")), plan.Success,
			[]string{"a1 system.apps.launch.shell{app_name=chrome url=https://google.com/search?q=a%20b} google_search_visible"},
		},
		{
			"site in another spelling", request(search("YouTube ", "x")), plan.Success,
			[]string{"a1 system.apps.launch.shell{app_name=chrome url=" + yt + "x} youtube_search_visible"},
		},
		{
			"navigate", request(visit("github")), plan.Success,
			[]string{"a1 system.apps.launch.shell{app_name=chrome url=https://github.com/} url_loaded"},
		},
		{
			"launch", request(launch("notepad")), plan.Success,
			[]string{"a1 system.apps.launch.shell{app_name=notepad} notepad_running"},
		},
		{
			"browser and search", request(launch("chrome"), search("youtube", "nvidia")), plan.Success,
			[]string{"a1 system.apps.launch.shell{app_name=chrome url=" + yt + "nvidia} youtube_search_visible"},
		},
		{
			"two apps", request(launch("chrome"), launch("spotify")), plan.Success,
			[]string{"a1 system.apps.launch.shell{app_name=chrome} chrome_running", "a2 system.apps.launch.shell{app_name=spotify} spotify_running"},
		},
		{
			"same search twice", request(search("youtube", "a"), search("YouTube", "a")), plan.Success,
			[]string{"a1 system.apps.launch.shell{app_name=chrome url=" + yt + "a} youtube_search_visible"},
		},
		{
			"question", request(ask("time")), plan.Success,
			[]string{"a1 system.query{target=time} time_known"},
		},
		{
			"create folder", request(file("mkdir", "folder", "~/Reports/")), plan.Success,
			[]string{"a1 files.create_folder{path=~/Reports} folder_created"},
		},
		{
			"create file", request(file("make", "file", "/srv/a.txt")), plan.Success,
			[]string{"a1 files.create_file{path=/srv/a.txt} file_created"},
		},
		{
			"delete file", request(file("rm", "file", `C:\Temp\a.txt`)), plan.Success,
			[]string{`a1 files.delete_file{path=C:\Temp\a.txt} file_deleted`},
		},
		{
			"delete folder", request(file("delete", "folder", "/srv/old")), plan.Success,
			[]string{"a1 files.delete_folder{path=/srv/old} folder_deleted"},
		},
		{
			"kind by extension", request(file("create", "", "/srv/a.txt")), plan.Success,
			[]string{"a1 files.create_file{path=/srv/a.txt} file_created"},
		},
		{
			"a file inside a new folder", request(file("create", "file", "/srv/new/a.txt"), file("create", "folder", "/srv/new")), plan.Success,
			[]string{"a1 files.create_folder{path=/srv/new} folder_created", "a2 files.create_file{path=/srv/new/a.txt} file_created a1"},
		},
		{
			"what lies in a deleted folder goes first", request(file("delete", "folder", "/srv/old"), file("delete", "file", "/srv/old/a.txt")), plan.Success,
			[]string{"a1 files.delete_file{path=/srv/old/a.txt} file_deleted", "a2 files.delete_folder{path=/srv/old} folder_deleted a1"},
		},
		{
			"already shown", withWorld(request(search("youtube", "a b")), plan.World{BrowserRunning: true, BrowserLastURL: "https://www.youtube.com/results?search_query=a+b"}),
			plan.AlreadySatisfied, nil,
		},
		{
			"shown before the browser closed", withWorld(request(visit("github")), plan.World{BrowserLastURL: "https://github.com/"}), plan.Success,
			[]string{"a1 system.apps.launch.shell{app_name=chrome url=https://github.com/} url_loaded"},
		},
		{"in front already", withWorld(request(launch("notepad")), plan.World{ActiveWindow: "notepad"}), plan.AlreadySatisfied, nil},
		{
			"running but not in front", withWorld(request(launch("notepad")), plan.World{RunningApps: []string{"notepad"}}), plan.Success,
			[]string{"a1 system.apps.launch.shell{app_name=notepad} notepad_running"},
		},
		{"exists already", withWorld(request(file("create", "folder", "/srv/a")), plan.World{RecentFacts: []string{"exists:/srv/a/"}}), plan.AlreadySatisfied, nil},
		{
			"gone since", withWorld(request(file("create", "folder", "/srv/a")), plan.World{RecentFacts: []string{"exists:/srv/a", "gone:/srv/a"}}), plan.Success,
			[]string{"a1 files.create_folder{path=/srv/a} folder_created"},
		},
		{"deleted already", withWorld(request(file("delete", "file", "/srv/a.txt")), plan.World{RecentFacts: []string{"gone:/srv/a.txt"}}), plan.AlreadySatisfied, nil},
		{
			"one of two holds", withWorld(request(launch("notepad"), ask("time")), plan.World{ActiveWindow: "notepad"}), plan.Success,
			[]string{"a1 system.query{target=time} time_known"},
		},
		{
			"an open page is left alone", withWorld(request(visit("github")), plan.World{BrowserRunning: true, BrowserLastURL: "https://example.com/"}), plan.Success,
			[]string{"a1 system.apps.launch.shell{app_name=chrome url=https://github.com/} url_loaded"},
		},
		{
			"an open page is used where nothing else can", withTools(withWorld(request(visit("github")), plan.World{BrowserRunning: true, BrowserLastURL: "https://example.com/"}), openTool), plan.Success,
			[]string{"a1 browser.open{url=https://github.com/} url_loaded"},
		},
		{"nothing opens the first page", withTools(request(visit("github")), openTool), plan.Blocked, nil},
		{"empty query", request(search("youtube", " ")), plan.Blocked, nil},
		{"query too long", request(search("youtube", strings.Repeat("x", 8192))), plan.Blocked, nil},
		{"control character", request(search("youtube", "a\x00b")), plan.Blocked, nil},
		{"empty address", request(plan.Goal{GoalType: plan.BrowserNavigate}), plan.Blocked, nil},
		{"script for an address", request(plan.Goal{GoalType: plan.BrowserNavigate, Target: "javascript:alert(1)"}), plan.Blocked, nil},
		{"relative path", request(file("create", "folder", "notes")), plan.Blocked, nil},
		{"climbing path", request(file("delete", "folder", "/srv/../etc")), plan.Blocked, nil},
		{"climbing back", request(file("delete", "folder", `C:\a\..\Windows`)), plan.Blocked, nil},
		{"the root", request(file("delete", "folder", "/")), plan.Blocked, nil},
		{"the home folder", request(file("delete", "folder", "~/")), plan.Blocked, nil},
		{"unknown action", request(file("explode", "folder", "/srv/a")), plan.NoCapability, nil},
		{"no tool for questions", withTools(request(ask("time")), launchTool), plan.NoCapability, nil},
		{"no tool for files", withTools(request(file("create", "folder", "/a")), fileTool("create_file"), fileTool("recreate_folder")), plan.NoCapability, nil},
		{
			"one of two goals", withTools(request(ask("time"), search("youtube", "a")), launchTool), plan.Partial,
			[]string{"a1 system.apps.launch.shell{app_name=chrome url=" + yt + "a} youtube_search_visible"},
		},
		{
			"a refused goal beside a good one", request(file("create", "folder", "notes"), ask("time")), plan.Partial,
			[]string{"a1 system.query{target=time} time_known"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := planFor(t, tt.r)
			if got.Status() != tt.status {
				t.Errorf("status = %s (%s), want %s", got.Status(), got.Reason(), tt.status)
			}
			if diff := cmp.Diff(tt.want, brief(got)); diff != "" {
				t.Errorf("actions (-want +got):\n%s", diff)
			}
			if tt.status != plan.Success && got.Reason() == "" {
				t.Error("no reason given")
			}
		})
	}
}

func withWorld(r Request, w plan.World) Request             { r.World = w; return r }
func withTools(r Request, tools ...plan.Capability) Request { r.Capabilities = tools; return r }

func TestUnmetAndReason(t *testing.T) {
	tests := []struct {
		name   string
		r      Request
		unmet  []string
		reason string
	}{
		{
			"missing effect and nearest tool", withTools(request(ask("time")), plan.Capability{Name: "clock.time", CanAchieve: []string{"alarm"}}, launchTool),
			[]string{"time_known"}, "Not supported: no tool can achieve system_query (effect time_known). The nearest tool is clock.time.",
		},
		{
			"the fact that would unblock", withTools(request(visit("github")), openTool),
			[]string{"page_open"}, "It would work if this held: page_open. No tool can bring that about.",
		},
		{
			"the folder must be named", request(file("create", "folder", "notes")),
			[]string{"folder_created"}, `The folder must be named: "notes" does not say where it is. Give a path that begins with / or ~/.`,
		},
		{
			"what is left of a partial plan", withTools(request(ask("time"), search("youtube", "a")), launchTool),
			[]string{"time_known"}, "Not supported: no tool can achieve system_query (effect time_known).",
		},
		{
			"no query", request(search("youtube", "")),
			[]string{"youtube_search_visible"}, "No search query provided: say what to search for.",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := planFor(t, tt.r)
			if diff := cmp.Diff(tt.unmet, got.Unmet()); diff != "" {
				t.Errorf("unmet (-want +got):\n%s", diff)
			}
			if got.Reason() != tt.reason {
				t.Errorf("reason = %q, want %q", got.Reason(), tt.reason)
			}
		})
	}
}

func TestRequirementsGetProducers(t *testing.T) {
	start := plan.Capability{Name: launcher, CanAchieve: []string{"app_launch"}, Effects: []string{"browser_running"}}
	find := plan.Capability{Name: "web.search", CanAchieve: []string{"browser_search"}, Requires: []string{"browser_running"}, Params: []string{"query", "platform"}}
	got := planFor(t, withTools(request(search("youtube", "a"), search("google", "b")), start, find))
	want := []string{
		"a1 system.apps.launch.shell{app_name=chrome} browser_running",
		"a2 web.search{platform=youtube query=a} youtube_search_visible a1",
		"a3 web.search{platform=google query=b} google_search_visible a1",
	}
	if diff := cmp.Diff(want, brief(got)); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}
	p, _ := got.Plan()
	if p.GoalAchievedBy() != "a3" {
		t.Errorf("achieved by %s, want the action of the last goal, a3", p.GoalAchievedBy())
	}
	if got, want := p.Actions()[0].Reason, "It supplies browser_running, which a2 requires."; got != want {
		t.Errorf("reason = %q, want %q", got, want)
	}
}

func TestDependenciesBetweenGoals(t *testing.T) {
	r := request()
	r.Goals = numbered(needs{"g1": {"g2"}}, launch("notepad"), file("create", "file", "~/a.txt"))
	want := []string{"a1 files.create_file{path=~/a.txt} file_created", "a2 system.apps.launch.shell{app_name=notepad} notepad_running a1"}
	if diff := cmp.Diff(want, brief(planFor(t, r))); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}
}

func TestAmbiguous(t *testing.T) {
	tests := []struct {
		name string
		r    Request
		want string // part of the question
	}{
		{"no app", request(launch("")), "Which app"},
		{"no action", request(file("", "folder", "/a")), "What shall be done with /a"},
		{"file or folder", request(file("create", "", "/srv/v1.2")), "Is /srv/v1.2 a file or a folder"},
		{"no path", request(file("create", "file", "")), "Which file or folder"},
		{"no question", request(ask("")), "What would you like to know"},
		{"both ways", request(file("create", "file", "/a.txt"), file("delete", "file", "/a.txt")), "/a.txt can't be both"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := planner.Plan(tt.r)
			var ambiguous *plan.AmbiguousError
			if !errors.As(err, &ambiguous) || len(ambiguous.Questions) != 1 || !strings.Contains(ambiguous.Questions[0].Question, tt.want) {
				t.Errorf("error = %v, want a question about %q", err, tt.want)
			}
		})
	}
}

func TestMalformedRequests(t *testing.T) {
	circle, stranger := request(), request()
	circle.Goals = numbered(needs{"g1": {"g2"}, "g2": {"g1"}}, launch("notepad"), ask("time"))
	stranger.Goals = numbered(needs{"g1": {"g7"}}, ask("time"))
	other := queryTool
	other.ReadOnly = false
	tests := []struct {
		name string
		r    Request
		want string
	}{
		{"no goal", request(), "there is none"},
		{"circle", circle, "circle"},
		{"unknown dependency", stranger, `"g7"`},
		{"two definitions", withTools(request(ask("time")), queryTool, other), `"system.query" is defined twice`},
		{"bad name", withTools(request(ask("time")), plan.Capability{Name: "a b"}), `"a b"`},
		{"bad fact", withTools(request(ask("time")), plan.Capability{Name: "a", Effects: []string{"!"}}), `"!" is not a fact`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := planner.Plan(tt.r); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error = %v, want %q in it", err, tt.want)
			}
		})
	}
}

func TestWholePlan(t *testing.T) {
	r := request(
		search("youtube", "кошки"), launch("notepad"), file("delete", "file", "~/a.txt"),
		file("create", "folder", "~/b"), ask("time"),
	)
	r.Language, r.Text = "ru", "слова"
	r.Voice = &plan.Voice{FileID: "v1", Transcript: "слова", Confidence: 0.5}
	p, _ := planFor(t, r).Plan()
	c := p.Content()
	c.Actions = nil
	want := plan.Content{
		Origin: plan.UserGoal, Intent: plan.Mutate, Domain: "mixed", Language: "ru",
		Summary: "Найти «кошки» на YouTube; Запустить Notepad; Удалить файл ~/a.txt; Создать папку ~/b; Сообщить время",
		Inputs:  plan.Inputs{RawText: "слова", Voice: r.Voice},
		Entities: []plan.Entity{
			{Kind: "site", Query: "youtube", SelectedID: "youtube", Confidence: 1, Candidates: []plan.Candidate{{ID: "youtube", Name: "YouTube", URL: "https://youtube.com/"}}},
			{Kind: "app", Query: "notepad", SelectedID: "notepad", Confidence: 1, Candidates: []plan.Candidate{{ID: "notepad", Name: "Notepad"}}},
		},
		NeedsClarification: []plan.Question{{
			ID: "voice", Question: "Вы сказали «слова»?", FreeTextAllowed: true,
			Choices: []plan.Choice{{Label: "да", Value: "yes"}, {Label: "нет", Value: "no"}},
		}},
		Risks: []plan.Risk{
			{Kind: plan.Bulk, Details: "5 действий за один раз"},
			{Kind: plan.Destructive, Details: "удалённое не вернуть: a2"},
			{Kind: plan.Ambiguous, Details: "слова распознаны с уверенностью 50 %"},
		},
		GoalAchievedBy: "a5",
	}
	if diff := cmp.Diff(want, c, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
	levels := map[string]plan.RiskLevel{}
	for _, a := range p.Actions() {
		levels[a.Tool] = a.RiskLevel
	}
	if levels["files.delete_file"] != plan.High || levels["files.create_folder"] != plan.Low {
		t.Errorf("risk levels = %v", levels)
	}
}

func TestRefusedGoalIsARisk(t *testing.T) {
	p, _ := planFor(t, request(file("create", "folder", "notes"), ask("time"))).Plan()
	risks := p.Content().Risks
	if len(risks) != 1 || risks[0].Kind != plan.MissingRequired || !strings.Contains(risks[0].Details, `"notes"`) {
		t.Errorf("risks = %v, want one about the path that is missing", risks)
	}
}

func TestReadOnlyPlanIsAQuery(t *testing.T) {
	p, _ := planFor(t, request(ask("time"))).Plan()
	if c := p.Content(); c.Intent != plan.Query || c.Domain != "system" {
		t.Errorf("intent %s, domain %s", c.Intent, c.Domain)
	}
}

// TestSameInputSameBytes: planning many times at once, with the tools and the
// facts in any order, gives one answer, and leaves the world as it was.
func TestSameInputSameBytes(t *testing.T) {
	r := request(visit("youtube"), search("", "a"), file("create", "file", "/srv/x/a.txt"), file("create", "folder", "/srv/x"), ask("time"))
	r.World = plan.World{BrowserRunning: true, RunningApps: []string{"spotify", "notepad"}, RecentFacts: []string{"b", "a"}}
	world := plan.World{BrowserRunning: true, RunningApps: []string{"spotify", "notepad"}, RecentFacts: []string{"b", "a"}}
	want := marshal(t, planFor(t, r))
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 50 {
				q := r
				q.Capabilities = slices.Clone(r.Capabilities)
				if i%2 == 1 {
					slices.Reverse(q.Capabilities)
				}
				got, err := planner.Plan(q)
				if err != nil {
					t.Errorf("Plan: %v", err)
					return
				}
				if b, err := plan.Canonical(got); err != nil || string(b) != want {
					t.Errorf("another answer: %s (%v)", b, err)
					return
				}
			}
		})
	}
	wg.Wait()
	if diff := cmp.Diff(world, r.World); diff != "" {
		t.Errorf("the world was changed (-want +got):\n%s", diff)
	}
}

// FuzzPlan: whatever the goals say, planning ends, twice alike, and a plan keeps
// its promises.
func FuzzPlan(f *testing.F) {
	f.Add(uint8(0), "youtube", "nvidia", uint8(1), "", "~/a.txt")
	f.Add(uint8(3), "create", "folder", uint8(3), "rm", "/a/../b")
	f.Add(uint8(2), "Chrome ", "", uint8(4), "time", "time")
	f.Add(uint8(1), "", "http://[::1", uint8(0), "x", "a\x00b")
	f.Fuzz(func(t *testing.T, k1 uint8, a1, b1 string, k2 uint8, a2, b2 string) {
		types := plan.GoalTypes()
		r := request(
			plan.Goal{GoalType: types[int(k1)%len(types)], Platform: a1, Query: b1, Target: b1, Action: a1},
			plan.Goal{GoalType: types[int(k2)%len(types)], Platform: a2, Query: b2, Target: b2, Action: a2, ObjectType: "file"},
		)
		got, err := planner.Plan(r)
		again, errAgain := planner.Plan(r)
		if err != nil || errAgain != nil {
			var ambiguous *plan.AmbiguousError
			if !errors.As(err, &ambiguous) || len(ambiguous.Questions) == 0 || !errors.As(errAgain, &ambiguous) {
				t.Fatalf("errors %v and %v, want questions or none", err, errAgain)
			}
			return
		}
		if marshal(t, got) != marshal(t, again) {
			t.Error("the same request has two answers")
		}
		if p, ok := got.Plan(); ok && p.Len() > 2 {
			t.Errorf("%d actions for two goals: %v", p.Len(), brief(got))
		}
		for _, fault := range verify.CheckPlan(r.Capabilities, r.World, got) {
			t.Error(fault)
		}
	})
}

func BenchmarkLitmus(b *testing.B) {
	r := request(visit("youtube"), search("", "nvidia"))
	r.Text = "open youtube and search nvidia"
	b.ReportAllocs()
	for b.Loop() {
		if _, err := planner.Plan(r); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGoals(b *testing.B) {
	tools := slices.Clone(allTools)
	for i := range 200 - len(tools) {
		tools = append(tools, plan.Capability{Name: fmt.Sprintf("other.tool%03d", i), CanAchieve: []string{fmt.Sprintf("key%d", i)}, Requires: []string{fmt.Sprintf("f%d", i)}, Effects: []string{fmt.Sprintf("f%d", i+1)}})
	}
	for _, n := range []int{250, 500, 1000, 2000, 4000} {
		var goals []plan.Goal
		for i := range n {
			goals = append(goals, search("youtube", fmt.Sprintf("query %d", i)))
		}
		r := withTools(request(goals...), tools...)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if _, err := planner.Plan(r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
