package planner

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/planner/plan"
)

// TestToolsThatNameNoParameters: capabilities as the contract writes them say
// only what they achieve. Then a tool is told what tools of its kind usually
// take.
func TestToolsThatNameNoParameters(t *testing.T) {
	bare := func(name string, keys ...string) plan.Capability {
		return plan.Capability{Name: name, CanAchieve: keys}
	}
	const page = "https://youtube.com/results?search_query=a%20b"
	tests := []struct {
		name string
		goal plan.Goal
		tool plan.Capability
		want map[string]any
	}{
		{"the launcher, for a search", search("youtube", "a b"), bare(launcher, "browser_search", "app_launch"), map[string]any{"app_name": "chrome", "url": page}},
		{"another tool, for a search", search("youtube", "a b"), bare("web.search", "browser_search"), map[string]any{"url": page}},
		{"a page", visit("github"), bare("web.open", "browser_navigate"), map[string]any{"url": "https://github.com/"}},
		{"an app", launch("notepad"), bare("apps.start", "app_launch"), map[string]any{"app_name": "notepad"}},
		{"a folder", file("mkdir", "folder", "/srv/a/"), bare("files.create_folder", "file_operation"), map[string]any{"path": "/srv/a"}},
		{"a file, by its own key", file("rm", "file", "/srv/a"), bare("wipe", "delete_file"), map[string]any{"path": "/srv/a"}},
		{"a question", ask("time"), bare("system.query", "system_query"), map[string]any{"target": "time"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, ok := planFor(t, withTools(request(tt.goal), tt.tool)).Plan()
			if !ok || p.Len() != 1 {
				t.Fatalf("%d actions, want one", p.Len())
			}
			if diff := cmp.Diff(tt.want, p.Actions()[0].Args); diff != "" {
				t.Errorf("args (-want +got):\n%s", diff)
			}
		})
	}
}
