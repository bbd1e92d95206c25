package runs

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"errand/app/drafts"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy/approval"
)

// erased is the forecast of a call that destroys a note permanently.
var erased = tool.Forecast{Destroys: []string{"note"}, Count: 1, Identity: "it"}

// notesPlan is a plan of independent calls of note tools.
func notesPlan(t *testing.T, tools ...string) *Plan {
	t.Helper()
	c := plan.Content{
		Origin: plan.UserGoal, Language: "en", Domain: "mixed", Summary: message.Verbatim("notes"), Inputs: plan.Inputs{RawText: "notes"},
		GoalAchievedBy: fmt.Sprint("a", len(tools)),
	}
	for i, name := range tools {
		c.Actions = append(c.Actions, plan.Action{
			ActionID: fmt.Sprint("a", i+1), Tool: name, Args: map[string]any{}, Confidence: 1, RiskLevel: plan.Low, Preview: message.Verbatim(name),
			IdempotencyScope: fmt.Sprint(name, i),
		})
	}
	made, err := plan.New(c)
	must.Succeed(t, err)
	return &Plan{Plan: made}
}

func codeOf(e *tool.Error) string {
	if e == nil {
		return ""
	}
	return e.Code
}

// TestDestructiveAmongOthers runs plans with calls that destroy something permanently. An
// approval of all covers such a call only if it is the whole plan.
func TestDestructiveAmongOthers(t *testing.T) {
	confirm := func(ids ...string) func(context.Context, drafts.View) (drafts.Answer, error) {
		return func(context.Context, drafts.View) (drafts.Answer, error) {
			return drafts.Answer{Yes: true, Confirmed: ids}, nil
		}
	}
	inTrash := erased
	inTrash.Reversible = true
	nothing := tool.Forecast{Reversible: true}
	tests := []struct {
		name     string
		tools    []string
		forecast tool.Forecast
		request  Request
		calls    []string
		status   trace.Status
		waits    []string // for a confirmation of their own
	}{
		{"--yes", []string{"note.write", "note.erase"}, erased, Request{Yes: true}, []string{"note.write"}, trace.NeedsApproval, []string{"a2"}},
		{"the destructive one first", []string{"note.erase", "note.write"}, erased, Request{Yes: true}, []string{"note.write"}, trace.NeedsApproval, []string{"a1"}},
		{"two of three", []string{"note.erase", "note.write", "note.delete"}, erased, Request{Yes: true}, []string{"note.write"}, trace.NeedsApproval, []string{"a1", "a3"}},
		{"only destructive ones", []string{"note.erase", "note.delete"}, erased, Request{Yes: true}, nil, trace.NeedsApproval, []string{"a1", "a2"}},
		{"a call that only reads beside it", []string{"note.read", "note.erase"}, erased, Request{Yes: true}, []string{"note.read"}, trace.NeedsApproval, []string{"a2"}},
		{"without a forecast", []string{"note.write", "note.delete"}, erased, Request{Yes: true}, []string{"note.write"}, trace.NeedsApproval, []string{"a2"}},
		{"it can be undone", []string{"note.write", "note.erase"}, inTrash, Request{Yes: true}, []string{"note.write", "note.erase"}, trace.Done, nil},
		{"it destroys nothing", []string{"note.write", "note.erase"}, nothing, Request{Yes: true}, []string{"note.write", "note.erase"}, trace.Done, nil},
		{"a plugin that says that it can be undone", []string{"note.write", "note.tidy"}, nothing, Request{Yes: true}, []string{"note.write"}, trace.NeedsApproval, []string{"a2"}},
		{"a plugin that foresees nothing bad", []string{"note.write", "note.foresee"}, nothing, Request{Yes: true}, []string{"note.write"}, trace.NeedsApproval, []string{"a2"}},
		{"a plugin beside a call that only reads", []string{"note.read", "note.tidy"}, nothing, Request{Yes: true}, []string{"note.read"}, trace.NeedsApproval, []string{"a2"}},
		{"the user confirms the plugin's call", []string{"note.write", "note.tidy"}, nothing, Request{Approve: confirm("a2")}, []string{"note.write", "note.tidy"}, trace.Done, nil},
		{"a plugin's call alone", []string{"note.tidy"}, nothing, Request{Yes: true}, []string{"note.tidy"}, trace.Done, nil},
		{"alone", []string{"note.erase"}, erased, Request{Yes: true}, []string{"note.erase"}, trace.Done, nil},
		{"the user approves the whole", []string{"note.write", "note.erase"}, erased, Request{Approve: confirm()}, []string{"note.write"}, trace.NeedsApproval, []string{"a2"}},
		{"the user confirms it", []string{"note.write", "note.erase"}, erased, Request{Approve: confirm("a2")}, []string{"note.write", "note.erase"}, trace.Done, nil},
		{"the user confirms another", []string{"note.write", "note.erase"}, erased, Request{Approve: confirm("a1")}, []string{"note.write"}, trace.NeedsApproval, []string{"a2"}},
		{"a rehearsal of --yes", []string{"note.write", "note.erase"}, erased, Request{Yes: true, DryRun: true}, nil, trace.NeedsApproval, nil},
		{"a rehearsal of --yes, and it can be undone", []string{"note.write", "note.erase"}, inTrash, Request{Yes: true, DryRun: true}, nil, trace.Done, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := open(t, t.TempDir(), nil)
			p.state.forecast = tt.forecast
			tt.request.Origin, tt.request.Plan = plan.UserGoal, notesPlan(t, tt.tools...)
			report, err := p.Start(t.Context(), tt.request)
			slices.Sort(p.calls.names)
			slices.Sort(tt.calls)
			if err != nil || report.Status != tt.status || !slices.Equal(p.calls.names, tt.calls) {
				t.Fatalf("%s after calls of %v (%v, %v), want %s after %v", report.Status, p.calls.names, report.Error, err, tt.status, tt.calls)
			}
			if tt.waits == nil {
				return
			}
			if codeOf(report.Error) != drafts.CodeUnconfirmed || report.Draft == nil || !slices.Equal(report.Draft.Destructive, tt.waits) {
				t.Fatalf("error %v, draft %+v, want %v to wait", report.Error, report.Draft, tt.waits)
			}
			command := fmt.Sprint(report.Error.Hint.Params["command"])
			if want := "errand approve " + report.DraftID + " " + strings.Join(tt.waits, " "); command != want {
				t.Errorf("the hint is %q, want %q", command, want)
			}
		})
	}
}

// TestApproveDestructive approves drafts with a call that destroys something permanently.
func TestApproveDestructive(t *testing.T) {
	write, erase := []string{"note.write"}, []string{"note.erase"}
	both := []string{"note.write", "note.erase"}
	tests := []struct {
		name   string
		asked  []ApproveRequest
		calls  []string
		status trace.Status
		code   string
		state  approval.State
	}{
		{"all", []ApproveRequest{{}}, write, trace.NeedsApproval, drafts.CodeUnconfirmed, approval.StateDraft},
		{"all, twice", []ApproveRequest{{}, {}}, write, trace.NeedsApproval, drafts.CodeUnconfirmed, approval.StateDraft},
		{"all, and then it", []ApproveRequest{{}, {Actions: []string{"a2"}, Confirmed: []string{"a2"}}}, both, trace.Done, "", approval.StateApplied},
		{"all, and then the rest with it", []ApproveRequest{{}, {Confirmed: []string{"a2"}}}, both, trace.Done, "", approval.StateApplied},
		{"all with it", []ApproveRequest{{Confirmed: []string{"a2"}}}, both, trace.Done, "", approval.StateApplied},
		{"chosen and not confirmed", []ApproveRequest{{Actions: []string{"a2"}}}, nil, trace.NeedsApproval, drafts.CodeUnconfirmed, approval.StateDraft},
		{"both chosen and not confirmed", []ApproveRequest{{Actions: []string{"a1", "a2"}}}, nil, trace.NeedsApproval, drafts.CodeUnconfirmed, approval.StateDraft},
		{"it alone", []ApproveRequest{{Actions: []string{"a2"}, Confirmed: []string{"a2"}}}, erase, trace.NeedsApproval, "", approval.StateDraft},
		{"the other alone", []ApproveRequest{{Actions: []string{"a1"}}}, write, trace.NeedsApproval, "", approval.StateDraft},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := open(t, t.TempDir(), nil)
			p.state.forecast = erased
			report, err := p.Start(t.Context(), Request{Origin: plan.UserGoal, Plan: notesPlan(t, both...)})
			if err != nil || report.Draft == nil {
				t.Fatalf("%+v, %v", report, err)
			}
			id := report.DraftID
			for _, r := range tt.asked {
				r.ID = id
				if report, err = p.Approve(t.Context(), r); err != nil {
					t.Fatal(err)
				}
			}
			slices.SortStableFunc(p.calls.names, func(a, b string) int { return strings.Compare(b, a) }) // both may be made at once
			d, err := p.drafts.ShowDraft(t.Context(), id)
			if err != nil || report.Status != tt.status || codeOf(report.Error) != tt.code || !slices.Equal(p.calls.names, tt.calls) || d.State != tt.state {
				t.Errorf("%s (%v) after calls of %v, draft %s (%v); want %s (%s) after %v, draft %s",
					report.Status, report.Error, p.calls.names, d.State, err, tt.status, tt.code, tt.calls, tt.state)
			}
		})
	}
}

// TestResumeDestructive checks that resuming with --yes covers no destructive call among others.
func TestResumeDestructive(t *testing.T) {
	p := open(t, t.TempDir(), nil)
	p.state.forecast = erased
	report, err := p.Start(t.Context(), Request{Origin: plan.UserGoal, Plan: notesPlan(t, "note.write", "note.erase")})
	must.Succeed(t, err)
	for i := range 2 {
		again, err := p.Resume(t.Context(), ResumeRequest{ID: report.RunID, Yes: true})
		if want := 3 * (i + 1); p.used != want {
			t.Errorf("attempt %d goes on with %d requests, want %d", i+2, p.used, want)
		}
		if err != nil || again.Status != trace.NeedsApproval || codeOf(again.Error) != drafts.CodeUnconfirmed || !slices.Equal(p.calls.names, []string{"note.write"}) {
			t.Fatalf("%s (%v, %v) after calls of %v", again.Status, again.Error, err, p.calls.names)
		}
	}
	again, err := p.Resume(t.Context(), ResumeRequest{ID: report.RunID, Approve: func(context.Context, drafts.View) (drafts.Answer, error) {
		return drafts.Answer{Yes: true, Confirmed: []string{"a2"}}, nil
	}})
	if err != nil || again.Status != trace.Done || !slices.Equal(p.calls.names, []string{"note.write", "note.erase"}) {
		t.Errorf("confirmed: %s (%v, %v) after calls of %v", again.Status, again.Error, err, p.calls.names)
	}
}

// TestCallBecomesDestructive checks that a call is not made if it could be undone when it was
// approved and can't be undone any more.
func TestCallBecomesDestructive(t *testing.T) {
	for _, tools := range [][]string{{"note.write", "note.erase"}, {"note.erase"}} {
		p := open(t, t.TempDir(), nil)
		p.state.forecast = erased
		p.state.forecast.Reversible = true
		report, err := p.Start(t.Context(), Request{Origin: plan.UserGoal, Plan: notesPlan(t, tools...), Yes: true, Progress: func(e Progress) {
			if _, approved := e.Event.(DraftEvent); approved {
				p.state.forecast.Reversible = false // for example because the trash is full
			}
		}})
		if err != nil || report.Status != trace.NeedsApproval || slices.Contains(p.calls.names, "note.erase") {
			t.Errorf("%v: %s (%v, %v) after calls of %v", tools, report.Status, report.Error, err, p.calls.names)
		}
	}
}
