package desktop

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync"
	"testing"

	"errand/app/config"
	"errand/app/desktop/view"
	"errand/app/drafts"
	"errand/app/grants"
	"errand/app/history"
	"errand/app/planning"
	"errand/app/runs"
	"errand/build/must"
	"errand/host/run"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// fakeEngine answers with what a test puts into it. What a test has no answer for
// it must not ask.
type fakeEngine struct {
	answer message.Message // of its reports
	Program
	PolicyChecker
	t              testing.TB
	conf           *config.Loaded
	specs          []tool.Spec
	drafts         []drafts.View
	granted        []grants.Request
	revoked        []string
	always         []grants.AlwaysRule
	alwaysErr      error
	left           int
	confirm        int
	interpretation planning.Interpretation
	result         *plan.Result
	verdicts       []runs.Verdict
	planErr        error
	// startWish is a run that is no dry run; nil: it is done at once.
	startWish func(ctx context.Context, r runs.Request) (runs.Report, error)
	records   map[string]trace.Record
	// artifacts are what OpenArtifact has, by key.
	artifacts map[string]string
	closed    chan struct{}
	closing   sync.Once
}

// engine is the engine of the window with the fake in each place that it has.
func (f *fakeEngine) engine() *Engine { return &Engine{Program: f, Grants: f, Policy: f} }

func (f *fakeEngine) InterpretHere(string) planning.Interpretation { return f.interpretation }

func (f *fakeEngine) Plan(context.Context, planning.Request) (planning.Planned, error) {
	return planning.Planned{Interpretation: f.interpretation, Result: f.result}, f.planErr
}

func (f *fakeEngine) report(status trace.Status) runs.Report {
	return runs.Report{
		RunID: runID, Status: status, Interpretation: &f.interpretation, Result: f.result, Verdicts: f.verdicts, Answer: f.answer,
	}
}

func (f *fakeEngine) Start(ctx context.Context, r runs.Request) (runs.Report, error) {
	switch {
	case r.DryRun:
		report := f.report(trace.Done)
		report.Confirm = f.confirm
		return report, f.planErr
	case f.startWish != nil:
		return f.startWish(ctx, r)
	}
	f.tellPlanned(r)
	return f.report(trace.Done), nil
}

func (f *fakeEngine) tellPlanned(r runs.Request) {
	r.Progress(runs.Progress{RunID: runID, Seq: 1, Event: runs.PlanEvent{Planned: planning.Planned{
		Interpretation: f.interpretation, Result: f.result,
	}}})
}

func (f *fakeEngine) Config() *config.Loaded { return f.conf }

func (f *fakeEngine) Tools(context.Context) ([]tool.Spec, error) { return f.specs, nil }

func (f *fakeEngine) CountProcesses(string) int { return f.left }

func (f *fakeEngine) WatchDrafts(ctx context.Context, changed func()) error {
	changed()
	<-ctx.Done()
	return ctx.Err()
}

func (f *fakeEngine) ListDrafts(context.Context, bool) ([]drafts.View, error) {
	return f.drafts, nil
}

func (f *fakeEngine) ShowDraft(_ context.Context, id string) (drafts.View, error) {
	for _, d := range f.drafts {
		if d.DraftID == id {
			return d, nil
		}
	}
	return drafts.View{}, tool.NewError(tool.ValidationError, "draft_not_found", message.Verbatim(fmt.Sprintf("no draft has the id %q", id)))
}

func (f *fakeEngine) AlwaysRules([]grants.AlwaysCall) ([]grants.AlwaysRule, error) {
	return f.always, f.alwaysErr
}

func (f *fakeEngine) Grant(_ context.Context, r grants.Request) (grants.Grant, error) {
	f.granted = append(f.granted, r)
	return grants.Grant{Grant: store.Grant{Grant: policy.Grant{ID: r.Pattern, Pattern: r.Pattern, Scope: r.Scope}}, State: grants.Open}, nil
}

func (f *fakeEngine) Grants(context.Context, bool) ([]grants.Grant, error) {
	var out []grants.Grant
	for _, r := range f.granted {
		out = append(out, grants.Grant{Grant: store.Grant{Grant: policy.Grant{ID: r.Pattern}}, State: grants.Open})
	}
	return out, nil
}

func (f *fakeEngine) Revoke(_ context.Context, id string) (grants.Grant, error) {
	f.revoked = append(f.revoked, id)
	return grants.Grant{}, nil
}

func (f *fakeEngine) Excerpt(ctx context.Context, id string, _ int) (trace.Record, error) {
	rec, err := f.Record(ctx, id)
	rec.OmittedSteps, rec.Steps = len(rec.Steps), nil
	return rec, err
}

func (f *fakeEngine) FindRuns(_ context.Context, q history.Query) (history.RunPage, error) {
	var found history.RunPage
	for _, rec := range f.records {
		found.Total++
		if len(found.Runs) < q.Limit {
			found.Runs = append(found.Runs, rec.Run)
		}
	}
	return found, nil
}

func (f *fakeEngine) OpenArtifact(_ context.Context, key string) (io.ReadCloser, error) {
	text, ok := f.artifacts[key]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return io.NopCloser(strings.NewReader(text)), nil
}

func (f *fakeEngine) Record(_ context.Context, id string) (trace.Record, error) {
	for known, rec := range f.records {
		if trace.HasPrefix(known, id) {
			return rec, nil
		}
	}
	return trace.Record{}, tool.NewError(tool.ValidationError, trace.CodeRunNotFound, message.Verbatim("no run has the id "+id))
}

func (f *fakeEngine) Close() error {
	f.closing.Do(func() { close(f.closed) }) // after new settings the same engine is opened again
	return nil
}

// fakeFace remembers what the window was told.
type fakeFace struct {
	mu      sync.Mutex
	events  []view.RunEvent
	waiting []int
	notices []Notice
	asked   int
	quits   int
	dialogs bool
	saved   string // what Save was given
}

func (f *fakeFace) Dialogs() bool { return f.dialogs }

func (f *fakeFace) Choose(view.ChooseAsk) (string, error) { return "/chosen", nil }

func (f *fakeFace) Save(name string, data []byte) (string, error) {
	f.saved = string(data)
	return "/saved/" + name, nil
}

func (f *fakeFace) Notify(n Notice) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.notices = append(f.notices, n)
}

func (f *fakeFace) Emit(event string, data any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if e, ok := data.(view.RunEvent); ok {
		f.events = append(f.events, e)
	}
	if e, ok := data.(view.WaitingEvent); ok {
		f.waiting = append(f.waiting, e.Waiting)
	}
	if event == view.EventClose {
		f.asked++
	}
}

func (f *fakeFace) Quit() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.quits++
}

func (f *fakeFace) heard() []view.RunEvent {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]view.RunEvent{}, f.events...)
}

// opened is the API of an engine. The test ends it.
func opened(t testing.TB, engine *fakeEngine, face Face) *API {
	t.Helper()
	return lifeOf(t, engine, face).API()
}

func lifeOf(t testing.TB, engine *fakeEngine, face Face) *Life {
	t.Helper()
	if engine.conf == nil {
		engine.conf = litmusEngine(t, policy.Allow).conf
	}
	if engine.closed == nil {
		engine.closed = make(chan struct{})
	}
	life := New(Options{Open: func() (*Engine, error) { return engine.engine(), nil }, Face: face})
	t.Cleanup(func() { _ = life.End(context.WithoutCancel(t.Context())) })
	return life
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
			ExpectedEffect: "youtube_search_visible", Reason: message.Verbatim("you said so"), Preview: message.Verbatim("Search YouTube for “nvidia”"),
			Confidence: 1, RiskLevel: plan.Low,
		}},
		GoalAchievedBy: "a1",
	})
	must.Succeed(t, err)
	result := plan.NewSuccess(p, plan.Proof{Kind: plan.ByCuts})
	return &fakeEngine{
		t: t, conf: &config.Loaded{Config: config.Default(), Paths: config.Paths{File: "/home/ann/.config/errand/errand.toml", Data: "/nowhere"}},
		specs:          []tool.Spec{{Name: "system.apps.launch.shell", SideEffectClass: tool.Write, Effect: tool.EffectNavigate}},
		interpretation: planning.Interpretation{Status: "ok", Language: "en"},
		result:         &result,
		verdicts: []runs.Verdict{{
			ActionID: "a1", Tool: "system.apps.launch.shell",
			Decision: policy.Decision{Verdict: verdict, Rule: "user_goal", Reason: message.Verbatim("your own goal"), Hint: message.Verbatim("h")},
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

func started(id string) runs.Progress {
	return runs.Progress{RunID: id, Event: runs.StepEvent{Event: run.Event{Kind: run.StepStarted, RunID: id, ActionID: "a1"}}}
}

func finished(id string) runs.Progress {
	s := stepDone()
	return runs.Progress{RunID: id, Event: runs.StepEvent{Event: run.Event{Kind: run.StepFinished, RunID: id, ActionID: "a1", Step: &s}}}
}

func (f *fakeEngine) Permit(context.Context, string, grants.Access, bool) (string, error) {
	return "g1", nil
}
