package desktop

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"errand/app/desktop/live"
	"errand/app/desktop/view"
	"errand/app/drafts"
	"errand/app/runs"
	"errand/build/must"
	"errand/host/run"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

func TestRunEventOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		engine, face := litmusEngine(t, policy.Allow), &fakeFace{}
		engine.startWish = func(_ context.Context, r runs.Request) (runs.Report, error) {
			engine.tellPlanned(r)
			r.Progress(started(runID))
			for range 100 { // a burst
				r.Progress(runs.Progress{RunID: runID, Event: runs.NoteEvent{Note: trace.ConnectionNote{Host: "youtube.com", Verdict: "allow"}}})
			}
			time.Sleep(3*live.SendEvery + time.Millisecond)
			r.Progress(finished(runID))
			report := engine.report(trace.Done)
			report.Steps, report.Answer = []trace.Step{stepDone()}, message.Verbatim("nvidia - YouTube")
			return report, nil
		}
		api := opened(t, engine, face)
		if _, err := api.Plan(view.Goal{Text: litmus}); err != nil {
			t.Fatal(err)
		}
		begun, err := api.Run(view.RunAsk{Goal: view.Goal{Text: litmus}})
		must.Succeed(t, err)
		if begun.RunID != runID || begun.Text != litmus || face.heard()[0].Run.Plan.Steps[0].Verdict != "allow" {
			t.Errorf("begun = %+v", begun)
		}
		<-api.latest().Done()
		synctest.Wait()

		var kinds []string
		for i, e := range face.heard() {
			if e.Seq != i+1 || e.RunID != runID {
				t.Errorf("event %d has seq %d of run %q", i, e.Seq, e.RunID)
			}
			switch {
			case e.Run != nil:
				kinds = append(kinds, "run:"+e.Run.Status)
			case len(e.Steps) > 0:
				kinds = append(kinds, "step:"+e.Steps[0].Status)
			case e.Connections != nil:
				kinds = append(kinds, "connections")
			}
		}
		want := []string{"run:running", "step:running", "connections", "step:done", "run:done"}
		if !slices.Equal(kinds, want) {
			t.Errorf("events %v, want %v", kinds, want)
		}
		last := face.heard()[len(kinds)-1].Run
		if last.Connections.Allowed != 100 || last.Plan.Steps[0].Page.Title != "nvidia - YouTube" || last.Answer.IsZero() {
			t.Errorf("the last event does not hold the whole: %+v", last)
		}
		whole, err := api.Get(runID)
		if err != nil || whole.Seq != last.Seq {
			t.Errorf("Get = seq %d, %v; want %d", whole.Seq, err, last.Seq)
		}
	})
}

func TestApprovalIsBoundToShownPlan(t *testing.T) {
	tests := []struct {
		name     string
		approved func(shown string) string
		moves    bool // the world has changed since: it is another plan now
		want     bool
		wantErr  string
	}{
		{"nobody approved", func(string) string { return "" }, false, false, ""},
		{"this plan", func(shown string) string { return shown }, false, true, ""},
		{"another plan", func(string) string { return "another" }, false, false, "plan_changed"},
		{"this plan, which is another by now", func(shown string) string { return shown }, true, false, "plan_changed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			engine := litmusEngine(t, policy.Ask)
			var got bool
			var gotErr error
			engine.startWish = func(ctx context.Context, r runs.Request) (runs.Report, error) {
				engine.tellPlanned(r)
				if r.Approve != nil { // nil: the user can't be asked
					made, _ := engine.result.Plan()
					var answer drafts.Answer
					answer, gotErr = r.Approve(ctx, drafts.View{OwnDigest: made.Digest()})
					got = answer.Yes
				}
				if r.Yes {
					t.Error("the window never approves everything")
				}
				return engine.report(trace.NeedsApproval), nil
			}
			api := opened(t, engine, &fakeFace{})
			shown, err := api.Plan(view.Goal{Text: litmus})
			if err != nil || shown.Gate != view.GateAsks {
				t.Fatalf("gate %q, %v", shown.Gate, err)
			}
			if tt.moves {
				engine.result = longEngine(t, 2).result
			}
			_, err = api.Run(view.RunAsk{Goal: view.Goal{Text: litmus}, Approved: tt.approved(shown.Digest)})
			<-api.latest().Done()
			if err == nil {
				err = gotErr
			}
			code := ""
			if f := view.FailureOf(err); f != nil {
				code = f.Code
			}
			if got != tt.want || code != tt.wantErr {
				t.Errorf("approve = %v, %v", got, err)
			}
		})
	}
}

func TestOneRunAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		engine := litmusEngine(t, policy.Allow)
		engine.startWish = func(ctx context.Context, r runs.Request) (runs.Report, error) {
			engine.tellPlanned(r)
			<-ctx.Done()
			return engine.report(trace.Interrupted), nil
		}
		api := opened(t, engine, &fakeFace{})
		if _, err := api.Run(view.RunAsk{Goal: view.Goal{Text: litmus}}); err != nil {
			t.Fatal(err)
		}
		if boot, _ := api.Start(nil); boot.Active != runID {
			t.Errorf("a page that is loaded again is told of %q", boot.Active)
		}
		if _, err := api.Run(view.RunAsk{Goal: view.Goal{Text: litmus}}); view.FailureOf(err).Code != "run_active" {
			t.Errorf("a second run: %v", err)
		}
		must.Succeed(t, api.Stop())
		<-api.latest().Done()
		if v, _ := api.Get(runID); v.Status != "interrupted" {
			t.Errorf("status %q after a stop", v.Status)
		}
		if _, err := api.Run(view.RunAsk{Goal: view.Goal{Text: litmus}}); err != nil {
			t.Errorf("a run after one that was stopped: %v", err)
		}
		_ = api.Stop()
	})
}

func TestStartErrorMessage(t *testing.T) {
	tests := []struct {
		name    string
		planned bool // the failure came after the plan
		wantErr bool
	}{
		{"before there was a run", false, true},
		{"in the middle", true, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			engine := litmusEngine(t, policy.Allow)
			engine.startWish = func(_ context.Context, r runs.Request) (runs.Report, error) {
				if tt.planned {
					engine.tellPlanned(r)
				}
				return runs.Report{}, errors.New("disk full")
			}
			api := opened(t, engine, &fakeFace{})
			v, err := api.Run(view.RunAsk{Goal: view.Goal{Text: litmus}})
			if (err != nil) != tt.wantErr {
				t.Fatalf("error %v", err)
			}
			<-api.latest().Done()
			if tt.planned {
				v, _ = api.Get(runID)
				if v.Status != "failed" || v.Error == nil || v.Error.Message.String() != "disk full" {
					t.Errorf("run = %+v", v)
				}
			}
		})
	}
}

// TestConfirmByNumber checks that the approval carries the number that the user saw, and that the
// program compares it with its own.
func TestConfirmByNumber(t *testing.T) {
	engine := litmusEngine(t, policy.Ask)
	engine.confirm = 5
	var got int
	engine.startWish = func(ctx context.Context, r runs.Request) (runs.Report, error) {
		engine.tellPlanned(r)
		made, _ := engine.result.Plan()
		answer, err := r.Approve(ctx, drafts.View{OwnDigest: made.Digest(), Confirm: 5})
		got = answer.Confirm
		return engine.report(trace.Done), err
	}
	api := opened(t, engine, &fakeFace{})
	shown, err := api.Plan(view.Goal{Text: litmus})
	if err != nil || shown.Confirm != 5 {
		t.Fatalf("confirm %d, %v", shown.Confirm, err)
	}
	if _, err := api.Run(view.RunAsk{Goal: view.Goal{Text: litmus}, Approved: shown.Digest, Confirm: shown.Confirm}); err != nil {
		t.Fatal(err)
	}
	<-api.latest().Done()
	if got != 5 {
		t.Errorf("confirmed %d", got)
	}
}

// TestLongRunPages checks that 5,000 steps in a row cause at most 20 events a second, and that
// the page gets every step in the end.
func TestLongRunPages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const many = 5000
		engine, face := longEngine(t, many), &fakeFace{}
		engine.startWish = func(_ context.Context, r runs.Request) (runs.Report, error) {
			engine.tellPlanned(r)
			for i := range many {
				s := trace.Step{RunID: runID, StepID: fmt.Sprintf("a%d", i+1), Status: trace.Done}
				r.Progress(runs.Progress{RunID: runID, Event: runs.StepEvent{Event: run.Event{Kind: run.StepFinished, RunID: runID, ActionID: s.StepID, Step: &s}}})
				time.Sleep(time.Millisecond)
			}
			time.Sleep(time.Second)
			return engine.report(trace.Done), nil
		}
		api := opened(t, engine, face)
		began := time.Now()
		v, err := api.Run(view.RunAsk{Goal: view.Goal{Text: litmus}})
		if err != nil || len(v.Plan.Steps) != view.MaxPlanSteps || v.Plan.Total != many || v.Counts.Total != many {
			t.Fatalf("%d steps of %d, %v", len(v.Plan.Steps), v.Plan.Total, err)
		}
		<-api.latest().Done()
		events := face.heard()
		if most := int(time.Since(began)/live.SendEvery) + 3; len(events) > most {
			t.Errorf("%d events in %v", len(events), time.Since(began))
		}
		heard := map[string]bool{}
		for i, e := range events {
			if e.Seq != i+1 {
				t.Fatalf("event %d has number %d", i, e.Seq)
			}
			for _, s := range e.Steps {
				heard[s.ActionID] = heard[s.ActionID] || s.Status == "done"
			}
		}
		if len(heard) != many {
			t.Errorf("the page has heard of %d steps", len(heard))
		}
		page, err := api.Steps(view.StepsAsk{RunID: runID, From: 4990, Limit: 100})
		if err != nil || len(page.Steps) != 10 || page.Total != many || page.Steps[0].Index != 4990 || page.Steps[9].Status != "done" {
			t.Errorf("the last steps: %d of %d, %v", len(page.Steps), page.Total, err)
		}
		for _, ask := range []view.StepsAsk{{RunID: runID, From: -5, Limit: 3}, {RunID: runID, From: 6000, Limit: 3}, {RunID: runID, From: 0, Limit: -1}, {RunID: runID, From: 0, Limit: 10_000}} {
			page, err := api.Steps(ask)
			if err != nil || page.Steps == nil || len(page.Steps) > view.MaxSteps {
				t.Errorf("%+v: %d steps, %v", ask, len(page.Steps), err)
			}
		}
	})
}

// longEngine plans the litmus goal with a number of steps.
func longEngine(t testing.TB, many int) *fakeEngine {
	t.Helper()
	engine := litmusEngine(t, policy.Allow)
	c := plan.Content{Origin: plan.UserGoal, Language: "en", Inputs: plan.Inputs{RawText: litmus}, GoalAchievedBy: "a1"}
	for i := range many {
		c.Actions = append(c.Actions, plan.Action{
			ActionID: fmt.Sprintf("a%d", i+1), Tool: "text.upper", Args: map[string]any{"n": i}, Preview: message.Verbatim("One more"), Confidence: 1, RiskLevel: plan.Low, ReadOnly: true,
		})
	}
	p, err := plan.New(c)
	must.Succeed(t, err)
	result := plan.NewSuccess(p, plan.Proof{Kind: plan.ByCuts})
	engine.result, engine.verdicts = &result, nil
	return engine
}

// TestLongPlanPages checks the same for a plan before its approval.
func TestLongPlanPages(t *testing.T) {
	const many = 450
	api := opened(t, longEngine(t, many), &fakeFace{})
	shown, err := api.Plan(view.Goal{Text: litmus})
	if err != nil || len(shown.Steps) != view.MaxPlanSteps || shown.Total != many {
		t.Fatalf("%d steps of %d, %v", len(shown.Steps), shown.Total, err)
	}
	seen := shown.Steps
	for len(seen) < many {
		page, err := api.PlanSteps(view.PlanStepsAsk{Digest: shown.Digest, From: len(seen), Limit: view.MaxPlanSteps})
		if err != nil || len(page.Steps) == 0 || page.Total != many {
			t.Fatalf("after %d: %d steps of %d, %v", len(seen), len(page.Steps), page.Total, err)
		}
		seen = append(seen, page.Steps...)
	}
	for i, s := range seen {
		if s.Index != i || s.ActionID != fmt.Sprintf("a%d", i+1) {
			t.Fatalf("step %d is %s with index %d", i, s.ActionID, s.Index)
		}
	}
	for _, digest := range []string{"", "another"} {
		if _, err := api.PlanSteps(view.PlanStepsAsk{Digest: digest, From: 0, Limit: 10}); view.FailureOf(err) == nil || view.FailureOf(err).Code != "plan_changed" {
			t.Errorf("steps of the plan %q: %v", digest, err)
		}
	}
}

func TestNotifyRunEnd(t *testing.T) {
	for _, looking := range []bool{true, false} {
		face := &fakeFace{}
		api := opened(t, litmusEngine(t, policy.Allow), face)
		must.Succeed(t, api.Attend(looking))
		if _, err := api.Run(view.RunAsk{Goal: view.Goal{Text: litmus}}); err != nil {
			t.Fatal(err)
		}
		<-api.latest().Finished()
		if told := len(face.notices) == 1; told == looking {
			t.Errorf("looking %v: notices %+v", looking, face.notices)
		}
	}
}

func TestRunEndListsPendingDrafts(t *testing.T) {
	engine := litmusEngine(t, policy.Allow)
	engine.left = 3
	api := opened(t, engine, &fakeFace{})
	if _, err := api.Run(view.RunAsk{Goal: view.Goal{Text: litmus}}); err != nil {
		t.Fatal(err)
	}
	<-api.latest().Done()
	if v, err := api.Get(runID); err != nil || v.Processes != 3 {
		t.Errorf("%d processes are left, %v", v.Processes, err)
	}
}
