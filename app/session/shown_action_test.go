package session

import (
	"context"
	"slices"
	"testing"

	"errand/build/must"
	"errand/host/browser/actions"
	"errand/host/browser/page"
	"errand/host/system"
	"errand/host/tool"
	"errand/planner/plan"
)

// TestShownActions checks which pages a plan opens for the user to see.
func TestShownActions(t *testing.T) {
	set, err := tool.NewSet(slices.Concat(
		system.Tools(system.Options{Browser: func(string) bool { return true }}),
		actions.New(actions.Options{
			Open: func(context.Context) (*page.Browser, error) { return nil, nil }, Running: func(context.Context) *page.Browser { return nil },
		}),
	)...)
	must.Succeed(t, err)
	open := func(id string, after ...string) plan.Action {
		return plan.Action{ActionID: id, Tool: system.LaunchName, Args: map[string]any{"app_name": "chrome", "url": "https://a.example/"}, DependsOn: after}
	}
	act := func(id, name string, after ...string) plan.Action {
		return plan.Action{ActionID: id, Tool: name, Args: map[string]any{}, DependsOn: after}
	}
	for _, tt := range []struct {
		name string
		plan []plan.Action
		want []string
	}{
		{"open", []plan.Action{open("a1")}, []string{"a1"}},
		{"open two", []plan.Action{open("a1"), open("a2", "a1")}, []string{"a1", "a2"}},
		{"read", []plan.Action{open("a1"), act("a2", "browser.read_text", "a1")}, nil},
		{"picture", []plan.Action{open("a1"), act("a2", "browser.screenshot", "a1")}, nil},
		{"download", []plan.Action{open("a1"), act("a2", "browser.download", "a1")}, nil},
		{"read twice", []plan.Action{open("a1"), act("a2", "browser.read_text", "a1"), act("a3", "browser.links", "a2")}, nil},
		{"open, then read another", []plan.Action{open("a1"), open("a2", "a1"), act("a3", "browser.pdf", "a2")}, []string{"a1"}},
		{"read, then open another", []plan.Action{open("a1"), act("a2", "browser.links", "a1"), open("a3", "a2")}, []string{"a3"}},
		{"scroll", []plan.Action{open("a1"), act("a2", "browser.scroll", "a1")}, []string{"a1"}},
		{"scroll and read", []plan.Action{open("a1"), act("a2", "browser.scroll", "a1"), act("a3", "browser.read_text", "a2")}, []string{"a1"}},
		{"fill in", []plan.Action{open("a1"), act("a2", "browser.fill", "a1")}, []string{"a1"}},
		{"an app", []plan.Action{{ActionID: "a1", Tool: system.LaunchName, Args: map[string]any{"app_name": "calculator"}}}, nil},
		{"unknown tool", []plan.Action{act("a1", "no.such")}, nil},
		{"nothing", nil, nil},
	} {
		if got := shownActions(set, tt.plan); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
