package desktop

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"errand/app/desktop/live"
	"errand/app/desktop/view"
	"errand/app/runs"
	"errand/build/must"
	"errand/host/run"
	"errand/host/trace"
	"errand/policy"
)

// TestPageWaitIsShown checks that the page is told at once that a run waits and how long, and
// that a user who looks elsewhere is notified.
func TestPageWaitIsShown(t *testing.T) {
	page := func(n trace.PageNote) runs.Progress {
		return runs.Progress{RunID: runID, Event: runs.NoteEvent{Note: n}}
	}
	challenge := page(trace.PageNote{Event: trace.PageChallenge, Challenge: "captcha", URL: "https://youtube.com/", WaitSeconds: 300, Wait: 1})
	solved := page(trace.PageNote{Event: trace.PageSolved, Wait: 1})
	unsolved := page(trace.PageNote{Event: trace.PageUnsolved, Wait: 1})
	failed := finished(runID)
	step := *failed.Event.(runs.StepEvent).Step
	step.Status = trace.Failed
	failed.Event = runs.StepEvent{Event: run.Event{Kind: run.StepFinished, RunID: runID, ActionID: step.StepID, Step: &step}}

	tests := []struct {
		name    string
		happens []runs.Progress
		looking bool
		want    []bool // whether it waits, in each event that holds the whole run
		called  bool
	}{
		{"seen to", []runs.Progress{challenge, solved, finished(runID)}, true, []bool{false, true, false, false}, false},
		{"seen to by who looked elsewhere", []runs.Progress{challenge, solved, finished(runID)}, false, []bool{false, true, false, false}, true},
		{"nobody saw to it", []runs.Progress{challenge, unsolved, failed}, true, []bool{false, true, false, false}, false},
		{"a step beside it fails", []runs.Progress{challenge, failed, solved}, true, []bool{false, true, false, false}, false},
		{"another page's wait ends", []runs.Progress{challenge, page(trace.PageNote{Event: trace.PageSolved, Wait: 2})}, true, []bool{false, true, false}, false},
		{"the run ends over it", []runs.Progress{challenge}, true, []bool{false, true, false}, false},
		{"nobody can see the browser", []runs.Progress{page(trace.PageNote{Event: trace.PageChallenge, Challenge: "captcha"})}, true, []bool{false, false}, false},
		{"something else of a page", []runs.Progress{page(trace.PageNote{Event: trace.PagePopupClosed})}, true, []bool{false, false}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				engine, face := litmusEngine(t, policy.Allow), &fakeFace{}
				began := time.Now()
				engine.startWish = func(_ context.Context, r runs.Request) (runs.Report, error) {
					engine.tellPlanned(r)
					r.Progress(started(runID))
					for _, p := range tt.happens {
						r.Progress(p)
						time.Sleep(2 * live.SendEvery)
					}
					return engine.report(trace.Done), nil
				}
				api := opened(t, engine, face)
				must.Succeed(t, api.Attend(tt.looking))
				if _, err := api.Run(view.RunAsk{Goal: view.Goal{Text: litmus}}); err != nil {
					t.Fatal(err)
				}
				<-api.latest().Finished()
				var waits []bool
				for _, e := range face.heard() {
					if e.Run == nil {
						continue
					}
					w := e.Run.Waits
					waits = append(waits, w != nil)
					if want := began.Add(300 * time.Second).UnixMilli(); w != nil && (*w != view.PageWait{Kind: "captcha", URL: "https://youtube.com/", Deadline: want}) {
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
