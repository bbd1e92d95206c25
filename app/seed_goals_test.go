package app

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"errand/app/planning"
	"errand/build/must"
	"errand/planner/plan"
)

// TestSeedGoals are the acceptance lines of the GoalPlanner contract that a
// person's words reach: what is planned of them, by the program's own tools.
func TestSeedGoals(t *testing.T) {
	a, home := opened(t, Options{})
	launcher := plan.Capability{Name: "system.apps.launch.shell", CanAchieve: []string{"browser_search", "browser_navigate", "app_launch"}, Params: []string{"app_name", "url"}}
	search := func(platform, query string) plan.Goal {
		return plan.Goal{GoalType: plan.BrowserSearch, Platform: platform, Query: query}
	}
	tests := []struct {
		name   string
		r      planning.Request
		status plan.Status
		tools  []string // of a plan
		url    string   // of the first action
		reason string   // a part of it
	}{
		{"S4-T1 search without a browser", planning.Request{Origin: plan.UserGoal, Goals: []plan.Goal{search("youtube", "nvidia")}, Capabilities: []plan.Capability{launcher}}, plan.Success, []string{"system.apps.launch.shell"}, "https://youtube.com/results?search_query=nvidia", ""},
		{"S4-T2 open and search is one action", planning.Request{Origin: plan.UserGoal, Text: "open youtube and search nvidia"}, plan.Success, []string{"system.apps.launch.shell"}, "https://youtube.com/results?search_query=nvidia", ""},
		{"S4-T3 nothing answers a system query", planning.Request{Origin: plan.UserGoal, Goals: []plan.Goal{{GoalType: plan.SystemQuery, Target: "time"}}, Capabilities: []plan.Capability{launcher}}, plan.NoCapability, nil, "", ""},
		{"S4-T4 a folder", planning.Request{Origin: plan.UserGoal, Text: "create folder " + home + "/Documents/x"}, plan.Success, []string{"files.create_folder"}, "", ""},
		{"S4-T6 no tool outside of the capabilities", planning.Request{Origin: plan.UserGoal, Goals: []plan.Goal{search("youtube", "nvidia")}, Capabilities: []plan.Capability{{Name: "hash.md5"}}}, plan.NoCapability, nil, "", ""},
		{"S4-H02 a query with NUL", planning.Request{Origin: plan.UserGoal, Goals: []plan.Goal{search("google", "a\x00b")}}, plan.Blocked, nil, "", "control"},
		{"S4-H02 a query of 8 KB", planning.Request{Origin: plan.UserGoal, Goals: []plan.Goal{search("google", strings.Repeat("x", 8192))}}, plan.Blocked, nil, "", "limit"},
		{"S4-H03 an empty query", planning.Request{Origin: plan.UserGoal, Goals: []plan.Goal{search("youtube", " ")}}, plan.Blocked, nil, "", "quer"},
		{"S4-H04 a platform in mixed case", planning.Request{Origin: plan.UserGoal, Goals: []plan.Goal{search("YouTube ", "nvidia")}}, plan.Success, []string{"system.apps.launch.shell"}, "https://youtube.com/results?search_query=nvidia", ""},
		{"S4-H06 no platform is google", planning.Request{Origin: plan.UserGoal, Goals: []plan.Goal{search("", "nvidia")}}, plan.Success, []string{"system.apps.launch.shell"}, "https://google.com/search?q=nvidia", ""},
		{"S4-H09 an empty target", planning.Request{Origin: plan.UserGoal, Goals: []plan.Goal{{GoalType: plan.BrowserNavigate, Target: ""}}}, plan.Blocked, nil, "", ""},
		{"S4-H10 already there", planning.Request{Origin: plan.UserGoal, Text: "open youtube and search nvidia", World: &plan.World{BrowserRunning: true, BrowserLastURL: "https://www.youtube.com/results?search_query=nvidia"}}, plan.AlreadySatisfied, nil, "", ""},
		{"S4-H13 the browser is not launched twice", planning.Request{Origin: plan.UserGoal, Text: "open chrome and search youtube for nvidia"}, plan.Success, []string{"system.apps.launch.shell"}, "https://youtube.com/results?search_query=nvidia", ""},
		{"S4-H14 two apps", planning.Request{Origin: plan.UserGoal, Text: "open chrome and open spotify"}, plan.Success, []string{"system.apps.launch.shell", "system.apps.launch.shell"}, "", ""},
		{"S4-H16 the same search twice", planning.Request{Origin: plan.UserGoal, Text: "search youtube for nvidia and search youtube for nvidia"}, plan.Success, []string{"system.apps.launch.shell"}, "https://youtube.com/results?search_query=nvidia", ""},
		{"S4-H21 a relative path", planning.Request{Origin: plan.UserGoal, Goals: []plan.Goal{{GoalType: plan.FileOperation, Action: "create", ObjectType: "folder", Target: "../x"}}}, plan.Blocked, nil, "", ""},
		{"S4-H23 an action that no tool has", planning.Request{Origin: plan.UserGoal, Goals: []plan.Goal{{GoalType: plan.FileOperation, Action: "explode", ObjectType: "folder", Target: home + "/Documents/x"}}}, plan.NoCapability, nil, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			planned, err := a.Plan(t.Context(), tt.r)
			must.Succeed(t, err)
			if planned.Result == nil {
				t.Fatalf("not understood: %s", planned.Interpretation.Reason)
			}
			if got := planned.Result.Status(); got != tt.status || !strings.Contains(say(planned.Result.Reason()), tt.reason) {
				t.Fatalf("%s (%s), want %s (%s)", got, planned.Result.Reason(), tt.status, tt.reason)
			}
			p, ok := planned.Result.Plan()
			var tools []string
			for _, action := range p.Actions() {
				tools = append(tools, action.Tool)
			}
			if ok != (tt.tools != nil) || !slices.Equal(tools, tt.tools) {
				t.Fatalf("a plan of %v, want %v", tools, tt.tools)
			}
			if tt.url != "" && p.Actions()[0].Args["url"] != tt.url {
				t.Errorf("opens %v, want %s", p.Actions()[0].Args["url"], tt.url)
			}
		})
	}

	t.Run("S4-T5 other words for create and delete", func(t *testing.T) {
		for action, want := range map[string]string{"mkdir": "files.create_folder", "make": "files.create_folder", "rm": "files.delete_folder"} {
			planned, err := a.Plan(t.Context(), planning.Request{Origin: plan.UserGoal, Goals: []plan.Goal{{GoalType: plan.FileOperation, Action: action, ObjectType: "folder", Target: home + "/Documents/x"}}})
			must.Succeed(t, err)
			if p, ok := planned.Result.Plan(); !ok || p.Actions()[0].Tool != want {
				t.Errorf("%s: %s %s", action, planned.Result.Status(), planned.Result.Reason())
			}
		}
	})

	t.Run("S4-T7 the same bytes, however often", func(t *testing.T) {
		want := bytesOf(t, a, "open youtube and search nvidia")
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 125 {
					if got := bytesOf(t, a, "open youtube and search nvidia"); !bytes.Equal(got, want) {
						t.Errorf("another plan: %s", got)
						return
					}
				}
			})
		}
		wg.Wait()
	})

	t.Run("S4-H01 a query of strange characters", func(t *testing.T) {
		query := "c++ & rust/zig 100% #1 ?"
		planned, err := a.Plan(t.Context(), planning.Request{Origin: plan.UserGoal, Goals: []plan.Goal{search("google", query)}})
		must.Succeed(t, err)
		p, _ := planned.Result.Plan()
		raw, _ := p.Actions()[0].Args["url"].(string)
		u, err := url.Parse(raw)
		if err != nil || u.Query().Get("q") != query || strings.Contains(raw, "+") {
			t.Errorf("%s asks for %q, %v", raw, u.Query().Get("q"), err)
		}
	})

	for name, query := range map[string]string{"S4-H02 an emoji": "🦊 fox", "S4-H02 from right to left": "שלום عالم"} {
		t.Run(name, func(t *testing.T) {
			planned, err := a.Plan(t.Context(), planning.Request{Origin: plan.UserGoal, Goals: []plan.Goal{search("google", query)}})
			must.Succeed(t, err)
			p, _ := planned.Result.Plan()
			raw, _ := p.Actions()[0].Args["url"].(string)
			u, err := url.Parse(raw)
			if err != nil || u.Query().Get("q") != query || strings.ContainsFunc(raw, func(r rune) bool { return r > '~' || r <= ' ' }) {
				t.Errorf("%s asks for %q, %v", raw, u.Query().Get("q"), err)
			}
		})
	}

	t.Run("S4-H15 a file in a new folder", func(t *testing.T) {
		planned, err := a.Plan(t.Context(), planning.Request{Origin: plan.UserGoal, Text: "create folder Reports in documents and create file notes.txt in it"})
		must.Succeed(t, err)
		p, _ := planned.Result.Plan()
		if p.Len() != 2 || !slices.Equal(p.Actions()[1].DependsOn, []string{"a1"}) || p.Actions()[1].Args["path"] != home+"/Documents/Reports/notes.txt" {
			t.Errorf("planned %+v", p.Actions())
		}
	})

	t.Run("S4-H27 one goal in several wordings", func(t *testing.T) {
		for _, text := range []string{
			"open youtube and search nvidia", "search nvidia on youtube", "youtube: nvidia",
			"go to YouTube, look up nvidia", "открой ютуб и найди nvidia",
		} {
			planned, err := a.Plan(t.Context(), planning.Request{Origin: plan.UserGoal, Text: text})
			if err != nil || planned.Result == nil {
				t.Fatalf("%s: %v", text, err)
			}
			p, _ := planned.Result.Plan()
			if p.Len() != 1 || p.Actions()[0].Args["url"] != "https://youtube.com/results?search_query=nvidia" {
				t.Errorf("%s: %+v", text, p.Actions())
			}
		}
	})

	t.Run("S4-H28 two sites", func(t *testing.T) {
		goals := a.Interpret("open youtube and then open github and search wails").Goals
		if len(goals) != 2 || goals[0].GoalType != plan.BrowserNavigate || goals[1].GoalType != plan.BrowserSearch || goals[1].Platform != "github" || goals[1].Query != "wails" {
			t.Errorf("read as %+v", goals)
		}
	})
}

func bytesOf(t *testing.T, a *App, text string) []byte {
	planned, err := a.Plan(t.Context(), planning.Request{Origin: plan.UserGoal, Text: text})
	if err != nil {
		t.Error(err)
		return nil
	}
	b, err := json.Marshal(planned)
	if err != nil {
		t.Error(err)
	}
	return b
}
