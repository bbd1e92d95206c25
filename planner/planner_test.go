package planner

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/i18n"
	"errand/planner/catalogue"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/planner/verify"
)

// launcher is the tool that starts apps and opens pages.
const launcher = "system.apps.launch.shell"

var (
	launchTool = plan.Capability{
		Name: launcher, CanAchieve: []string{"app_launch", "browser_navigate", "browser_search", "browser_open"},
		Effects: []string{"browser_running", "page_open", "url_loaded"}, Params: []string{"app_name", "url", "args"},
	}
	queryTool = plan.Capability{Name: "system.query", CanAchieve: []string{"system_query"}, Params: []string{"target"}, ReadOnly: true}
	openTool  = plan.Capability{
		Name: "browser.open", CanAchieve: []string{"browser_navigate"}, Requires: []string{plan.PageOpen}, Effects: []string{"url_loaded"}, Params: []string{"url"},
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
	preview := message.New("plan.search", "query", "nvidia", "site", "YouTube")
	if text := i18n.English().Text(preview); text != "Search for “nvidia” on YouTube" {
		t.Errorf("preview = %q", text)
	}
	want := []plan.Action{{
		ActionID: "a1", Tool: "system.apps.launch.shell",
		Args:           map[string]any{"app_name": "chrome", "url": "https://youtube.com/results?search_query=nvidia"},
		DependsOn:      []string{},
		ExpectedEffect: "youtube_search_visible",
		Reason:         message.New("plan.asked_for", "preview", preview),
		Preview:        preview,
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
			"S4-H24 kind by extension", request(file("create", "", "/srv/a.txt")), plan.Success,
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
			if tt.status != plan.Success && got.Reason().IsZero() {
				t.Error("no reason given")
			}
		})
	}
}

func withWorld(r Request, w plan.World) Request             { r.World = w; return r }
func withTools(r Request, tools ...plan.Capability) Request { r.Capabilities = tools; return r }

func TestRequirementsGetProducers(t *testing.T) {
	t.Run("S4-H11 what is required is supplied first", producers)
}

func producers(t *testing.T) {
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
	if got, want := i18n.English().Text(p.Actions()[0].Reason), "It supplies browser_running, which a2 requires."; got != want {
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
