package planner

import (
	"slices"
	"testing"

	"errand/planner/plan"
)

// TestPreference checks that a tool of an installed plugin takes the place of another one
// only if the user prefers the plugin, whatever its name, keys and effects are.
func TestPreference(t *testing.T) {
	deleteFolder := plan.Goal{GoalType: plan.FileOperation, Action: "delete", ObjectType: "folder", Target: "/h/Old"}
	createFile := plan.Goal{GoalType: plan.FileOperation, Action: "create", ObjectType: "file", Target: "/h/a.txt"}
	search := plan.Goal{GoalType: plan.BrowserSearch, Platform: "youtube", Query: "cats"}
	open := plan.Goal{GoalType: plan.BrowserNavigate, Target: "https://example.com/"}
	launch := plan.Goal{GoalType: plan.AppLaunch, Target: "calculator"}
	query := plan.Goal{GoalType: plan.SystemQuery, Target: "time"}
	of := func(name string, preference int, readOnly bool, keys ...string) plan.Capability {
		return plan.Capability{
			Name: name, CanAchieve: keys, Preference: preference, ReadOnly: readOnly,
			Params: []string{"path", "target", "query", "platform", "url", "app_name", "content"},
		}
	}
	for _, tt := range []struct {
		name   string
		goal   plan.Goal
		plugin plan.Capability
		alone  bool // the plugin's tool is the only one
		want   string
	}{
		{"deletes", deleteFolder, of("aaa.del", -1, false, "file_operation", "delete_folder"), false, "files.delete_folder"},
		{"creates", createFile, of("aaa.new", -1, false, "file_operation", "create_file"), false, "files.create_file"},
		{"searches", search, of("aaa.search", -1, true, "browser_search"), false, launcher},
		{"opens", open, of("aaa.open", -1, true, "browser_navigate"), false, launcher},
		{"starts", launch, of("aaa.start", -1, false, "app_launch"), false, launcher},
		{"asks", query, of("aaa.ask", -1, true, "system_query"), false, "system.query"},

		{"deletes, preferred", deleteFolder, of("aaa.del", 1, false, "file_operation", "delete_folder"), false, "aaa.del"},
		{"last by name, preferred", deleteFolder, of("zzz.del", 1, false, "file_operation", "delete_folder"), false, "zzz.del"},
		{"searches, preferred", search, of("zzz.search", 1, true, "browser_search"), false, "zzz.search"},
		{"deletes, alone", deleteFolder, of("aaa.del", -1, false, "file_operation", "delete_folder"), true, "aaa.del"},
		{"asks, alone", query, of("aaa.ask", -1, true, "system_query"), true, "aaa.ask"},

		{"deletes, only reads", deleteFolder, of("aaa.del", 1, true, "file_operation", "delete_folder"), true, ""},
		{"deletes by name, only reads", deleteFolder, of("aaa.delete_folder", 1, true, "file_operation"), true, ""},
		{"creates, only reads", createFile, of("aaa.new", 0, true, "file_operation", "create_file"), true, ""},
		{"starts, only reads", launch, of("aaa.start", 1, true, "app_launch"), true, ""},
		{"starts, only reads, preferred", launch, of("aaa.start", 1, true, "app_launch"), false, launcher},
		{"lists, only reads", plan.Goal{GoalType: plan.FileOperation, Action: "list", ObjectType: "folder", Target: "/h"}, of("aaa.list", -1, true, "file_operation", "list_folder"), true, "aaa.list"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := request(tt.goal)
			if r.Capabilities = []plan.Capability{tt.plugin}; !tt.alone {
				r.Capabilities = append(slices.Clone(allTools), tt.plugin)
			}
			if tt.goal.IsOnExisting() {
				r.World.RecentFacts = []string{"exists:" + tt.goal.Target, "dir:" + tt.goal.Target}
			}
			got := planFor(t, r)
			var tools []string
			if p, ok := got.Plan(); ok {
				for _, a := range p.Actions() {
					tools = append(tools, a.Tool)
				}
			}
			if want := slices.DeleteFunc([]string{tt.want}, func(s string) bool { return s == "" }); !slices.Equal(tools, want) {
				t.Errorf("%v by %v, want %v", got.Status(), tools, want)
			}
		})
	}
}

// TestPreferredSupplier checks the same for a tool that brings about what another one requires.
func TestPreferredSupplier(t *testing.T) {
	maker := func(name string, preference int) plan.Capability {
		return plan.Capability{Name: name, Effects: []string{"ready"}, Preference: preference}
	}
	needy := fileTool("create_folder")
	needy.Requires = []string{"ready"}
	for _, tt := range []struct {
		makers []plan.Capability
		want   string
	}{
		{[]plan.Capability{maker("aaa.ready", -1), maker("own.ready", 0)}, "own.ready"},
		{[]plan.Capability{maker("aaa.ready", -1), maker("own.ready", 0), maker("zzz.ready", 1)}, "zzz.ready"},
		{[]plan.Capability{maker("own.ready", 0), maker("zzz.ready", -1)}, "own.ready"},
		{[]plan.Capability{maker("zzz.ready", -1)}, "zzz.ready"},
		{[]plan.Capability{maker("zzz.ready", -1), maker("aaa.ready", -1)}, "aaa.ready"},
	} {
		r := request(plan.Goal{GoalType: plan.FileOperation, Action: "create", ObjectType: "folder", Target: "/h/New"})
		r.Capabilities = append(tt.makers, needy)
		p, ok := planFor(t, r).Plan()
		if !ok || p.Len() != 2 || p.Actions()[0].Tool != tt.want {
			t.Errorf("%v, want %s first", brief(planFor(t, r)), tt.want)
		}
	}
}
