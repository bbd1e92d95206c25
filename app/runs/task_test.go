package runs

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"errand/app/drafts"
	"errand/app/i18n"
	"errand/build/must"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
	"errand/policy"
	"errand/policy/approval"
)

// script is a planner with a fixed list of calls, in place of a model. It keeps the result of
// each.
type script struct {
	calls []string // names of tools
	seen  *[]string
}

func (s script) Plan(_ context.Context, rc *run.RunContext) (run.AssistantAction, error) {
	for _, r := range rc.Results {
		*s.seen = append(*s.seen, fmt.Sprintf("%s %s %s", r.ActionID, r.Status, r.ErrorCode))
	}
	next := 0 // the number of its last call, also after a new start of the program
	for _, r := range rc.Results {
		_, _ = fmt.Sscanf(r.ActionID, "c%d", &next)
	}
	if next >= len(s.calls) {
		return run.Respond("all of it is done"), nil
	}
	return run.ToolCalls(plan.Action{ActionID: fmt.Sprintf("c%d", next+1), Tool: s.calls[next], Args: map[string]any{"n": float64(next)}}), nil
}

// TestTaskForEveryOrigin runs a planner that reads, gets a denied call as a result, and asks for
// a call that needs approval and is stored. Another program approves it, and the task continues
// to its end.
func TestTaskForEveryOrigin(t *testing.T) {
	for _, origin := range plan.Origins() {
		t.Run(string(origin), func(t *testing.T) {
			home, seen := t.TempDir(), []string{}
			planner := script{[]string{"note.read", "note.burn", "note.apply", "note.write", "note.read"}, &seen}
			if origin == plan.UserGoal { // who may apply it, after an approval
				planner.calls = []string{"note.read", "note.burn", "note.burn", "note.write", "note.read"}
			}
			first := open(t, home, planner)
			r, err := first.Start(t.Context(), Request{
				Origin: origin, Words: "tidy my notes",
				Task: &Task{Kind: "script", Limits: run.Limits{MaxSteps: 12, MaxWallTime: 90 * time.Second, MaxFailures: 3, MaxNoOps: 3}, ContinueDenied: true},
			})
			if err != nil || r.Status != trace.NeedsApproval || r.Draft == nil || r.Draft.Actions[0].ActionID != "c4" {
				t.Fatalf("%+v, %v", r, err)
			}
			rule := "floor.apply_boundary"
			if origin == plan.UserGoal {
				rule = "rules[0]"
			}
			want := []string{"c1 done ", "c2 denied rules[0]", "c3 denied " + rule}
			if !slices.Equal(seen, want) {
				t.Errorf("the planner saw %q, want %q", seen, want)
			}
			if rec, err := first.store.Record(t.Context(), r.RunID); err != nil || rec.Status != trace.NeedsApproval || rec.DraftID != r.DraftID {
				t.Errorf("recorded: %+v, %v", rec.Run, err)
			}
			for _, s := range r.Steps {
				if s.Status == trace.Denied && s.Error.Class != tool.PolicyDenied {
					t.Errorf("%s is denied as %s", s.ToolName, s.Error.Class)
				}
			}

			must.Succeed(t, first.store.Close())
			other := open(t, home, planner) // another program, later
			seen = nil
			r, err = other.Approve(t.Context(), ApproveRequest{ID: r.DraftID})
			if err != nil || r.Status != trace.Done || i18n.English().Text(r.Answer) != "all of it is done" {
				t.Fatalf("after the approval: %+v, %v", r, err)
			}
			if want := []string{"c4 done ", "c5 done "}; !slices.Equal(seen, want) {
				t.Errorf("the planner saw %q, want %q", seen, want)
			}
			if got := slices.Concat(first.calls.names, other.calls.names); !slices.Equal(got, []string{"note.read", "note.write", "note.read"}) {
				t.Errorf("called %q", got)
			}
			d, err := other.drafts.ShowDraft(t.Context(), r.DraftID)
			if err != nil || d.State != approval.StateApplied {
				t.Errorf("draft %s, %v", d.State, err)
			}
			rec, err := other.store.Record(t.Context(), r.RunID)
			if err != nil || rec.Status != trace.Done || !rec.Answer.Equal(r.Answer) || rec.Goal != "tidy my notes" {
				t.Errorf("recorded: %+v, %v", rec.Run, err)
			}
		})
	}
}

func TestTask(t *testing.T) {
	says := func(yes bool) func(context.Context, drafts.View) (drafts.Answer, error) {
		return func(context.Context, drafts.View) (drafts.Answer, error) { return drafts.Answer{Yes: yes}, nil }
	}
	tests := []struct {
		name   string
		calls  []string
		r      Request
		task   Task
		status trace.Status
		stop   trace.StopReason
		seen   string
		made   string
	}{
		{"a denied call ends the run", []string{"note.burn", "note.read"}, Request{}, Task{}, trace.Denied, trace.StopPolicyDenied, "", ""},
		{"a pending call is handed back", []string{"note.write", "note.read"}, Request{}, Task{ContinuePending: true}, trace.Done, trace.StopCompleted, "c1 needs_approval needs_approval, c2 done ", "note.read"},
		{"approved at once", []string{"note.write", "note.read"}, Request{Approve: says(true)}, Task{}, trace.Done, trace.StopCompleted, "c1 done , c2 done ", "note.write, note.read"},
		{"approved in advance", []string{"note.write", "note.write"}, Request{Yes: true}, Task{}, trace.Done, trace.StopCompleted, "c1 done , c2 done ", "note.write, note.write"},
		{"rejected", []string{"note.write", "note.read"}, Request{Approve: says(false)}, Task{}, trace.Cancelled, trace.StopCancelled, "", ""},
		{"rejected and handed back", []string{"note.write", "note.read"}, Request{Approve: says(false)}, Task{ContinueDenied: true}, trace.Done, trace.StopCompleted, "c1 denied rejected, c2 done ", "note.read"},
		{"too many steps", []string{"note.read", "note.read", "note.read"}, Request{}, Task{Limits: run.Limits{MaxSteps: 2}}, trace.Failed, trace.StopMaxSteps, "c1 done ", "note.read, note.read"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var seen []string
			p := open(t, t.TempDir(), script{tt.calls, &seen})
			tt.r.Origin, tt.r.Words, tt.r.Task = plan.Agent, "tidy my notes", &tt.task
			r, err := p.Start(t.Context(), tt.r)
			if err != nil || r.Status != tt.status || r.StopReason != tt.stop {
				t.Errorf("%s, %s, %v, %v; want %s, %s", r.Status, r.StopReason, r.Error, err, tt.status, tt.stop)
			}
			if got := strings.Join(seen, ", "); got != tt.seen {
				t.Errorf("the planner saw %q, want %q", got, tt.seen)
			}
			if got := strings.Join(p.calls.names, ", "); got != tt.made {
				t.Errorf("called %q, want %q", got, tt.made)
			}
		})
	}
}

// TestTaskWithoutPlanner checks that a program without the task's planner reports that before it
// calls anything, and that the draft still waits.
func TestTaskWithoutPlanner(t *testing.T) {
	home, seen := t.TempDir(), []string{}
	p := open(t, home, script{[]string{"note.write"}, &seen})
	r, err := p.Start(t.Context(), Request{Origin: plan.MCP, Words: "tidy my notes", Task: &Task{Kind: "script"}})
	if err != nil || r.Status != trace.NeedsApproval {
		t.Fatalf("%+v, %v", r, err)
	}
	must.Succeed(t, p.store.Close())
	other := open(t, home, nil)
	if _, err := other.Approve(t.Context(), ApproveRequest{ID: r.DraftID}); tool.AsError(err).Code != CodeNoPlanner || len(other.calls.names) > 0 {
		t.Errorf("approved: %v, called %q", err, other.calls.names)
	}
	if _, err := other.Start(t.Context(), Request{Origin: plan.MCP, Words: "tidy", Task: &Task{Kind: "script"}}); tool.AsError(err).Code != CodeNoPlanner {
		t.Errorf("started: %v", err)
	}
	if d, err := other.drafts.ShowDraft(t.Context(), r.DraftID); err != nil || d.State != approval.StateDraft {
		t.Errorf("draft %s, %v", d.State, err)
	}
}

// TestOriginIsCarried checks that policy gets the origin of the request for goals and plans.
func TestOriginIsCarried(t *testing.T) {
	for _, origin := range plan.Origins() {
		p := open(t, t.TempDir(), nil)
		var asked []plan.Origin
		decide := p.o.Decide
		p.o.Decide = func(r policy.Request) policy.Decision { asked = append(asked, r.Origin); return decide(r) }
		made, err := plan.New(plan.Content{
			Origin: origin, Language: "en", Inputs: plan.Inputs{RawText: "read a note"}, GoalAchievedBy: "a1",
			Actions: []plan.Action{{ActionID: "a1", Tool: "note.read", Args: map[string]any{}, Confidence: 1, RiskLevel: plan.Low}},
		})
		must.Succeed(t, err)
		if origin == plan.UserGoal {
			for _, other := range append(plan.Origins()[1:], "") {
				if _, err := p.Start(t.Context(), Request{Origin: other, Plan: &Plan{Plan: made}}); tool.AsError(err).Code != "unknown_origin" {
					t.Errorf("a plan of the user's was run for %q: %v", other, err)
				}
			}
		}
		r, err := p.Start(t.Context(), Request{Origin: origin, Plan: &Plan{Plan: made}})
		if err != nil || r.Status != trace.Done || len(asked) == 0 || slices.ContainsFunc(asked, func(o plan.Origin) bool { return o != origin }) {
			t.Errorf("a plan of %s: %s, %v, asked as %v, %v", origin, r.Status, r.Error, asked, err)
		}
	}
}
