package runs

import (
	"cmp"
	"context"
	"errors"

	"errand/app/access"
	"errand/app/planning"
	"errand/app/runs/calls"
	"errand/app/runs/dialog"
	"errand/app/setting"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/interpret"
	"errand/planner/message"
	"errand/planner/plan"
)

// maxRounds limits the rounds of questions in one run: an answer may lead to another question.
const maxRounds = 8

// plan reads the goal and plans it for the present state of the world. It asks its questions
// immediately if the user can answer.
func (x *attempt) plan(ctx context.Context) (planning.Planned, error) {
	var planned planning.Planned
	for range maxRounds {
		var err error
		if planned, err = x.planOnce(ctx); err != nil || planned.Interpretation.Status != interpret.Ambiguous {
			return planned, err
		}
		if questions := planned.Interpretation.Questions; access.AreOnly(questions) {
			if planned.Interpretation.FollowUp != nil { // what is meant comes before what it needs
				x.rec.report(PlanEvent{planning.Planned{Interpretation: planned.Interpretation}})
			}
			granted, err := permission{x}.answer(ctx, questions)
			if errors.Is(err, dialog.ErrNoAnswer) {
				return planned, ctx.Err()
			}
			if err != nil || !granted {
				return planned, err
			}
			continue
		}
		taken, err := x.dialog.Take(x.request.Answers, planned.Interpretation.Questions)
		if err != nil {
			return planned, err
		}
		if taken {
			continue
		}
		if x.request.DryRun {
			return planned, nil
		}
		if err := x.dialog.Ask(ctx, x.request.Ask, planned.Interpretation.Questions); err != nil {
			if errors.Is(err, dialog.ErrDeclined) {
				x.refused = tool.NewError(tool.PolicyDenied, "rejected", message.FromError(err))
			} else if !errors.Is(err, dialog.ErrNoAnswer) {
				x.report.Error = tool.AsError(err)
			}
			return planned, ctx.Err()
		}
	}
	return planned, nil
}

func (x *attempt) planOnce(ctx context.Context) (planning.Planned, error) {
	o := &x.runs.o
	if x.request.Plan != nil {
		return x.takePlan(ctx)
	}
	r := planning.Request{Origin: x.request.Origin, Text: x.request.words(), Goals: x.request.Goals, Voice: x.request.Voice, Answers: x.dialog.Answers, Work: x.request.Work, Look: o.Replay == nil, Context: o.Conversations.Source(ctx, x.request.Conversation, x.request.Origin)}
	if o.Replay != nil {
		r.Entries = o.Replay.Entries
	}
	own := setting.RunSetting{Origin: x.request.Origin, Goals: x.request.Goals, Voice: x.request.Voice, Answers: x.dialog.Answers, OwnWords: x.dialog.FreeText, Work: cmp.Or(x.request.Work, o.Config.Paths.Work)}
	in, voice := permission{x}.planner().Understand(r)
	own.Apps, own.Entries, own.Context = in.Apps(), in.Entries(), in.FollowUp.Source()
	if in.FollowUp.LooksBack() {
		return planning.Planned{Interpretation: in}, nil
	}
	if in.Recipe != "" {
		var err error
		if x.request.Plan, err = o.PlanRecipe(ctx, in.Recipe, x.request.Origin); err != nil {
			return planning.Planned{Interpretation: in}, err
		}
		planned, err := x.takePlan(ctx)
		planned.Interpretation = in
		return planned, err
	}
	if in.Call != nil {
		return x.takeCall(ctx, in)
	}
	if in.Status != interpret.OK {
		var err error
		x.setting, err = o.Settings.Record(x.id, nil, own)
		return planning.Planned{Interpretation: in}, err
	}
	if err := x.equip(ctx); err != nil {
		return planning.Planned{}, err
	}
	var err error
	if questions := (permission{x}).beforePlan(in); len(questions) > 0 {
		in = in.Asking(questions)
		x.setting, err = o.Settings.Record(x.id, nil, own)
		return planning.Planned{Interpretation: in}, err
	}
	if x.world, err = (permission{x}).world(ctx, in); err != nil {
		return planning.Planned{}, err
	}
	own.World = x.world
	if x.setting, err = o.Settings.Record(x.id, x.tools.Specs(), own); err != nil {
		return planning.Planned{}, err
	}
	r.World, r.Capabilities = &x.world, planning.Capabilities(x.tools.Specs())
	return permission{x}.planner().PlanUnderstood(in, voice, r)
}

// checkTargets returns an error if something to delete is missing or of another kind. A replay
// does not look for similar names.
func (x *attempt) checkTargets(planned planning.Planned) *tool.Error {
	if planned.Interpretation.Status != interpret.OK || x.request.Plan != nil {
		return nil
	}
	return permission{x}.planner().CheckTargets(planned.Interpretation, x.world, x.runs.o.Replay == nil)
}

// takePlan takes the plan of the request.
func (x *attempt) takePlan(ctx context.Context) (planning.Planned, error) {
	o, taken := &x.runs.o, x.request.Plan
	if err := x.equip(ctx); err != nil {
		return planning.Planned{}, err
	}
	result := plan.NewSuccess(taken.Plan, plan.Proof{Kind: plan.Unproved})
	planned := planning.Planned{Interpretation: planning.Interpretation{
		Status: interpret.OK, Language: taken.Plan.Content().Language, Goals: []plan.Goal{}, Questions: []plan.Question{},
	}, Result: &result}
	o.Vault.AddPlanSecrets(x.id, taken.Secrets)
	var err error
	if x.world, err = (permission{x}).world(ctx, planned.Interpretation); err != nil {
		return planned, err
	}
	own := taken.Setting
	for _, s := range x.readBefore {
		own.ReadBefore = append(own.ReadBefore, *s.Untrusted)
	}
	own.Origin, own.World, own.PlanSource = x.request.Origin, x.world, cmp.Or(own.PlanSource, setting.GivenPlan)
	x.setting, err = o.Settings.Record(x.id, x.tools.Specs(), own)
	return planned, err
}

// takeCall takes the plan of a call from a plugin's phrase.
func (x *attempt) takeCall(ctx context.Context, in planning.Interpretation) (planning.Planned, error) {
	if err := x.equip(ctx); err != nil {
		return planning.Planned{Interpretation: in}, err
	}
	made, err := planning.PlanWords(x.runs.o.Planner, *in.Call, x.tools.Specs())
	if err != nil {
		return planning.Planned{Interpretation: in}, err
	}
	x.request.Plan = &Plan{Plan: made, Words: x.request.words()}
	planned, err := x.takePlan(ctx)
	planned.Interpretation = in
	return planned, err
}

// equip gives the attempt the program's tools.
func (x *attempt) equip(ctx context.Context) error {
	if x.tools != nil {
		return nil
	}
	if folders := x.folders.List(); len(folders) > 0 {
		ctx = tool.WithFolders(ctx, folders)
	}
	var err error
	if x.tools, err = x.runs.o.Tools(ctx); err != nil {
		return message.Error("runs.list_tools", "cause", err)
	}
	x.readBefore, err = calls.ReadingsBefore(ctx, x.runs.o.Store, x.id, x.follows)
	return err
}

// endWithoutCall reports a run that ends without a call: questions, unknown words, and goals that
// need no plan or have none. stop is false if there is a plan to run.
func (r *Report) endWithoutCall(planned planning.Planned) (p plan.Plan, stop bool) {
	in := planned.Interpretation
	switch in.Status {
	case interpret.Ambiguous:
		r.Status = trace.NeedsApproval
		if r.Error == nil {
			r.Error = tool.NewError(tool.ValidationError, "ambiguous", in.Reason)
		}
		return p, true
	case interpret.OK:
	default:
		r.Error = tool.NewError(tool.ValidationError, "unsupported", in.Reason).
			WithHint(in.Hint())
		return p, true
	}
	p, ok := planned.Result.Plan()
	switch planned.Result.Status() {
	case plan.AlreadySatisfied:
		r.Status, r.Answer = trace.Done, planned.Result.Reason()
		return p, true
	case plan.Blocked:
		r.Error = tool.NewError(tool.ValidationError, "blocked", planned.Result.Reason())
		return p, true
	case plan.NoCapability:
		r.Error = tool.NewError(tool.ToolUnavailable, "no_capability", planned.Result.Reason())
		return p, true
	}
	return p, !ok
}
