package desktop

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"errand/app/core"
	"errand/host/tool"
	"errand/host/trace"
	"errand/policy"
)

func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

func TestRunTellsWhatHappensInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		engine, face := litmusEngine(t, policy.Allow), &fakeFace{}
		engine.carryOut = func(_ context.Context, r core.RunRequest) (core.Report, error) {
			engine.tellPlanned(r)
			r.Progress(started(runID))
			for range 100 { // a burst
				r.Progress(core.Progress{RunID: runID, Kind: "connection", Data: map[string]any{"host": "youtube.com", "verdict": "allow"}})
			}
			time.Sleep(2 * connectionsEvery)
			r.Progress(finished(runID))
			report := engine.report(trace.Done)
			report.Steps, report.Answer = []trace.Step{stepDone()}, "nvidia - YouTube"
			return report, nil
		}
		api := New(engine, face, Boot{})
		if _, err := api.Plan(Goal{Text: litmus}); err != nil {
			t.Fatal(err)
		}
		begun, err := api.Run(RunAsk{Goal: Goal{Text: litmus}})
		if err != nil {
			t.Fatal(err)
		}
		if begun.RunID != runID || begun.Text != litmus || face.heard()[0].Run.Plan.Steps[0].Verdict != "allow" {
			t.Errorf("begun = %+v", begun)
		}
		<-api.latest().done
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
		if last.Connections.Allowed != 100 || last.Plan.Steps[0].Page.Title != "nvidia - YouTube" || last.Answer == "" {
			t.Errorf("the last event does not hold the whole: %+v", last)
		}
		whole, err := api.Get(runID)
		if err != nil || whole.Seq != last.Seq {
			t.Errorf("Get = seq %d, %v; want %d", whole.Seq, err, last.Seq)
		}
	})
}

func TestApprovalHoldsForThePlanThatWasShown(t *testing.T) {
	tests := []struct {
		name     string
		approved func(shown string) string
		want     bool
		wantErr  bool
	}{
		{"nobody approved", func(string) string { return "" }, false, false},
		{"this plan", func(shown string) string { return shown }, true, false},
		{"another plan", func(string) string { return "another" }, false, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			engine := litmusEngine(t, policy.Ask)
			var got bool
			var gotErr error
			engine.carryOut = func(ctx context.Context, r core.RunRequest) (core.Report, error) {
				engine.tellPlanned(r)
				if r.Approve != nil { // nil: nobody can be asked
					made, _ := engine.result.Plan()
					var answer core.Answer
					answer, gotErr = r.Approve(ctx, core.DraftView{PlanDigest: made.Digest()})
					got = answer.Yes
				}
				if r.Yes {
					t.Error("the window never approves everything")
				}
				return engine.report(trace.NeedsApproval), nil
			}
			api := New(engine, &fakeFace{}, Boot{})
			shown, err := api.Plan(Goal{Text: litmus})
			if err != nil || shown.Gate != GateAsks {
				t.Fatalf("gate %q, %v", shown.Gate, err)
			}
			if _, err := api.Run(RunAsk{Goal: Goal{Text: litmus}, Approved: tt.approved(shown.Digest)}); err != nil {
				t.Fatal(err)
			}
			<-api.latest().done
			if got != tt.want || (gotErr != nil) != tt.wantErr {
				t.Errorf("approve = %v, %v", got, gotErr)
			}
		})
	}
}

func TestOneRunAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		engine := litmusEngine(t, policy.Allow)
		engine.carryOut = func(ctx context.Context, r core.RunRequest) (core.Report, error) {
			engine.tellPlanned(r)
			<-ctx.Done()
			return engine.report(trace.Interrupted), nil
		}
		api := New(engine, &fakeFace{}, Boot{})
		if _, err := api.Run(RunAsk{Goal: Goal{Text: litmus}}); err != nil {
			t.Fatal(err)
		}
		if boot, _ := api.Start(); boot.Active != runID {
			t.Errorf("a page that is loaded again is told of %q", boot.Active)
		}
		if _, err := api.Run(RunAsk{Goal: Goal{Text: litmus}}); failureOf(err).Code != "run_active" {
			t.Errorf("a second run: %v", err)
		}
		if err := api.Stop(); err != nil {
			t.Fatal(err)
		}
		<-api.latest().done
		if v, _ := api.Get(runID); v.Status != "interrupted" {
			t.Errorf("status %q after a stop", v.Status)
		}
		if _, err := api.Run(RunAsk{Goal: Goal{Text: litmus}}); err != nil {
			t.Errorf("a run after one that was stopped: %v", err)
		}
		_ = api.Stop()
	})
}

func TestProgramThatCouldNotRunSaysWhy(t *testing.T) {
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
			engine.carryOut = func(_ context.Context, r core.RunRequest) (core.Report, error) {
				if tt.planned {
					engine.tellPlanned(r)
				}
				return core.Report{}, errors.New("disk full")
			}
			api := New(engine, &fakeFace{}, Boot{})
			v, err := api.Run(RunAsk{Goal: Goal{Text: litmus}})
			if (err != nil) != tt.wantErr {
				t.Fatalf("error %v", err)
			}
			<-api.latest().done
			if tt.planned {
				v, _ = api.Get(runID)
				if v.Status != "failed" || v.Error == nil || v.Error.Message != "disk full" {
					t.Errorf("run = %+v", v)
				}
			}
		})
	}
}

// TestManyAtOnceAreApprovedTwice: the second yes to the very same plan confirms
// the number that the first one was answered with.
func TestManyAtOnceAreApprovedTwice(t *testing.T) {
	engine := litmusEngine(t, policy.Ask)
	made, _ := engine.result.Plan()
	var got []int
	engine.carryOut = func(ctx context.Context, r core.RunRequest) (core.Report, error) {
		engine.tellPlanned(r)
		answer, err := r.Approve(ctx, core.DraftView{PlanDigest: made.Digest(), Confirm: 5})
		if err != nil || !answer.Yes {
			t.Errorf("answer %+v, %v", answer, err)
		}
		got = append(got, answer.Confirm)
		report := engine.report(trace.NeedsApproval)
		if answer.Confirm != 5 {
			report.Error = tool.Errorf(tool.PolicyDenied, core.CodeConfirm, "5 at once")
		}
		return report, nil
	}
	api := New(engine, &fakeFace{}, Boot{})
	for range 3 {
		if _, err := api.Run(RunAsk{Goal: Goal{Text: litmus}, Approved: made.Digest()}); err != nil {
			t.Fatal(err)
		}
		<-api.latest().done
	}
	if !slices.Equal(got, []int{0, 5, 0}) { // the third is a first one again
		t.Errorf("confirmed %v", got)
	}
}
