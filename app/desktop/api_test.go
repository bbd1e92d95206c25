package desktop

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/app"
	"errand/app/config"
	"errand/app/desktop/view"
	"errand/app/i18n"
	"errand/app/planning"
	"errand/app/runs"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

func TestPlanShowsEveryStepWithItsVerdict(t *testing.T) {
	api := opened(t, litmusEngine(t, policy.Allow), &fakeFace{})
	got, err := api.Plan(view.Goal{Text: litmus})
	must.Succeed(t, err)
	want := view.Plan{
		Text: litmus, Language: "en", Gate: view.GateRuns, Status: "success", Proof: view.Proof{Kind: "cuts", Cuts: got.Proof.Cuts}, Digest: got.Digest, Key: got.Key, Total: got.Total,
		Hosts: []string{"youtube.com"}, Questions: []view.Question{}, Risks: []view.Risk{}, Unmet: []string{},
		Answers: []view.Answer{}, Nearest: []string{}, Scopes: []view.Scope{}, Means: []message.Message{},
		Steps: []view.Step{{
			Action: got.Steps[0].Action,
			Args:   []view.Pair{{Name: "app_name", Value: "chrome"}, {Name: "url", Value: target}}, Host: "youtube.com", Class: "write", Effect: "navigate",
			Verdict: "allow", Rule: "user_goal", PolicyReason: message.Verbatim("your own goal"), WouldAllow: message.Verbatim("h"), Result: []view.Fact{},
		}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("plan (-want +got)\n%s", diff)
	}
	action := plan.Action{
		ActionID: "a1", Tool: "system.apps.launch.shell", Args: map[string]any{"app_name": "chrome", "url": target}, DependsOn: []string{},
		Preview: message.Verbatim("Search YouTube for “nvidia”"), Reason: message.Verbatim("you said so"), RiskLevel: plan.Low,
	}
	got.Steps[0].Confidence, got.Steps[0].ExpectedEffect, got.Steps[0].IdempotencyScope = 0, "", ""
	if diff := cmp.Diff(action, got.Steps[0].Action); diff != "" {
		t.Errorf("action (-want +got)\n%s", diff)
	}
	if got.Digest == "" || got.Key == "" {
		t.Error("a plan without a digest can't be approved, nor one without a key come back to")
	}
}

// TestExamplesAreUnderstood checks with the real engine that every example goal is understood.
func TestExamplesAreUnderstood(t *testing.T) {
	app, err := app.Open(app.Options{Config: config.Options{Env: []string{"HOME=" + t.TempDir()}}})
	must.Succeed(t, err)
	defer app.Close()
	for _, language := range i18n.Tags() {
		for goal := range strings.Lines(i18n.ForTag(language).Say("window.goal.examples")) {
			in := app.Interpret(goal)
			if in.Status != "ok" || in.Language != language {
				t.Errorf("%q is %s in %s: %s", goal, in.Status, in.Language, in.Reason)
			}
		}
	}
}

func TestGate(t *testing.T) {
	verdicts := func(names ...string) (steps []view.Step) {
		for _, v := range names {
			steps = append(steps, view.Step{Verdict: v})
		}
		return steps
	}
	tests := []struct {
		name string
		plan view.Plan
		want view.Gate
	}{
		{"all allowed", view.Plan{Steps: verdicts("allow", "allow")}, view.GateRuns},
		{"one asks", view.Plan{Steps: verdicts("allow", "ask", "allow")}, view.GateAsks},
		{"deny beats ask, whatever the order", view.Plan{Steps: verdicts("ask", "deny", "ask")}, view.GateRefused},
		{"no verdict is no yes", view.Plan{Steps: verdicts("allow", "")}, view.GateRefused},
		{"a verdict that nobody knows is no yes", view.Plan{Steps: verdicts("sure")}, view.GateRefused},
		{"no steps", view.Plan{Status: "blocked"}, view.GateNone},
		{"the zero plan", view.Plan{}, view.GateNone},
		{"holds already", view.Plan{Status: "already_satisfied"}, view.GateDone},
		{"a question comes before the steps", view.Plan{Steps: verdicts("allow"), Questions: []view.Question{{ID: "q"}}}, view.GateQuestion},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.plan.DecideGate(); got != tt.want {
				t.Errorf("gate = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestInvalidCallIsDenied(t *testing.T) {
	engine := litmusEngine(t, policy.Allow)
	engine.verdicts[0].Error = tool.NewError(tool.ValidationError, "bad_args", message.Verbatim("url is no address")).WithHint(message.Verbatim("write it out"))
	got, err := opened(t, engine, &fakeFace{}).Plan(view.Goal{Text: litmus})
	must.Succeed(t, err)
	s := got.Steps[0]
	if got.Gate != view.GateRefused || s.Verdict != "deny" || s.PolicyReason.String() != "url is no address" || s.WouldAllow.String() != "write it out" {
		t.Errorf("gate %q, step %+v", got.Gate, s)
	}
}

func TestUnlistedHostIsDenied(t *testing.T) {
	engine := litmusEngine(t, policy.Ask)
	engine.verdicts[0].Decision.Rule = policy.RuleUnlisted
	got, err := opened(t, engine, &fakeFace{}).Plan(view.Goal{Text: litmus})
	if err != nil || got.Gate != view.GateRefused || got.Steps[0].WouldAllow.IsZero() {
		t.Errorf("gate %q, step %+v, %v", got.Gate, got.Steps[0], err)
	}
}

func TestAmbiguousGoalAsks(t *testing.T) {
	engine := &fakeEngine{interpretation: planning.Interpretation{
		Status: "ambiguous", Reason: message.Verbatim("two Annas"),
		Questions: []plan.Question{{ID: "q1", Question: message.Verbatim("Which Anna?"), Choices: []plan.Choice{{Label: message.Verbatim("Anna K."), Value: "call anna k"}}}},
	}}
	got, err := opened(t, engine, &fakeFace{}).Plan(view.Goal{Text: "call anna"})
	must.Succeed(t, err)
	want := []view.Question{{ID: "q1", Question: message.Verbatim("Which Anna?"), Choices: []view.Choice{{Label: message.Verbatim("Anna K."), Value: "call anna k"}}}}
	if diff := cmp.Diff(want, got.Questions); diff != "" || got.Gate != view.GateQuestion {
		t.Errorf("gate %q, questions (-want +got)\n%s", got.Gate, diff)
	}
}

func TestRead(t *testing.T) {
	engine := litmusEngine(t, policy.Allow)
	api := opened(t, engine, &fakeFace{})
	got, err := api.Read(litmus)
	want := view.Reading{
		Text: litmus, Status: "ok", Language: "en", Does: []message.Message{message.Verbatim("Search YouTube for “nvidia”")},
		Hosts: []string{"youtube.com"}, Questions: []view.Question{}, Nearest: []string{},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("error %v, reading (-want +got)\n%s", err, diff)
	}
	if got, err := api.Read("  "); err != nil || got.Status != "" {
		t.Errorf("reading of no words: %+v, %v", got, err)
	}
	engine.planErr = errors.New("a plugin can't be read")
	if _, err := api.Read(litmus); err == nil {
		t.Error("an engine that can't plan must say so")
	}
}

func TestSafeModeRefusesCalls(t *testing.T) {
	life := New(Options{Face: &fakeFace{}, Config: config.Options{Env: []string{"HOME=" + t.TempDir()}}, Open: func() (*Engine, error) {
		return nil, config.Problems{{Source: "errand.toml", Line: 3, Key: "policy.x", Message: message.Verbatim("unknown key")}}
	}})
	api := life.API()
	boot, err := api.Start(nil)
	want := []view.Problem{{Source: "errand.toml", Line: 3, Key: "policy.x", Message: message.Verbatim("unknown key")}}
	if diff := cmp.Diff(want, boot.Problems); diff != "" || err != nil {
		t.Errorf("error %v, faults (-want +got)\n%s", err, diff)
	}
	_, errRead := api.Read(litmus)
	_, errPlan := api.Plan(view.Goal{Text: litmus})
	_, errRun := api.Run(view.RunAsk{Goal: view.Goal{Text: litmus}})
	_, errGet := api.Get(runID)
	for name, err := range map[string]error{"Read": errRead, "Plan": errPlan, "Run": errRun, "Get": errGet} {
		if f := view.FailureOf(err); f == nil || f.Code != "safe_mode" {
			t.Errorf("%s = %v, want safe_mode", name, err)
		}
	}
	if page, err := api.Runs(view.RunsAsk{Limit: 5}); err != nil || len(page.Runs) != 0 {
		t.Errorf("Runs = %v, %v", page, err)
	}
	if err := life.End(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestFormatAlwaysGivesAFailure(t *testing.T) {
	tests := []struct {
		name string
		err  error
		want *view.Failure
	}{
		{
			"typed", tool.NewError(tool.ToolUnavailable, "no_browser", message.Verbatim("no browser")).WithHint(message.Verbatim("install one")),
			&view.Failure{Class: "tool_unavailable", Code: "no_browser", Message: message.Verbatim("no browser"), Hint: message.Verbatim("install one"), Retriable: true},
		},
		{"any other", errors.New("disk full"), &view.Failure{Class: "execution_error", Code: "failed", Message: message.Verbatim("disk full")}},
		{
			"deadline", context.DeadlineExceeded,
			&view.Failure{Class: "tool_timeout", Code: "deadline_exceeded", Message: message.Verbatim("timed out"), Retriable: true},
		},
	}
	life := lifeOf(t, litmusEngine(t, policy.Allow), &fakeFace{})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(any(tt.want), life.Format(tt.err)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestPastRunIsReadFromItsRecord(t *testing.T) {
	engine := litmusEngine(t, policy.Allow)
	result, err := engine.result.MarshalJSON()
	must.Succeed(t, err)
	engine.records = map[string]trace.Record{runID: {
		Run: trace.Run{
			RunID: runID, Goal: litmus, Status: trace.Done, DurationMS: 9, Answer: message.Verbatim("nvidia - YouTube"),
			Interpretation: []byte(`{"status":"ok","language":"en"}`), Result: result,
		},
		Steps: []trace.Step{stepDone()},
		Events: []trace.Event{
			{Kind: "connection", Data: map[string]any{"host": "youtube.com", "verdict": "allow"}},
			{Kind: "browser", Data: map[string]any{"pid": 1}},
			{Kind: "connection", Data: map[string]any{"host": "ads.example", "verdict": "deny", "reason": "not listed"}},
			{Kind: "connection", Data: map[string]any{"host": "youtube.com", "verdict": "allow"}},
		},
	}}
	got, err := opened(t, engine, &fakeFace{}).Get(runID)
	must.Succeed(t, err)
	wantPage := &view.Page{URL: target, Title: "nvidia - YouTube", Screenshot: "/artifacts/" + runID + "/a1/page.png"}
	if diff := cmp.Diff(wantPage, got.Plan.Steps[0].Page); diff != "" {
		t.Errorf("page (-want +got)\n%s", diff)
	}
	wantConnections := view.Connections{Allowed: 2, Stopped: 1, Hosts: []view.Host{
		{Name: "youtube.com", Verdict: "allow", Count: 2},
		{Name: "ads.example", Verdict: "deny", Reason: message.Verbatim("not listed"), Count: 1},
	}}
	if diff := cmp.Diff(wantConnections, got.Connections); diff != "" {
		t.Errorf("connections (-want +got)\n%s", diff)
	}
	if got.Answer.String() != "nvidia - YouTube" || got.Status != "done" || got.Plan.Gate != view.GateRuns {
		t.Errorf("run = %+v", got)
	}
	if _, err := opened(t, engine, &fakeFace{}).Get("unknown"); view.FailureOf(err).Code != trace.CodeRunNotFound {
		t.Errorf("unknown run: %v", err)
	}
}

func TestCloseConfirmsActiveRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		engine, face := litmusEngine(t, policy.Allow), &fakeFace{}
		engine.startWish = func(ctx context.Context, r runs.Request) (runs.Report, error) {
			engine.tellPlanned(r)
			<-ctx.Done()
			return engine.report(trace.Interrupted), nil
		}
		life := lifeOf(t, engine, face)
		api := life.API()
		if life.MustConfirmClose() {
			t.Error("asks without a run")
		}
		if _, err := api.Run(view.RunAsk{Goal: view.Goal{Text: litmus}}); err != nil {
			t.Fatal(err)
		}
		if !life.MustConfirmClose() {
			t.Error("the window would close on an active run")
		}
		must.Succeed(t, api.Close(true))
		if life.MustConfirmClose() {
			t.Error("the window stays although the person agreed")
		}
		if err := life.End(t.Context()); err != nil {
			t.Error(err)
		}
		<-engine.closed
		if face.quits != 1 {
			t.Errorf("quit %d times", face.quits)
		}
		if last := face.heard()[len(face.heard())-1]; last.Run == nil || last.Run.Status != "interrupted" {
			t.Errorf("last event %+v", last)
		}
	})
}

func TestShutdownTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		engine := litmusEngine(t, policy.Allow)
		release := make(chan struct{})
		engine.startWish = func(_ context.Context, r runs.Request) (runs.Report, error) {
			engine.tellPlanned(r)
			<-release // a run that ignores its cancellation
			return engine.report(trace.Failed), nil
		}
		life := lifeOf(t, engine, &fakeFace{})
		if _, err := life.API().Run(view.RunAsk{Goal: view.Goal{Text: litmus}}); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		if err := life.End(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("shutdown = %v", err)
		}
		close(release)
		if err := life.End(t.Context()); err != nil { // waits for the same end
			t.Error(err)
		}
	})
}
