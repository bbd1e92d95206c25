package desktop

import (
	"context"
	"strings"

	"errand/app/desktop/live"
	"errand/app/desktop/view"
	"errand/app/planning"
	"errand/app/recipes"
	"errand/app/runs"
	"errand/host/tool"
	"errand/planner/interpret"
	"errand/planner/interpret/followup"
	"errand/planner/message"
	"errand/planner/plan"
)

// goalAPI is the part of [API] that completes, reads and plans goals.
type goalAPI struct {
	*session

	lastPlan view.Plan    // the plan that the user saw last; guarded by mu
	sources  []planSource // the sources of recent plans, the newest last; guarded by mu
}

// maxCompletions limits the result of [API.Complete].
const maxCompletions = 20

// Complete returns goals that begin with the typed words, the best first: goals of earlier
// runs, by frequency and age, then goals of the grammar. Without words it returns only earlier
// goals. It uses no network.
func (a *goalAPI) Complete(ask view.CompleteAsk) ([]view.Completion, error) {
	return query(a.session, readTimeout, []view.Completion{}, func(ctx context.Context, e *Engine) ([]view.Completion, error) {
		found, err := e.Suggest(ctx, planning.SuggestRequest{
			Text: ask.Text, Language: a.language().Tag(), Limit: min(ask.Limit, maxCompletions),
		})
		out := make([]view.Completion, len(found))
		for i, s := range found {
			out[i] = view.Completion{Text: s.Text, Source: "grammar", Match: s.Match.String(), UsedAt: view.Millis(s.LastUsed), Uses: s.Uses}
			if s.FromHistory {
				out[i].Source = "history"
			}
		}
		return out, err
	})
}

// Read describes what the typed words would do.
func (a *goalAPI) Read(text string) (view.Reading, error) {
	r := view.Reading{Text: text, Does: []message.Message{}, Hosts: []string{}, Questions: []view.Question{}, Nearest: []string{}}
	if strings.TrimSpace(text) == "" {
		return r, nil
	}
	return query(a.session, readTimeout, r, func(ctx context.Context, e *Engine) (view.Reading, error) {
		planned, err := e.Plan(ctx, planning.Request{Origin: plan.UserGoal, Text: text, Look: true})
		if err != nil {
			return r, err
		}
		p, err := live.NewPlan(text, planned.Interpretation, planned.Result)
		if err != nil {
			return r, err
		}
		r.Status, r.Language, r.Reason = string(planned.Interpretation.Status), p.Language, p.Reason
		r.Hosts, r.Questions, r.Nearest = p.Hosts, p.Questions, p.Nearest
		r.MayAsk = e.mayAsk(planned.Interpretation, text)
		for _, s := range p.Steps {
			r.Does = append(r.Does, s.Preview)
		}
		return r, nil
	})
}

// Plan makes a plan for the current world, with the policy decision for each step. It
// runs nothing. If the plan has questions, call it again with the same goal and the
// answers.
func (a *goalAPI) Plan(goal view.Goal) (view.Plan, error) {
	w, err := wishOf(goal)
	if err != nil {
		return view.Plan{}, err
	}
	return a.plan(w)
}

// plan makes the plan of a wish and remembers it as the one that was shown.
func (a *goalAPI) plan(w wish) (view.Plan, error) {
	var made *plan.Result
	p, err := ask(a.session, planTimeout, view.Plan{}, func(ctx context.Context, e *Engine) (p view.Plan, err error) {
		p, made, err = planWish(ctx, e, w)
		return p, err
	})
	if err != nil {
		return view.Plan{}, err
	}
	a.mu.Lock()
	p.Key = a.keep(w, made)
	a.lastPlan = p
	a.mu.Unlock()
	return say(a.session, p.FirstPage(), nil)
}

// PlanSteps returns a range of the steps of the last plan, of which Plan returns the first 200.
// An approval covers all of them.
func (a *goalAPI) PlanSteps(ask view.PlanStepsAsk) (view.StepsPage, error) {
	a.mu.Lock()
	shown := a.lastPlan
	a.mu.Unlock()
	if ask.Digest == "" || shown.Digest != ask.Digest {
		return view.StepsPage{Steps: []view.Step{}}, live.ErrPlanChanged
	}
	return say(a.session, view.SliceSteps(view.Run{Plan: shown}, ask.From, ask.Limit), nil)
}

// wish is a request of the user, by a goal or by a recipe.
type wish struct {
	words   string // as the user reads them; for a recipe its name, because its values may be secret
	answers []view.Answer
	voice   *view.Voice
	recipe  *view.RecipeAsk // nil: the words are a goal
	run     *recipes.Run    // of the recipe
	request runs.Request
}

// start runs a request of a wish.
func (w wish) start(ctx context.Context, e *Engine, r runs.Request) (report runs.Report, err error) {
	if w.run != nil {
		if r.Plan, err = e.Recipes.Prepare(ctx, *w.run); err != nil {
			return report, err
		}
	}
	r.Permit = e.Grants.Permit
	return e.Start(ctx, r)
}

// planWish plans a wish without running it. The result is nil if there is no plan, as for
// words that the interpreter can't read.
func planWish(ctx context.Context, e *Engine, w wish) (view.Plan, *plan.Result, error) {
	request := w.request
	request.DryRun = true
	in := planning.Interpretation{}
	if w.run == nil {
		in = e.InterpretHere(w.words)
	}
	var report runs.Report
	var err error
	if in.Status != interpret.Unsupported || w.voice != nil || len(w.answers) > 0 { // otherwise there is nothing to plan
		if report, err = w.start(ctx, e, request); err != nil {
			return view.Plan{}, nil, err
		}
		if report.Interpretation != nil {
			in = *report.Interpretation
		}
	}
	p, err := live.NewPlan(live.WordsOf(w.recipe, w.words, report.Result), in, report.Result)
	if err != nil {
		return view.Plan{}, nil, err
	}
	p.Answers, p.Voice, p.Recipe, p.Confirm = w.answers, w.voice, w.recipe, report.Confirm
	if p.Answers == nil {
		p.Answers = []view.Answer{}
	}
	p.ApplyVerdicts(report.Verdicts)
	classify(ctx, e, &p)
	p.Gate = p.DecideGate()
	p.MayAsk = w.voice == nil && w.run == nil && e.mayAsk(in, w.words)
	if in.FollowUp.LooksBack() {
		p.Reason = lookBack(ctx, e, w, in.FollowUp.Wish, report)
	}
	if report.Error != nil && p.Reason.IsZero() {
		p.Reason = report.Error.Message
	}
	p.Scopes = scopes(e, p.Steps)
	return p, report.Result, nil
}

// lookBack answers words about earlier runs. What they ask for is done at once; only an undo
// becomes a draft that waits.
func lookBack(ctx context.Context, e *Engine, w wish, asked followup.Wish, report runs.Report) message.Message {
	if asked != followup.LastRun { // the rehearsal has described that
		var err error
		if report, err = w.start(ctx, e, w.request); err != nil {
			return message.FromError(err)
		}
	}
	switch {
	case report.Error != nil:
		return report.Error.Message
	case asked == followup.Undo:
		says := report.Interpretation.FollowUp.Says
		return message.New("window.undo_waits", "undoes", says[len(says)-1])
	}
	return report.Answer
}

func goalWords(g view.Goal) string {
	if g.Voice != nil {
		return g.Voice.Transcript
	}
	return g.Text
}

// wish converts the goal to a request.
func wishOf(g view.Goal) (wish, error) {
	w := wish{words: goalWords(g), answers: g.Answers, voice: g.Voice, request: runs.Request{Origin: plan.UserGoal, Words: g.Text}}
	if g.Voice != nil {
		w.request.Voice = &plan.Voice{FileID: g.Voice.FileID, Transcript: g.Voice.Transcript, Confidence: g.Voice.Confidence}
	}
	if len(g.Answers) > 0 {
		w.request.Answers = answersOf(g.Answers)
	}
	return w, planning.CheckGoal(w.words)
}

func answersOf(list []view.Answer) map[string]string {
	out := map[string]string{}
	for _, a := range list {
		out[a.ID] = a.Value
	}
	return out
}

// classify sets the kind of effect of each step.
func classify(ctx context.Context, e *Engine, p *view.Plan) {
	if len(p.Steps) == 0 {
		return
	}
	specs, err := e.Tools(ctx)
	if err != nil {
		return // the calls report errors in the tools
	}
	kinds := map[string]tool.Spec{}
	for _, s := range specs {
		kinds[s.Name] = s
	}
	for i := range p.Steps {
		s := &p.Steps[i]
		spec := kinds[s.Tool]
		s.Class, s.Effect = string(spec.SideEffectClass), string(spec.Effect)
	}
}
