package planner

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/planner/plan"
)

// TestSpokenOrder plans goals that are independent of each other, in every order. The names
// of the tools sort in another order than the words.
func TestSpokenOrder(t *testing.T) {
	goals := []plan.Goal{
		file("delete", "file", "/home/ann/b.txt"), file("create", "file", "/home/ann/a.txt"),
		ask("time"), launch("notepad"), visit("github"),
	}
	want := []string{"files.delete_file", "files.create_file", "system.query", launcher, launcher}
	for seed := range uint64(60) {
		order := rand.New(rand.NewPCG(seed, 3)).Perm(len(goals))
		var said []plan.Goal
		var tools []string
		for _, i := range order {
			said, tools = append(said, goals[i]), append(tools, want[i])
		}
		got := planFor(t, request(said...))
		if diff := cmp.Diff(tools, toolsOf(got)); diff != "" {
			t.Fatalf("goals %v (-want +got):\n%s", order, diff)
		}
		if proof, _ := got.Proof(); proof.Kind == plan.Unproved {
			t.Errorf("goals %v: nothing proves that the plan can't be smaller", order)
		}
	}
}

// TestSpokenOrderOfDependentSteps plans goals of which some need others: what a step needs
// comes right before it, and no step waits longer than it has to.
func TestSpokenOrderOfDependentSteps(t *testing.T) {
	needsKey := plan.Capability{Name: "a.query", CanAchieve: []string{"system_query"}, Requires: []string{"key"}, Params: []string{"target"}, ReadOnly: true}
	key := plan.Capability{Name: "z.key", Effects: []string{"key"}}
	endsKey := plan.Capability{Name: "b.launch", CanAchieve: []string{"app_launch"}, Effects: []string{"!key"}, Params: []string{"app_name"}}
	files := request().Capabilities[3:]
	tests := []struct {
		name  string
		goals []plan.Goal
		tools []plan.Capability
		want  []string
	}{
		{"a supplier first", []plan.Goal{ask("time"), file("create", "file", "/h/a")}, append([]plan.Capability{needsKey, key}, files...), []string{"z.key", "a.query", "files.create_file"}},
		{"a supplier later", []plan.Goal{file("delete", "file", "/h/a"), ask("time")}, append([]plan.Capability{needsKey, key}, files...), []string{"files.delete_file", "z.key", "a.query"}},
		{"what ends the supply, later", []plan.Goal{ask("time"), launch("notepad")}, []plan.Capability{needsKey, key, endsKey}, []string{"z.key", "a.query", "b.launch"}},
		{"what ends the supply, first", []plan.Goal{launch("notepad"), ask("time")}, []plan.Capability{needsKey, key, endsKey}, []string{"b.launch", "z.key", "a.query"}},
		{
			"the content before its folder",
			[]plan.Goal{file("create", "file", "/h/n"), file("delete", "folder", "/h/d"), file("delete", "file", "/h/d/a"), ask("time")},
			allTools,
			[]string{"files.create_file", "files.delete_file", "files.delete_folder", "system.query"},
		},
		{
			"a folder before its content",
			[]plan.Goal{file("create", "file", "/h/d/a"), file("delete", "file", "/h/o"), file("create", "folder", "/h/d")},
			allTools,
			[]string{"files.create_folder", "files.create_file", "files.delete_file"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := withTools(request(tt.goals...), tt.tools...)
			if diff := cmp.Diff(tt.want, toolsOf(planFor(t, r))); diff != "" {
				t.Errorf("tools (-want +got):\n%s", diff)
			}
		})
	}
}

// TestSpokenOrderOfMany plans many goals for different tools.
func TestSpokenOrderOfMany(t *testing.T) {
	var goals []plan.Goal
	var want []string
	for i := range 40 {
		action := []string{"delete", "create"}[i%2]
		kind := []string{"folder", "file"}[i/2%2]
		goals = append(goals, file(action, kind, fmt.Sprintf("/h/%02d", 99-i)))
		want = append(want, fmt.Sprintf("/h/%02d", 99-i))
	}
	p, _ := planFor(t, request(goals...)).Plan()
	var got []string
	for _, a := range p.Actions() {
		got = append(got, fmt.Sprint(a.Args["path"]))
	}
	if !slices.Equal(want, got) {
		t.Errorf("paths %v, want %v", got, want)
	}
}

func toolsOf(r plan.Result) []string {
	p, _ := r.Plan()
	var out []string
	for _, a := range p.Actions() {
		out = append(out, a.Tool)
	}
	return out
}
