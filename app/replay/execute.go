package replay

import (
	"context"
	"encoding/json"
	"slices"

	"errand/app/answers"
	"errand/app/secrets"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
	"errand/policy/redact"
)

// understood interprets the words and plans, and holds both against the record.
// It answers the plan to carry out: the zero Plan where there is none.
func (r *replaying) understood(ctx context.Context) (p plan.Plan, ok bool) {
	interpretation, err1 := secrets.Tree(r.rec.Interpretation)
	result, err2 := secrets.Tree(r.rec.Result)
	given, err3 := recordedPlan(r.rec.Result)
	for field, err := range map[string]error{"interpretation": err1, "result": err2, "plan": err3} {
		if err != nil {
			return p, r.differs(Difference{WherePlan, "", field, message.Of(err), nil})
		}
	}
	answers, err := secrets.TreeOf(r.recorded.Own.Answers)
	if err != nil {
		return p, r.differs(Difference{WherePlan, "", "answers", message.Of(err), nil})
	}
	var why message.Message
	switch {
	case redact.Marked(r.rec.Goal) || secrets.Marked(answers):
		why = WhyRedacted
	case r.recorded.Own.Given != "":
		why = WhyGiven
	case interpretation == nil:
		why = WhyNotRecorded
	}
	if !why.IsZero() {
		r.leave(WhereInterpretation, "", "", why)
		r.leave(WherePlan, "", "", why)
		return given, true
	}
	planned, err := r.app.plan(ctx, r.recorded, r.rec.Goal)
	if err != nil {
		return p, r.differs(Difference{WherePlan, "", "error", nil, tool.AsError(err).Code})
	}
	if !r.answer(WhereInterpretation, interpretation, planned.Interpretation) {
		return p, false
	}
	r.out.Compared.Interpretation = true
	if !r.answer(WherePlan, result, planned.Result) {
		return p, false
	}
	r.out.Compared.Plan = planned.Result != nil
	if planned.Result == nil {
		return p, true
	}
	p, _ = planned.Result.Plan()
	if !p.IsZero() && !r.same(WhereSetting, "", "/own/origin", r.recorded.Own.Origin, p.Origin()) {
		return p, false
	}
	r.out.Compared.Actions = p.Len()
	return p, true
}

// answer holds a document that was made now against the recorded one, after the
// same cleaning.
func (r *replaying) answer(where string, recorded, now any) bool {
	clean, err := r.app.vault.Cleaner().JSON(now)
	if err != nil {
		return r.differs(Difference{where, "", "", recorded, message.Of(err)})
	}
	is, err := secrets.Tree(clean)
	if err != nil {
		return r.differs(Difference{where, "", "", recorded, message.Of(err)})
	}
	return r.document(where, recorded, is, actionAt(recorded))
}

// carriedOut takes the plan through the real door and engine, with a recorded
// answer for every call, and holds what comes of it against the record.
func (r *replaying) carriedOut(ctx context.Context, p plan.Plan) {
	t := newTape(r, p)
	ctx, t.end.interrupt = context.WithCancel(ctx)
	defer t.end.interrupt()
	log := &trace.Memory{}
	d, ok := r.door(t, log)
	if !ok {
		return
	}
	begun := trace.Run{RunID: r.rec.RunID, StartedAt: r.rec.StartedAt}
	if err := log.Begin(ctx, begun); err != nil {
		r.differs(Difference{WhereRun, "", "error", nil, tool.AsError(err).Code})
		return
	}
	// Side by side as far as the plan lets them: who waited for whom's end was a
	// question of time, and a call that was interrupted holds up nobody.
	engine := run.NewEngine(d, run.EngineOptions{Parallel: p.Len(), Progress: t.end.progress})
	out := engine.Run(ctx, run.RunRequest{RunID: r.rec.RunID, Prepared: d.Prepare(ctx, r.rec.RunID, p), World: r.recorded.Own.World, Only: t.only()})
	if r.closed(ctx, d) && r.steps(t, p, out.Steps) {
		r.ended(t, p, out)
	}
}

// door is the real one, before tools, people and names from the record.
func (r *replaying) door(t *tape, log trace.Log) (*run.Dispatcher, bool) {
	set, err := t.tools()
	if err != nil {
		return nil, r.differs(Difference{WhereSetting, "", "/base/tools", nil, message.Of(err)})
	}
	return run.NewDispatcher(run.DispatcherOptions{
		Tools: set, Decide: t.decide, Precheck: t.precheck, Reach: t.reach, Approve: t.approve, Granted: t.granted,
		Log: log, Redact: r.app.vault.Cleaner().Value, Now: r.app.now,
		Reveal: func(_ tool.Spec, args map[string]any) (map[string]any, *tool.Error) { return args, nil }, // the tools are the record
	}), true
}

func (r *replaying) closed(ctx context.Context, d *run.Dispatcher) bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancel()
	if err := d.Close(ctx); err != nil {
		return r.differs(Difference{WhereRun, "", "error", nil, tool.AsError(err).Code})
	}
	return true
}

// waited holds a run that called nothing, because somebody had to be asked,
// against what the door says of its plan: it lets no action pass that is not
// valid, and asks about one, or the plan is a part of what was asked for.
func (r *replaying) waited(ctx context.Context, p plan.Plan) {
	if r.rec.Status != trace.NeedsApproval && r.rec.Status != trace.Denied {
		r.leave(WhereRun, "", "status", WhyNotRecorded)
		return
	}
	t := newTape(r, p)
	d, ok := r.door(t, nil)
	if !ok {
		return
	}
	verdicts := d.Prepare(ctx, r.rec.RunID, p).Verdicts
	if !r.closed(ctx, d) {
		return
	}
	asks := r.recorded.Own.OwnWords || r.rec.Status == trace.NeedsApproval && partial(r.rec.Result)
	for _, v := range verdicts {
		lost := t.lost[v.ActionID]
		if lost {
			r.leave(WhereStep, v.ActionID, "verdict", WhyRedacted)
		}
		asks = asks || lost || v.Decision.Verdict == policy.Ask
		switch {
		case lost:
		case v.Error != nil:
			r.differs(Difference{WhereStep, v.ActionID, "error_code", "", v.Error.Code})
			return
		case v.Decision.Verdict == policy.Deny:
			r.differs(Difference{WhereStep, v.ActionID, "verdict", policy.Ask.String(), policy.Deny.String()})
			return
		}
	}
	if !asks {
		r.differs(Difference{WhereRun, "", "status", r.rec.Status, trace.Done})
	}
}

// partial reports whether a recorded answer of the planner does a part only.
func partial(result json.RawMessage) bool {
	var doc struct {
		Status plan.Status `json:"status"`
	}
	return json.Unmarshal(result, &doc) == nil && doc.Status == plan.Partial
}

// ended holds how the run ended against its record.
func (r *replaying) ended(t *tape, p plan.Plan, out run.Outcome) {
	switch {
	case r.rec.Status == trace.Running:
		r.leave(WhereRun, "", "status", WhyNotRecorded)
		return
	case r.rec.Status == trace.Interrupted && !slices.ContainsFunc(r.rec.Steps, inTime): // it came after the last recorded step
		r.leave(WhereRun, "", "status", WhyNotRecorded)
		return
	case t.some && r.rec.Status != trace.Done && out.Status == trace.Done: // the rest of it waits, or was said no to
	case !r.same(WhereRun, "", "status", r.rec.Status, out.Status):
		return
	}
	if r.rec.Status == trace.Interrupted { // nobody was answered
		return
	}
	was, now := r.rec.Answer, answers.Compose(p, out.Steps).MapText(r.app.vault.Cleaner().Text)
	switch {
	case secrets.Marked(was.Plain()) || secrets.Marked(now.Plain()):
		r.leave(WhereRun, "", "answer", WhyRedacted)
	case (t.stretches || r.rec.DraftID != "") && isPartOf(was, now): // it tells of the last stretch alone
	case !was.Equal(now):
		r.differs(Difference{WhereRun, "", "answer", was, now})
	}
}

// isPartOf reports whether every part of an answer is one of another's.
func isPartOf(answer, whole message.Message) bool {
	all := answers.Parts(whole)
	return !slices.ContainsFunc(answers.Parts(answer), func(m message.Message) bool { return !slices.ContainsFunc(all, m.Equal) })
}
