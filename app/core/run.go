package core

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"errand/host/run"
	"errand/host/system"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/interpret"
	"errand/planner/plan"
	"errand/policy"
)

// RunRequest asks for a goal to be carried out.
type RunRequest struct {
	Text   string
	Voice  *plan.Voice // in place of typed words; never runs unasked
	Yes    bool        // approve what would become a draft
	DryRun bool        // stop before the first call

	// Approve asks a person about the whole draft; nil: nobody can be asked, and
	// the run waits for [App.Approve].
	Approve func(ctx context.Context, d DraftView) (Answer, error)
	// Ask asks a person for one of a question's choices, or for free text where
	// the question allows it; nil: nobody can be asked.
	Ask func(ctx context.Context, q plan.Question) (string, error)
	// Progress hears what happens, in order, from one goroutine at a time. It
	// must not block.
	Progress func(Progress)
}

// words are what the goal is read from.
func (r RunRequest) words() string {
	if r.Voice != nil {
		return r.Voice.Transcript
	}
	return r.Text
}

// Progress is one thing that happened in a run. Seq grows by one, so that a
// listener sees a gap.
type Progress struct {
	RunID string `json:"run_id"`
	Seq   int    `json:"seq"`
	Kind  string `json:"kind"` // planned, step_started, step_finished, connection, browser, finished
	Data  any    `json:"data"`
}

// endTimeout bounds what is still written down and closed after a run was
// interrupted.
const endTimeout = 8 * time.Second

// Run interprets, plans, checks and carries out, and leaves a record of what
// was planned. A run that was denied, failed or needs a person is a [Report],
// not an error; the error is for a program that could not run at all.
func (a *App) Run(ctx context.Context, r RunRequest) (Report, error) {
	if err := readable(r.words()); err != nil {
		return Report{}, err
	}
	x := &execution{app: a, request: r, id: a.newID(), started: a.now()}
	if !r.DryRun { // a rehearsal calls no plugin
		note := x.note
		a.listening.Store(&note)
		defer a.listening.CompareAndSwap(&note, nil)
	}
	session, err := a.newSession(x.note)
	if err != nil {
		return Report{}, err
	}
	if a.o.Show || a.conf.Browser.Show {
		a.own(session.close) // the window stays until it is closed
		a.shown.Store(session)
	} else {
		defer session.close()
	}
	x.session = session
	return x.run(ctx)
}

// execution is one run under way.
type execution struct {
	app     *App
	request RunRequest
	session *session
	id      string
	started time.Time

	setting json.RawMessage // what it was planned in; kept in its record

	log   trace.Log
	notes atomic.Pointer[notebook] // nil before the record was opened
	mu    sync.Mutex               // orders Progress
	seq   int
}

func (x *execution) run(ctx context.Context) (Report, error) {
	report := Report{RunID: x.id, Status: trace.Failed, Steps: []trace.Step{}}
	planned, set, world, err := x.plan(ctx)
	if err != nil && ctx.Err() != nil {
		report.Status, report.Error = trace.Interrupted, tool.AsError(err)
		return x.finish(ctx, report)
	}
	if err != nil {
		return report, err
	}
	report.Interpretation, report.Result = &planned.Interpretation, planned.Result
	x.tell("planned", planned)
	p, stop := settled(planned, x.request.Yes || x.request.DryRun, &report)
	switch {
	case stop:
		return x.finish(ctx, report)
	case x.request.DryRun:
		return x.finish(ctx, x.rehearse(ctx, p, set, report))
	}
	if err := x.begin(ctx, report); err != nil {
		return report, err
	}
	d := x.dispatcher(set)
	engine := run.NewEngine(d, run.EngineOptions{Parallel: x.app.conf.Run.Parallel, Progress: x.stepped})
	out := engine.Run(ctx, x.id, p, world)
	report.Status, report.Error = out.Status, out.Error
	if out.Steps != nil {
		report.Steps = out.Steps
	}
	if report.Error == nil && len(out.Warnings) > 0 { // done, and not all of it on record
		report.Error = out.Warnings[0]
	}
	report.Answer = answer(planned.Interpretation.Language, p, out.Steps)
	err = x.endCalls(ctx, d)
	if err == nil && out.Status == trace.NeedsApproval && !slices.ContainsFunc(out.Steps, unlisted) {
		report.DraftID, err = x.draft(ctx, p, set)
	}
	if err != nil && report.Error == nil { // what was done is reported all the same
		report.Error = tool.AsError(err)
	}
	return x.finish(ctx, report)
}

// rehearse stops before the first call: policy's verdict for each action, and
// the status that a run would begin with.
func (x *execution) rehearse(ctx context.Context, p plan.Plan, set *tool.Set, report Report) Report {
	d := x.dispatcher(set)
	defer d.Close(ctx)
	report.Verdicts = verdicts(d.Preview(ctx, p))
	report.Status = trace.Done
	worst := policy.Decision{Verdict: policy.Allow}
	for _, v := range report.Verdicts {
		worst = worst.Stricter(v.Decision)
		if v.Error != nil && report.Error == nil {
			report.Status, report.Error = trace.Failed, v.Error
			if v.Error.Class == tool.PolicyDenied {
				report.Status = trace.Denied
			}
		}
	}
	switch {
	case report.Error != nil:
	case worst.Verdict == policy.Deny:
		report.Status, report.Error = trace.Denied, denied(worst)
	case worst.Verdict == policy.Ask && !x.request.Yes:
		report.Status = trace.NeedsApproval
	}
	return report
}

// endCalls waits for tools that were left behind at their deadline.
func (x *execution) endCalls(ctx context.Context, d *run.Dispatcher) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	if err := d.Close(ctx); err != nil {
		return fmt.Errorf("end the run's calls: %w", err)
	}
	return nil
}

// plan reads the goal against the world as it is now.
func (x *execution) plan(ctx context.Context) (Planned, *tool.Set, plan.World, error) {
	a := x.app
	text := x.request.words()
	in := a.Interpret(text)
	if in.Status != interpret.OK {
		var err error
		x.setting, err = a.setting(nil, plan.World{}, x.request.Voice)
		return Planned{Interpretation: in}, nil, plan.World{}, err
	}
	set, err := x.session.tools()
	if err != nil {
		return Planned{}, nil, plan.World{}, err
	}
	world, err := a.world(ctx, in)
	if err != nil {
		return Planned{}, nil, plan.World{}, err
	}
	if x.setting, err = a.setting(set.Specs(), world, x.request.Voice); err != nil {
		return Planned{}, nil, plan.World{}, err
	}
	planned, err := a.Plan(ctx, PlanRequest{
		Text: text, Voice: x.request.Voice, World: &world, Capabilities: capabilitiesOf(set.Specs()),
	})
	return planned, set, world, err
}

// world takes the snapshot that planning starts from. What can't be told of a
// platform is left out: the plan is then made as if it did not hold.
func (a *App) world(ctx context.Context, in Interpretation) (plan.World, error) {
	world, err := system.Snapshot(ctx, a.systemApps())
	if err != nil {
		return world, fmt.Errorf("look at the system: %w", err)
	}
	world.RecentFacts = append(world.RecentFacts, a.existing(in.set)...)
	return world, nil
}

// settled answers what ends without a call: questions, what can't be
// understood, what needs no plan or has none.
func settled(planned Planned, part bool, report *Report) (p plan.Plan, stop bool) {
	in := planned.Interpretation
	switch in.Status {
	case interpret.Ambiguous:
		report.Status = trace.NeedsApproval
		report.Error = tool.Errorf(tool.ValidationError, "ambiguous", "%s", in.Reason)
		return p, true
	case interpret.OK:
	default:
		report.Error = tool.Errorf(tool.ValidationError, "unsupported", "%s", in.Reason).
			WithHint("try one like: open youtube and search nvidia · create folder Reports in documents · what time is it")
		return p, true
	}
	p, ok := planned.Result.Plan()
	switch planned.Result.Status() {
	case plan.AlreadySatisfied:
		report.Status, report.Answer = trace.Done, planned.Result.Reason()
		return p, true
	case plan.Partial:
		if !part { // half of what was asked for may be worse than nothing
			report.Status = trace.NeedsApproval
			report.Error = tool.Errorf(tool.ValidationError, "partial", "%s", planned.Result.Reason()).
				WithHint("--yes does the part that can be done")
			return p, true
		}
	case plan.Blocked:
		report.Error = tool.Errorf(tool.ValidationError, "blocked", "%s", planned.Result.Reason())
		return p, true
	case plan.NoCapability:
		report.Error = tool.Errorf(tool.ToolUnavailable, "no_capability", "%s", planned.Result.Reason())
		return p, true
	}
	return p, !ok
}

// dispatcher is the door for this run's calls. Without a record nothing will be
// called, and so no name is resolved either: a plan can be looked at offline.
func (x *execution) dispatcher(set *tool.Set) *run.Dispatcher {
	a := x.app
	var reach func(context.Context, tool.Spec, tool.Call) *tool.Error
	if x.log != nil {
		reach = x.resolve
	}
	return run.NewDispatcher(run.DispatcherOptions{
		Tools: set, Decide: x.decide, Precheck: insideRoots, Reach: reach, Approve: x.approve,
		Log: x.log, Redact: a.clean, Now: a.now,
		StepTimeout: time.Duration(a.conf.Run.StepTimeoutMS) * time.Millisecond,
		Jitter:      func() time.Duration { return rand.N(250 * time.Millisecond) },
	})
}

// resolve looks names up, but for a spoken goal that nobody has confirmed yet:
// nothing of it leaves the machine before a yes. The door asks again after it.
func (x *execution) resolve(ctx context.Context, spec tool.Spec, call tool.Call) *tool.Error {
	if x.request.Voice != nil && !x.request.Yes && !x.session.approved.Load() {
		return nil
	}
	return x.session.resolve(ctx, spec, call)
}

// decide asks policy, as of now. What was spoken never runs unasked.
func (x *execution) decide(r policy.Request) policy.Decision {
	r.At, r.Voice = x.app.now(), x.request.Voice != nil
	return x.app.gate.Decide(r)
}

// approve asks for a yes. Where none can be had, the run waits for one.
func (x *execution) approve(ctx context.Context, ask run.Ask) (bool, error) {
	if !approvable(ask.Decision) || !x.request.Yes && x.request.Approve == nil {
		return false, run.ErrNobody
	}
	yes, err := x.request.Yes, error(nil)
	if !yes {
		var answer Answer
		answer, err = x.request.Approve(ctx, DraftView{})
		yes = answer.Yes
	}
	if yes {
		x.session.approved.Store(true)
	}
	return yes, err
}
