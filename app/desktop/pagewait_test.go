package desktop

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"errand/app/core"
	"errand/host/trace"
	"errand/policy"
)

// TestAPageThatWaitsForAPersonIsShownUntilItNoLongerDoes: the page is told at
// once, with how long the run waits; who looks elsewhere is called.
func TestAPageThatWaitsForAPersonIsShownUntilItNoLongerDoes(t *testing.T) {
	page := func(data map[string]any) core.Progress {
		return core.Progress{RunID: runID, Kind: "page", Data: data}
	}
	challenge := page(map[string]any{"event": "challenge", "kind": "captcha", "url": "https://youtube.com/", "waits_seconds": 300})
	failed := finished(runID)
	step := *failed.Data.(core.StepEvent).Step
	step.Status = trace.Failed
	failed.Data = core.StepEvent{Kind: "step_finished", RunID: runID, ActionID: step.StepID, Step: &step}

	tests := []struct {
		name    string
		happens []core.Progress
		looking bool
		want    []bool // whether it waits, in each event that holds the whole run
		called  bool
	}{
		{"seen to", []core.Progress{challenge, page(map[string]any{"event": "challenge_solved"}), finished(runID)}, true, []bool{false, true, false, false}, false},
		{"seen to by who looked elsewhere", []core.Progress{challenge, page(map[string]any{"event": "challenge_solved"}), finished(runID)}, false, []bool{false, true, false, false}, true},
		{"nobody saw to it", []core.Progress{challenge, failed}, true, []bool{false, true, false, false}, false},
		{"the run ends over it", []core.Progress{challenge}, true, []bool{false, true, false}, false},
		{"nobody can see the browser", []core.Progress{page(map[string]any{"event": "challenge", "kind": "captcha"})}, true, []bool{false, false}, false},
		{"something else of a page", []core.Progress{page(map[string]any{"event": "popup_closed"})}, true, []bool{false, false}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				engine, face := litmusEngine(t, policy.Allow), &fakeFace{}
				began := time.Now()
				engine.carryOut = func(_ context.Context, r core.RunRequest) (core.Report, error) {
					engine.tellPlanned(r)
					r.Progress(started(runID))
					for _, p := range tt.happens {
						r.Progress(p)
						time.Sleep(2 * sendEvery)
					}
					return engine.report(trace.Done), nil
				}
				api := opened(t, engine, face)
				if err := api.Attend(tt.looking); err != nil {
					t.Fatal(err)
				}
				if _, err := api.Run(RunAsk{Goal: Goal{Text: litmus}}); err != nil {
					t.Fatal(err)
				}
				<-api.latest().gone
				var waits []bool
				for _, e := range face.heard() {
					if e.Run == nil {
						continue
					}
					w := e.Run.Waits
					waits = append(waits, w != nil)
					if want := began.Add(300 * time.Second).UnixMilli(); w != nil && (*w != PageWait{"captcha", "https://youtube.com/", want}) {
						t.Errorf("waits = %+v, want until %d", *w, want)
					}
				}
				if !slices.Equal(waits, tt.want) {
					t.Errorf("waits %v, want %v", waits, tt.want)
				}
				if called := slices.ContainsFunc(face.notices, func(n Notice) bool { return n.Title == "A page waits for you" }); called != tt.called {
					t.Errorf("notices %+v", face.notices)
				}
			})
		})
	}
}
