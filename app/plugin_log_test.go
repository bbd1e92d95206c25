package app

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"errand/app/session"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// TestPluginLogsToItsRun: of two runs at once, each has what was logged by the
// plugins that it called; what is logged outside of a run is in none.
func TestPluginLogsToItsRun(t *testing.T) {
	a, _ := opened(t, Options{})
	var noted []string
	sessions := map[string]*session.Session{}
	for _, id := range []string{"r1", "r2"} {
		s, err := a.sessions.New(id, plan.UserGoal, func(n trace.Note) {
			l := n.(trace.PluginNote)
			noted = append(noted, fmt.Sprint(id, " ", l.Kind(), " ", l.Plugin, " ", l.Level, " ", l.Message))
		})
		must.Succeed(t, err)
		sessions[id] = s
	}
	of := func(run string) context.Context {
		return tool.WithCaller(t.Context(), tool.Caller{RunID: run, ActionID: "a1", Tool: "notes.add", Plugin: "notes"})
	}
	a.sessions.LogPlugin(of("r1"), "notes", "info", message.Verbatim("one"))
	a.sessions.LogPlugin(of("r2"), "notes", "warn", message.Verbatim("two"))
	a.sessions.LogPlugin(of("r1"), "notes", "info", message.Verbatim("three"))
	a.sessions.LogPlugin(t.Context(), "notes", "info", message.Verbatim("outside"))
	must.Succeed(t, sessions["r1"].End())
	a.sessions.LogPlugin(of("r1"), "notes", "info", message.Verbatim("late"))
	want := "r1 plugin notes info one\nr2 plugin notes warn two\nr1 plugin notes info three"
	if got := strings.Join(noted, "\n"); got != want {
		t.Errorf("noted\n%s\nwant\n%s", got, want)
	}
}
