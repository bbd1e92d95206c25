package desktop

import (
	"context"
	"testing"

	"errand/app/desktop/view"
	"errand/app/planning"
	"errand/app/runs"
	"errand/build/must"
	"errand/host/trace"
	"errand/planner/interpret"
	"errand/planner/interpret/followup"
	"errand/planner/message"
	"errand/policy"
)

// TestLookBack: words about earlier runs are answered at once. An undo becomes a draft that waits.
func TestLookBack(t *testing.T) {
	for _, tt := range []struct {
		wish followup.Wish
		done int // runs that were no rehearsals
		want string
	}{
		{followup.LastRun, 0, "rehearsed"},
		{followup.Forget, 1, "done"},
		{followup.Undo, 1, "undo of x. Approve it under “Waiting for you”."},
	} {
		t.Run(string(tt.wish), func(t *testing.T) {
			engine, done := litmusEngine(t, policy.Allow), 0
			engine.interpretation = planning.Interpretation{Status: interpret.OK, FollowUp: &followup.About{Wish: tt.wish}}
			engine.result, engine.answer = nil, message.Verbatim("rehearsed")
			engine.startWish = func(context.Context, runs.Request) (runs.Report, error) {
				done++
				about := &followup.About{Wish: tt.wish, Says: []message.Message{message.Verbatim("undo of x")}}
				return runs.Report{Status: trace.Done, Answer: message.Verbatim("done"), Interpretation: &planning.Interpretation{FollowUp: about}}, nil
			}
			p := succeed[view.Plan](t)(opened(t, engine, &fakeFace{}).Plan(view.Goal{Text: "words"}))
			if got := p.Reason.String(); got != tt.want || done != tt.done {
				t.Errorf("it says %q after %d runs, want %q after %d", got, done, tt.want, tt.done)
			}
		})
	}
}

// TestTimersKept: the end makes sure that timers ring, before it closes the program.
func TestTimersKept(t *testing.T) {
	fake, kept := litmusEngine(t, policy.Allow), 0
	fake.closed = make(chan struct{})
	life := New(Options{Face: &fakeFace{}, Open: func() (*Engine, error) {
		engine := fake.engine()
		engine.KeepTimers = func(context.Context) {
			select {
			case <-fake.closed:
				t.Error("the program was closed before")
			default:
				kept++
			}
		}
		return engine, nil
	}})
	succeed[view.Boot](t)(life.API().Start(nil))
	must.Succeed(t, life.End(t.Context()))
	if kept != 1 {
		t.Errorf("timers were kept %d times", kept)
	}
}
