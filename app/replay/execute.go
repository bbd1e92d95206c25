package replay

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"errand/app/answers"
	"errand/app/drafts"
	"errand/app/planning"
	"errand/app/runs"
	"errand/app/secrets"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
	"errand/policy/redact"
)

// repeat runs the request again and compares the result with the record. The record
// answers for everything outside of the program. A run without steps needed approval, so
// only policy decides about its plan.
func (r *replayRun) repeat(ctx context.Context) {
	if !r.read() {
		return
	}
	t := newTape(r)
	if r.setting.Run.Task != nil {
		r.repeatTask(ctx, t)
		return
	}
	request := runs.Request{
		Origin: r.setting.Run.Origin, Words: r.rec.Goal, Voice: r.setting.Run.Voice, Goals: r.setting.Run.Goals, Answers: r.setting.Run.Answers,
		DryRun: len(r.rec.Steps) == 0,
	}
	if why := r.whyGiven(); !why.IsZero() {
		r.leave(WhereInterpretation, "", "", why)
		r.leave(WherePlan, "", "", why)
		if r.documents.plan.IsZero() {
			return
		}
		t.load(r.documents.plan)
		request.Origin, request.Plan = r.documents.plan.Origin(), &runs.Plan{Plan: r.documents.plan}
	}
	ctx, t.end.interrupt = context.WithCancel(ctx)
	defer t.end.interrupt()
	request.Progress = func(p runs.Progress) {
		switch e := p.Event.(type) {
		case runs.PlanEvent:
			if request.Plan == nil && !r.comparePlan(t, e.Planned) {
				t.end.interrupt()
			}
		case runs.StepEvent:
			t.end.progress(e.Event)
		}
	}
	report, err := r.app.runs(t).Start(ctx, request)
	switch {
	case err != nil:
		r.addDifference(Difference{WherePlan, "", "error", nil, tool.AsError(err).Code})
	case r.out.Difference != nil || t.plan.IsZero():
	case request.DryRun:
		r.compareWaiting(t, report.Verdicts)
	case r.steps(t, report.Steps):
		r.compareEnd(t, report)
	}
}

// read reads the recorded documents.
func (r *replayRun) read() bool {
	var err1, err2, err3, err4 error
	r.documents.interpretation, err1 = secrets.Tree(r.rec.Interpretation)
	r.documents.result, err2 = secrets.Tree(r.rec.Result)
	r.documents.plan, err3 = recordedPlan(r.rec.Result)
	r.documents.answers, err4 = secrets.TreeOf(r.setting.Run.Answers)
	for field, err := range map[string]error{"interpretation": err1, "result": err2, "plan": err3, "answers": err4} {
		if err != nil {
			return r.addDifference(Difference{WherePlan, "", field, message.FromError(err), nil})
		}
	}
	return true
}

// askedFolders are the questions about folders in place of which nothing was planned.
func (r *replayRun) askedFolders() []plan.Question {
	var in planning.Interpretation
	if json.Unmarshal(r.rec.Interpretation, &in) != nil || len(in.Questions) == 0 || !strings.HasPrefix(in.Questions[0].ID, drafts.FolderQuestion) {
		return nil
	}
	return in.Questions
}

// whyGiven is why the plan is taken from the record and not made of the words again;
// zero: it is made again.
func (r *replayRun) whyGiven() message.Message {
	switch {
	case redact.HasMark(r.rec.Goal) || secrets.IsMarked(r.documents.answers):
		return WhyRedacted
	case r.setting.Run.PlanSource != "":
		return WhyGiven
	case r.documents.interpretation == nil:
		return WhyNotRecorded
	}
	return message.Message{}
}

// comparePlan compares what was understood and planned with the record. It reports
// whether the plan is the recorded one.
func (r *replayRun) comparePlan(t *tape, now planning.Planned) bool {
	if !r.answer(WhereInterpretation, r.documents.interpretation, now.Interpretation) {
		return false
	}
	r.out.Compared.Interpretation = true
	if !r.answer(WherePlan, r.documents.result, now.Result) {
		return false
	}
	r.out.Compared.Plan = now.Result != nil
	if now.Result == nil {
		return true
	}
	p, _ := now.Result.Plan()
	if !p.IsZero() && !r.compareField(WhereSetting, "", "/own/origin", r.setting.Run.Origin, p.Origin()) {
		return false
	}
	r.out.Compared.Actions = p.Len()
	t.load(p)
	return true
}

// answer compares a document that was made now with the recorded one, after the same
// cleaning.
func (r *replayRun) answer(where string, was, now any) bool {
	clean, err := r.app.vault.Cleaner().JSON(now)
	if err != nil {
		return r.addDifference(Difference{where, "", "", was, message.FromError(err)})
	}
	is, err := secrets.Tree(clean)
	if err != nil {
		return r.addDifference(Difference{where, "", "", was, message.FromError(err)})
	}
	return r.document(where, was, is, actionAt(was))
}

// compareWaiting compares a run that called nothing, because somebody had to be asked, with
// policy's decisions about its plan: it lets no action pass that is not valid, and
// asks about one, or the plan is a part of what was asked for.
func (r *replayRun) compareWaiting(t *tape, verdicts []run.Verdict) {
	if r.rec.Status != trace.NeedsApproval && r.rec.Status != trace.Denied && r.rec.Status != trace.Cancelled {
		r.leave(WhereRun, "", "status", WhyNotRecorded)
		return
	}
	asks := r.setting.Run.OwnWords || r.rec.Status == trace.NeedsApproval && partial(r.rec.Result)
	for _, v := range verdicts {
		lost := t.redacted[v.ActionID]
		if lost {
			r.leave(WhereStep, v.ActionID, "verdict", WhyRedacted)
		}
		asks = asks || lost || v.Decision.Verdict == policy.Ask
		switch {
		case lost:
		case v.Error != nil:
			r.addDifference(Difference{WhereStep, v.ActionID, "error_code", "", v.Error.Code})
			return
		case v.Decision.Verdict == policy.Deny:
			r.addDifference(Difference{WhereStep, v.ActionID, "verdict", policy.Ask.String(), policy.Deny.String()})
			return
		}
	}
	if !asks {
		r.addDifference(Difference{WhereRun, "", "status", r.rec.Status, trace.Done})
	}
}

// partial reports whether a recorded answer of the planner does a part only.
func partial(result json.RawMessage) bool {
	var doc struct {
		Status plan.Status `json:"status"`
	}
	return json.Unmarshal(result, &doc) == nil && doc.Status == plan.Partial
}

// compareEnd compares how the run ended with its record.
func (r *replayRun) compareEnd(t *tape, now runs.Report) {
	switch {
	case r.rec.Status == trace.Running:
		r.leave(WhereRun, "", "status", WhyNotRecorded)
		return
	case r.rec.Status == trace.Interrupted && !slices.ContainsFunc(r.rec.Steps, inTime): // it came after the last recorded step
		r.leave(WhereRun, "", "status", WhyNotRecorded)
		return
	case t.partial && r.rec.Status != trace.Done && now.Status == trace.Done: // the rest of it waits, or was said no to
	case r.rec.Status == trace.NeedsApproval && now.Status == trace.Failed && r.rec.DraftID != "" && slices.ContainsFunc(r.rec.Steps, func(s trace.Step) bool { return s.Status == trace.Failed }): // what failed waits to be tried again
		return
	case !r.compareField(WhereRun, "", "status", r.rec.Status, now.Status):
		return
	}
	if r.rec.Status == trace.Interrupted { // no answer
		return
	}
	switch was := r.rec.Answer; {
	case secrets.IsMarked(was.PlainValue()) || secrets.IsMarked(now.Answer.PlainValue()):
		r.leave(WhereRun, "", "answer", WhyRedacted)
	case (t.split || r.rec.DraftID != "") && isPartOf(was, now.Answer): // it tells of the last stretch alone
	case !was.Equal(now.Answer):
		r.addDifference(Difference{WhereRun, "", "answer", was, now.Answer})
	}
}

// isPartOf reports whether every part of an answer is one of another's.
func isPartOf(answer, whole message.Message) bool {
	all := answers.Parts(whole)
	return !slices.ContainsFunc(answers.Parts(answer), func(m message.Message) bool { return !slices.ContainsFunc(all, m.Equal) })
}
