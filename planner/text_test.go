package planner_test

import (
	"testing"

	"errand/build/must"
	"errand/planner"
	"errand/planner/catalogue"
	"errand/planner/interpret"
	"errand/planner/plan"
)

// BenchmarkTextToPlan is the whole way from the words of the litmus test to the
// plan.
func BenchmarkTextToPlan(b *testing.B) {
	const text = "open youtube and search nvidia"
	c := catalogue.Default()
	in, err := interpret.New(c, interpret.Options{})
	must.Succeed(b, err)
	p := planner.New(c)
	tools := []plan.Capability{{
		Name: "system.apps.launch.shell", CanAchieve: []string{"app_launch", "browser_navigate", "browser_search"},
		Effects: []string{"browser_running"}, Params: []string{"app_name", "url", "args"},
	}}
	b.ReportAllocs()
	for b.Loop() {
		r := in.Read(text)
		got, err := p.Plan(planner.Request{Goals: r.Goals, Capabilities: tools, Text: text, Language: r.Language})
		if err != nil || got.Status() != plan.Success {
			b.Fatalf("%s: %v", got.Status(), err)
		}
	}
}
