package runs

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"errand/app/access"
	"errand/app/drafts"
	"errand/app/planning"
	"errand/app/runs/dialog"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// permission asks about the hosts and folders that an attempt needs.
type permission struct{ *attempt }

// canAsk reports whether the user can be asked. An approval in advance never allows a host or a
// folder.
func (x permission) canAsk() bool {
	return x.request.Permit != nil && !x.request.Yes && x.runs.o.Replay == nil
}

// beforePlan asks about the folders that goals need, before anything in them is looked at.
func (x permission) beforePlan(in planning.Interpretation) []plan.Question {
	if r := x.runs.o.Replay; r != nil {
		return r.Questions
	}
	if !x.canAsk() {
		return nil
	}
	return access.FolderQuestions(x.needs().OfGoals(x.planner().PlaceGoals(in), x.folders.List(), x.tools.Specs()))
}

func (x permission) needs() access.Needs {
	return access.Needs{Config: x.runs.o.Config, Denies: func(spec tool.Spec, call tool.Call) bool {
		call.RunID, call.Origin = x.id, string(x.request.Origin)
		return x.gate.Decide(x.runs.o.Question(spec, call)).Verdict == policy.Deny
	}}
}

// questions asks about the hosts of an evaluated plan, and about folders if the user can allow
// them. A dry run shows its hosts as verdicts.
func (x permission) questions(e drafts.Evaluation) (questions []plan.Question) {
	if x.canAsk() {
		if folders, ok := x.needs().OfPlan(e); ok {
			questions = access.FolderQuestions(folders)
		}
	}
	if x.request.DryRun {
		return questions
	}
	return append(questions, access.HostQuestions(e)...)
}

// ask asks about the hosts and folders of an evaluated plan, grants those that the user allows
// and evaluates the plan again. Without an answer the plan becomes a draft with the questions. It
// reports whether the plan may go on; if not, the report says why.
func (x permission) ask(ctx context.Context, e *drafts.Evaluation) bool {
	for range maxRounds {
		questions := x.questions(*e)
		if _, ok := x.needs().OfPlan(*e); !ok || len(questions) == 0 {
			return true
		}
		granted, err := x.answer(ctx, questions)
		if errors.Is(err, dialog.ErrNoAnswer) && x.request.DryRun {
			in := x.report.Interpretation.Asking(questions)
			x.report.Interpretation, x.report.Status, x.report.Error = &in, trace.NeedsApproval, tool.NewError(tool.ValidationError, "ambiguous", in.Reason)
			return false
		} else if errors.Is(err, dialog.ErrNoAnswer) {
			x.report.Verdicts = e.Verdicts
			var h drafts.Draft
			if h, err = x.propose(ctx, *e, x.proposal, nil); err == nil {
				x.wait(h, nil)
				return false
			}
		}
		if err == nil && !granted {
			return false
		}
		if err == nil {
			*e, err = x.evaluate(ctx, e.Plan, e.Done)
		}
		if err == nil && len(x.folders.List()) > 0 && !x.request.DryRun {
			err = x.recordFolders()
		}
		if err != nil {
			x.report.fail(ctx, err)
			return false
		}
	}
	return true
}

// recordFolders brings the folders of the tools into the setting of a run that was planned
// without them.
func (x permission) recordFolders() error {
	var s json.RawMessage
	s, err := x.runs.o.Settings.Renew(x.id, x.recordedSetting(), x.tools.Specs())
	if err == nil && s != nil {
		x.setting = s
	}
	return err
}

// answer takes the answers of the request to questions about hosts and folders, and asks the user
// the others. It grants what the user allows; a dry run only plans with it. It reports false if
// the user refuses one; the report then says so.
func (x permission) answer(ctx context.Context, questions []plan.Question) (granted bool, err error) {
	var said dialog.Dialog
	if _, err := said.Take(x.request.Answers, questions); err != nil {
		return false, err
	}
	open := slices.DeleteFunc(slices.Clone(questions), func(q plan.Question) bool { _, ok := said.Answers[q.ID]; return ok })
	if len(open) > 0 && x.request.DryRun {
		return false, dialog.ErrNoAnswer
	}
	if len(open) > 0 {
		if err := said.Ask(ctx, x.request.Ask, open); err != nil {
			return false, err
		}
	}
	if refused, ok := access.Refused(said.Answers); ok {
		x.refused = tool.NewError(tool.PolicyDenied, "rejected", message.New("runs.access_refused", "by", x.runs.o.User, "host", refused.Host, "folder", refused.Folder))
		x.report.Status, x.report.Error = trace.Cancelled, x.refused
		return false, nil
	}
	if x.request.DryRun {
		for _, q := range questions {
			if a := access.Of(q); a.Folder != "" {
				x.folders.Tried = append(x.folders.Tried, a.Folder)
			}
		}
		x.forgetFolders()
		return true, nil
	}
	_, err = x.permit(ctx, questions, said.Answers)
	return err == nil, err
}

// permit grants what the user allowed when asked these questions, and returns the ids of the
// grants. Other answers may be those of an earlier revision of the draft. It grants all or none.
func (x permission) permit(ctx context.Context, questions []plan.Question, answers map[string]string) (ids []string, err error) {
	for _, q := range questions {
		answer := answers[q.ID]
		if !drafts.AsksAccess(q.ID) || answer != access.Once && answer != access.Always {
			continue
		}
		id, err := x.request.Permit(ctx, x.id, access.Of(q), answer == access.Always)
		if err != nil {
			x.revoke(ctx, ids)
			return nil, err
		}
		ids = append(ids, id)
	}
	x.forgetFolders()
	return ids, nil
}

// revoke ends grants that were given for nothing.
func (x permission) revoke(ctx context.Context, ids []string) {
	for _, id := range ids {
		_ = x.runs.o.Revoke(context.WithoutCancel(ctx), id) // else it stays in the list of grants
	}
}

// forgetFolders makes the attempt read the grants of folders again, and list its tools with them.
func (x permission) forgetFolders() {
	before := x.folders.List()
	if x.folders.Forget(); !slices.Equal(before, x.folders.List()) {
		x.tools = nil
	}
}

// beforeCall is the session's, and refuses a path in a granted folder whose grant has ended.
func (x permission) beforeCall(ctx context.Context, spec tool.Spec, call tool.Call) *tool.Error {
	if fault := x.session.BeforeCall(ctx, spec, call); fault != nil || x.runs.o.Replay != nil {
		return fault
	}
	return x.folders.CheckCall(spec, call)
}

// planner is the program's planner, with the attempt's folders.
func (x permission) planner() *planning.Planner {
	return x.runs.o.Planner.WithFolders(x.folders.List)
}

// world returns the facts that are true before a run.
func (x permission) world(ctx context.Context, in planning.Interpretation) (plan.World, error) {
	if r := x.runs.o.Replay; r != nil {
		return r.World, nil
	}
	return x.planner().World(ctx, in)
}

// accessAnswered shows the plan of a draft, whose questions were about hosts and folders, as it is
// decided now.
func (x *storedDraft) accessAnswered(ctx context.Context) (drafts.View, error) {
	e, err := x.evaluate(ctx, x.next.Plan, x.next.Draft.Done)
	if err != nil {
		return x.stored.View(), err
	}
	return x.showRevised(ctx, e)
}
