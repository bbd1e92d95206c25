package desktop

import (
	"context"
	"sync"
	"testing"

	"errand/app/core"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
	"errand/policy"
)

// fakeEngine answers with what a test puts into it.
type fakeEngine struct {
	interpretation core.Interpretation
	result         *plan.Result
	verdicts       []core.Verdict
	planErr        error
	// carryOut is a run that is no dry run; nil: it is done at once.
	carryOut func(ctx context.Context, r core.RunRequest) (core.Report, error)
	records  map[string]trace.Record
	closed   chan struct{}
}

var _ Engine = (*fakeEngine)(nil)

func (f *fakeEngine) Interpret(string) core.Interpretation { return f.interpretation }

func (f *fakeEngine) Plan(context.Context, core.PlanRequest) (core.Planned, error) {
	return core.Planned{Interpretation: f.interpretation, Result: f.result}, f.planErr
}

func (f *fakeEngine) report(status trace.Status) core.Report {
	return core.Report{
		RunID: runID, Status: status, Interpretation: &f.interpretation, Result: f.result, Verdicts: f.verdicts,
	}
}

func (f *fakeEngine) Run(ctx context.Context, r core.RunRequest) (core.Report, error) {
	switch {
	case r.DryRun:
		return f.report(trace.Done), f.planErr
	case f.carryOut != nil:
		return f.carryOut(ctx, r)
	}
	f.tellPlanned(r)
	return f.report(trace.Done), nil
}

func (f *fakeEngine) tellPlanned(r core.RunRequest) {
	r.Progress(core.Progress{RunID: runID, Seq: 1, Kind: "planned", Data: core.Planned{
		Interpretation: f.interpretation, Result: f.result,
	}})
}

func (f *fakeEngine) Runs(_ context.Context, limit int) ([]trace.Run, error) {
	var runs []trace.Run
	for _, rec := range f.records {
		if len(runs) < limit {
			runs = append(runs, rec.Run)
		}
	}
	return runs, nil
}

func (f *fakeEngine) Record(_ context.Context, id string) (trace.Record, error) {
	for known, rec := range f.records {
		if trace.HasPrefix(known, id) {
			return rec, nil
		}
	}
	return trace.Record{}, tool.Errorf(tool.ValidationError, trace.CodeRunNotFound, "no run has the id %q", id)
}

func (f *fakeEngine) Close() error {
	close(f.closed)
	return nil
}

// fakeFace remembers what the window was told.
type fakeFace struct {
	mu     sync.Mutex
	events []RunEvent
	asked  int
	quits  int
}

func (f *fakeFace) Emit(event string, data any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if e, ok := data.(RunEvent); ok {
		f.events = append(f.events, e)
	}
	if event == EventClose {
		f.asked++
	}
}

func (f *fakeFace) Quit() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.quits++
}

func (f *fakeFace) heard() []RunEvent {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]RunEvent{}, f.events...)
}

const (
	runID  = "01JQ8Z0000000000000000TEST"
	litmus = "open youtube and search nvidia"
	target = "https://youtube.com/results?search_query=nvidia"
)

// litmusEngine understands the litmus goal, on which policy says verdict.
func litmusEngine(t testing.TB, verdict policy.Verdict) *fakeEngine {
	t.Helper()
	p, err := plan.New(plan.Content{
		Origin: plan.UserGoal, Language: "en", Inputs: plan.Inputs{RawText: litmus},
		Actions: []plan.Action{{
			ActionID: "a1", Tool: "system.apps.launch.shell",
			Args:           map[string]any{"url": target, "app_name": "chrome"},
			ExpectedEffect: "youtube_search_visible", Reason: "you said so", Preview: "Search YouTube for “nvidia”",
			Confidence: 1, RiskLevel: plan.Low,
		}},
		GoalAchievedBy: "a1",
	})
	if err != nil {
		t.Fatal(err)
	}
	result := plan.Succeeded(p, plan.Proof{Kind: plan.ByCuts})
	return &fakeEngine{
		interpretation: core.Interpretation{Status: "ok", Language: "en"},
		result:         &result,
		verdicts: []core.Verdict{{
			ActionID: "a1", Tool: "system.apps.launch.shell",
			Decision: policy.Decision{Verdict: verdict, Rule: "user_goal", Reason: "your own goal", Hint: "h"},
		}},
		closed: make(chan struct{}),
	}
}

// stepDone is the step of the litmus goal as the engine tells and records it.
func stepDone() trace.Step {
	return trace.Step{
		RunID: runID, StepID: "a1", ToolName: "system.apps.launch.shell", Status: trace.Done, DurationMS: 7,
		Verdict: "allow", Rule: "user_goal",
		Payload:   map[string]any{"url": target, "title": "nvidia - YouTube"},
		Artifacts: []tool.Artifact{{Name: "page.png", MediaType: "image/png", Path: "artifacts/ab/abc.png"}},
	}
}

func started(id string) core.Progress {
	return core.Progress{RunID: id, Kind: "step_started", Data: run.Event{Kind: run.StepStarted, RunID: id, ActionID: "a1"}}
}

func finished(id string) core.Progress {
	s := stepDone()
	return core.Progress{RunID: id, Kind: "step_finished", Data: run.Event{Kind: run.StepFinished, RunID: id, ActionID: "a1", Step: &s}}
}
