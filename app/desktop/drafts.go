package desktop

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"errand/app/desktop/live"
	"errand/app/desktop/view"
	"errand/app/drafts"
	"errand/app/runs"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/policy/approval"
)

// draftAPI is the part of [API] that shows, changes and applies drafts.
type draftAPI struct {
	*session
	runs   *runAPI
	policy *policyAPI
}

// Drafts lists the drafts that need approval, the newest first. With all, it includes the ended
// ones.
func (a *draftAPI) Drafts(all bool) ([]view.Draft, error) {
	return query(a.session, askTimeout, []view.Draft{}, func(ctx context.Context, e *Engine) ([]view.Draft, error) {
		list, err := e.ListDrafts(ctx, all)
		out := make([]view.Draft, len(list))
		for i, d := range list {
			out[i] = draftOf(ctx, e, d)
		}
		return out, err
	})
}

// Draft returns a draft.
func (a *draftAPI) Draft(id string) (view.Draft, error) {
	return a.draft(askTimeout, func(ctx context.Context, e *Engine) (drafts.View, error) { return e.ShowDraft(ctx, id) })
}

// draft runs a query whose result is a draft.
func (a *draftAPI) draft(within time.Duration, question func(context.Context, *Engine) (drafts.View, error)) (view.Draft, error) {
	return query(a.session, within, view.Draft{}, func(ctx context.Context, e *Engine) (view.Draft, error) {
		d, err := question(ctx, e)
		if err != nil {
			return view.Draft{}, err
		}
		return draftOf(ctx, e, d), nil
	})
}

// Approve approves a draft and applies it. It returns like [API.Run], and the progress comes as
// events. If the draft has to be reviewed again, the run's status is needs_approval.
func (a *draftAPI) Approve(approval view.ApproveAsk) (view.Run, error) {
	if approval.Revision == "" { // an approval must name what the user saw
		return view.Run{}, tool.NewError(tool.ValidationError, "no_revision", message.New("window.no_revision"))
	}
	before, err := ask(a.session, askTimeout, view.Draft{}, func(ctx context.Context, e *Engine) (view.Draft, error) {
		d, err := e.ShowDraft(ctx, approval.DraftID)
		if err != nil {
			return view.Draft{}, err
		}
		return draftOf(ctx, e, d), nil
	})
	if err != nil {
		return view.Run{}, err
	}
	if before.Revision != approval.Revision {
		return view.Run{}, live.ErrPlanChanged
	}
	return a.begin(before, approval.Scope, func(ctx context.Context, e *Engine, progress func(runs.Progress)) (runs.Report, error) {
		return e.Approve(ctx, runs.ApproveRequest{
			ID: before.DraftID, Actions: approval.Actions, Confirm: approval.Confirm, Confirmed: approval.Confirmed, Revision: approval.Revision, Progress: progress,
		})
	})
}

// ApproveLater approves a draft without applying it. The draft is ready until its approval
// expires; Apply applies it. The scope of the approval is once.
func (a *draftAPI) ApproveLater(approval view.ApproveAsk) (view.Draft, error) {
	if approval.Revision == "" { // an approval must name what the user saw
		return view.Draft{}, tool.NewError(tool.ValidationError, "no_revision", message.New("window.no_revision"))
	}
	return a.draft(planTimeout, func(ctx context.Context, e *Engine) (drafts.View, error) {
		report, err := e.Approve(ctx, runs.ApproveRequest{
			ID: approval.DraftID, Actions: approval.Actions, Confirm: approval.Confirm, Confirmed: approval.Confirmed, Revision: approval.Revision, ApplyLater: true,
		})
		switch {
		case err != nil:
			return drafts.View{}, err
		case report.Error != nil:
			return drafts.View{}, report.Error
		case report.Draft == nil: // it was already applied
			return e.ShowDraft(ctx, approval.DraftID)
		}
		return *report.Draft, nil
	})
}

// Apply applies a ready draft exactly as it was approved. It returns like Approve.
func (a *draftAPI) Apply(id string) (view.Run, error) {
	before, err := a.Draft(id)
	if err != nil {
		return view.Run{}, err
	}
	return a.begin(before, view.ScopeOnce, func(ctx context.Context, e *Engine, progress func(runs.Progress)) (runs.Report, error) {
		return e.Apply(ctx, runs.ApplyRequest{ID: before.DraftID, Progress: progress})
	})
}

// begin runs apply as the run that the page shows.
func (a *draftAPI) begin(before view.Draft, scope view.ScopeName, apply func(context.Context, *Engine, func(runs.Progress)) (runs.Report, error)) (view.Run, error) {
	return a.runs.begin(before.Text, func(e *Engine, l *live.Run) (live.Work, error) {
		undo, err := a.policy.widen(e, scope, before.Scopes)
		if err != nil {
			return nil, err
		}
		markStarted := sync.OnceFunc(func() { // until then the draft waits unchanged, and an error is returned by the call
			l.BeginDraft(before.RunID, before.DraftID, draftPlan(&before))
		})
		return func(ctx context.Context) (runs.Report, error) {
			defer undo()
			if goOn, isAgent := continueFrom(ctx, e, l, before.RunID); isAgent {
				markStarted = goOn
			}
			report, err := apply(ctx, e, func(p runs.Progress) { markStarted(); l.Progress(p) })
			if err == nil {
				markStarted()
			}
			return report, err
		}, nil
	})
}

// Deny rejects some steps of a draft. Without steps it rejects the draft.
func (a *draftAPI) Deny(id string, steps []string) (view.Draft, error) {
	return a.draft(askTimeout, func(ctx context.Context, e *Engine) (drafts.View, error) { return e.Reject(ctx, id, steps...) })
}

// EditDraft changes the arguments of a step, or removes steps. It withdraws the draft's
// approval.
func (a *draftAPI) EditDraft(ask view.EditAsk) (view.Draft, error) {
	set := map[string]any{}
	for _, arg := range ask.Set {
		var value any = arg.Value
		switch {
		case arg.Remove:
			value = nil
		case arg.JSON:
			if err := json.Unmarshal([]byte(arg.Value), &value); err != nil {
				return view.Draft{}, tool.NewError(tool.ValidationError, "bad_json", message.New("window.bad_json", "name", arg.Name, "cause", err)).WithHint(message.New("window.bad_json_hint"))
			}
		}
		set[arg.Name] = value
	}
	return a.draft(planTimeout, func(ctx context.Context, e *Engine) (drafts.View, error) {
		return e.Edit(ctx, drafts.EditRequest{ID: ask.DraftID, Action: ask.Step, Set: set, Drop: ask.Drop})
	})
}

// AnswerDraft answers questions of a draft.
func (a *draftAPI) AnswerDraft(id string, answers []view.Answer) (view.Draft, error) {
	return a.draft(planTimeout, func(ctx context.Context, e *Engine) (drafts.View, error) {
		return e.Answer(ctx, id, answersOf(answers), e.Grants.Permit)
	})
}

func draftOf(ctx context.Context, e *Engine, d drafts.View) view.Draft {
	out := view.Draft{
		DraftID: d.DraftID, RunID: d.RunID, Text: d.Goal, Language: d.Language, State: strings.ToLower(string(d.State)), Final: d.State.Final(), Reason: d.Reason,
		CreatedAt: view.Millis(d.CreatedAt), ExpiresAt: view.Millis(d.ExpiresAt), Revision: d.Revision, Digest: d.PlanDigest,
		Steps: []view.Step{}, Questions: view.NewQuestions(d.Questions), Answers: []view.Answer{}, Risks: []view.Risk{}, Confirm: d.Confirm,
		Scopes: []view.Scope{}, Partly: d.Part, Unmet: view.OrEmpty(d.Unmet), Undoes: d.Undoes, Withheld: d.Withheld, Irreversible: []view.Irreversible{},
	}
	for i, action := range d.Actions {
		s := draftStep(i, action)
		s.NeedsConfirmation = slices.Contains(d.Destructive, s.ActionID)
		out.Steps = append(out.Steps, s)
	}
	p := view.Plan{Steps: out.Steps}
	classify(ctx, e, &p)
	for _, id := range slices.Sorted(maps.Keys(d.Answers)) {
		out.Answers = append(out.Answers, view.Answer{ID: id, Value: d.Answers[id]})
	}
	for _, r := range d.Risks {
		out.Risks = append(out.Risks, view.Risk{Kind: string(r.Kind), Details: r.Details})
	}
	for _, s := range d.Irreversible {
		out.Irreversible = append(out.Irreversible, view.Irreversible{StepID: s.StepID, Tool: s.Tool, Why: s.Reason})
	}
	out.Approved, out.ApprovedUntil = approvedSteps(d, &out)
	if !out.Final && len(out.Questions) == 0 && !out.Withheld {
		out.Scopes = scopes(e, remainingSteps(&out))
		if out.Undoes != "" {
			withholdAlways(out.Scopes, message.New("window.undo_is_once"))
		}
	}
	return out
}

func draftStep(i int, a drafts.Action) view.Step {
	s := view.NewStep(i, a.Action.Action)
	s.Preview = view.Brief(s.Preview)
	s.Verdict, s.PolicyReason, s.Error = a.Verdict.String(), a.Reason, view.NewFailure(a.Error)
	if !s.ReadOnly {
		s.Forecast = &view.Forecast{Destroys: view.Names(a.Destroys), Count: max(a.Count, 1), Reversible: a.Reversible, Note: a.Note}
	}
	if a.Status != drafts.ActionProposed {
		s.Status = string(a.Status)
	}
	return s
}

// approvedSteps returns the steps of a ready draft that Apply runs, and until when.
func approvedSteps(d drafts.View, shown *view.Draft) (steps []string, until int64) {
	steps = []string{}
	if d.State != approval.StateReady || d.Approval == nil {
		return steps, 0
	}
	for _, s := range remainingSteps(shown) {
		if slices.ContainsFunc(d.Approval.Actions, func(b approval.Binding) bool { return b.ActionID == s.ActionID }) {
			steps = append(steps, s.ActionID)
		}
	}
	return steps, view.Millis(d.Approval.Until)
}

// remainingSteps returns the steps that an approval covers.
func remainingSteps(d *view.Draft) []view.Step {
	return slices.DeleteFunc(slices.Clone(d.Steps), func(s view.Step) bool {
		return s.Status == string(drafts.ActionDone) || s.Status == string(drafts.ActionRejected)
	})
}

// draftPlan returns the draft as the plan of its run.
func draftPlan(d *view.Draft) view.Plan {
	p := view.Plan{
		Text: d.Text, Language: d.Language, Gate: view.GateAsks, Digest: d.Digest, Proof: view.Proof{Cuts: []view.Cut{}}, Hosts: []string{},
		Total: len(d.Steps), Steps: slices.Clone(d.Steps), Questions: d.Questions, Answers: d.Answers, Nearest: []string{}, Risks: d.Risks,
		Unmet: d.Unmet, Confirm: d.Confirm, Scopes: d.Scopes,
	}
	for i := range p.Steps {
		s := &p.Steps[i]
		if s.Host != "" && !slices.Contains(p.Hosts, s.Host) {
			p.Hosts = append(p.Hosts, s.Host)
		}
		if s.Status == string(trace.Failed) || s.Status == string(drafts.ActionUnknown) { // it is tried again
			s.Status = ""
		}
	}
	return p
}
