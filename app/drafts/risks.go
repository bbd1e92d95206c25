package drafts

import (
	"encoding/json"
	"slices"

	"errand/app/answers"
	"errand/app/planning"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// Forecast returns an action as the forecast of its call shows it: with its risk here, with the
// number of things in a folder that it deletes, and with the site on which it acts.
func Forecast(a plan.Action, v run.Verdict) plan.Action {
	f := v.Forecast
	a.Preview = OnSite(a, v)
	a.RiskLevel = decideRisk(a.RiskLevel, v.RiskLevel())
	if a.Args["recursive"] == true && f != nil && f.Count > 1 {
		a.Preview = answers.WithContents(a.Preview, f.Count-1)
	}
	return a
}

// decideRisk returns the risk of a call of which a decision saw the forecast; "": it saw none.
func decideRisk(static, decided plan.RiskLevel) plan.RiskLevel {
	if decided == "" || decided == plan.Medium && static != plan.High {
		return static
	}
	return decided
}

// OnSite is the preview of an action, with the site of the page to which it gives something.
func OnSite(a plan.Action, v run.Verdict) message.Message {
	if v.Site == "" || a.Preview.IsZero() || v.Spec.PageUse(a.Args) != tool.UsesPage {
		return a.Preview
	}
	return answers.OnSite(a.Preview, v.Site, v.Spec.Effect == tool.EffectFile)
}

// ForecastRisks returns the risks of a plan as the forecasts of its calls show them: a
// deletion that can be undone is not destructive. The static risk of an action without a
// forecast stays.
func ForecastRisks(risks []plan.Risk, actions []plan.Action, verdicts []run.Verdict) []plan.Risk {
	isDestructive := func(r plan.Risk) bool { return r.Kind == plan.Destructive }
	static := slices.ContainsFunc(risks, isDestructive)
	var deeds []message.Message
	changed := false
	for i, a := range actions {
		if i >= len(verdicts) { // never: each action has a verdict
			return risks
		}
		v := verdicts[i]
		changed = changed || v.Forecast != nil || v.Spec.MayDestroy
		if v.Destructive() || v.Forecast == nil && static && a.RiskLevel == plan.High && !a.ReadOnly {
			deeds = append(deeds, Forecast(a, v).Preview)
		}
	}
	if !changed && (static || len(deeds) == 0) {
		return risks
	}
	out := slices.DeleteFunc(slices.Clone(risks), isDestructive)
	if len(deeds) > 0 {
		out = append(out, plan.Risk{Kind: plan.Destructive, Details: message.New("plan.risk_destructive", "actions", deeds)})
	}
	return out
}

// ResultOfSteps returns a recorded result with the risks that the decisions on its steps saw. A
// result that lost a secret stays as it is.
func ResultOfSteps(recorded json.RawMessage, steps []trace.Step) json.RawMessage {
	r, err := planning.ReadResult(recorded)
	if err != nil {
		return recorded
	}
	p, ok := r.Plan()
	if !ok {
		return recorded
	}
	c := p.Content()
	decided := map[string]plan.RiskLevel{}
	for _, s := range steps {
		if s.RiskLevel != "" {
			decided[s.StepID] = plan.RiskLevel(s.RiskLevel)
		}
	}
	isDestructive := func(r plan.Risk) bool { return r.Kind == plan.Destructive }
	static := slices.ContainsFunc(c.Risks, isDestructive)
	var deeds []message.Message
	for i, a := range c.Actions {
		level, isDecided := decided[a.ActionID]
		c.Actions[i].RiskLevel = decideRisk(a.RiskLevel, level)
		if level == plan.High || !isDecided && static && a.RiskLevel == plan.High && !a.ReadOnly {
			deeds = append(deeds, a.Preview)
		}
	}
	if len(decided) == 0 {
		return recorded
	}
	c.Risks = slices.DeleteFunc(c.Risks, isDestructive)
	if len(deeds) > 0 {
		c.Risks = append(c.Risks, plan.Risk{Kind: plan.Destructive, Details: message.New("plan.risk_destructive", "actions", deeds)})
	}
	b, err := json.Marshal(withContent(r, c))
	if err != nil {
		return recorded
	}
	return b
}

// ResultOfDraft returns a recorded result with the risks that a draft of its plan shows. A
// result that is not of the draft's plan, or that lost a secret, stays as it is.
func ResultOfDraft(recorded json.RawMessage, d View) json.RawMessage {
	r, err := planning.ReadResult(recorded)
	if err != nil {
		return recorded
	}
	p, ok := r.Plan()
	if !ok || p.Len() != len(d.Actions) {
		return recorded
	}
	c := p.Content()
	c.Risks = d.Risks
	for i, a := range d.Actions {
		if a.ActionID != c.Actions[i].ActionID || a.Tool != c.Actions[i].Tool {
			return recorded
		}
		c.Actions[i].RiskLevel = a.RiskLevel
	}
	b, err := json.Marshal(withContent(r, c))
	if err != nil {
		return recorded
	}
	return b
}

// withContent returns a planner's answer with another content of its plan, or the answer itself
// if that is not a valid plan.
func withContent(r plan.Result, c plan.Content) plan.Result {
	shown, err := plan.New(c)
	if err != nil {
		return r
	}
	proof, _ := r.Proof()
	if r.Status() == plan.Partial {
		return plan.PartlySucceeded(shown, r.Reason(), r.Unmet(), proof)
	}
	return plan.NewSuccess(shown, proof)
}

// ForecastResult returns a planner's answer as the forecasts of its calls show it.
func ForecastResult(r *plan.Result, verdicts []run.Verdict) *plan.Result {
	if r == nil {
		return nil
	}
	p, ok := r.Plan()
	if !ok || p.Len() != len(verdicts) {
		return r
	}
	c := p.Content()
	c.Risks = ForecastRisks(c.Risks, c.Actions, verdicts)
	for i, a := range c.Actions {
		c.Actions[i] = Forecast(a, verdicts[i])
	}
	out := withContent(*r, c)
	return &out
}
