package planner

import (
	"math"
	"slices"

	"errand/planner/message"
	"errand/planner/plan"
	"errand/planner/solve"
)

// assemble makes the plan of an outcome: arguments, effects, texts and risks.
func (a *agenda) assemble(o solve.Outcome) (plan.Plan, error) {
	actions := draftActions(o.Steps)
	var reached []int // aims, in the order of the words
	achievedBy := ""
	last := -1
	actionOf := map[int]string{} // by aim
	several := a.changesSeveral()
	for i, op := range o.Steps {
		x := &actions[i]
		x.ReadOnly = op.Tool.ReadOnly
		if op.Goal == solve.Bare {
			x.Args = supplierArgs(op.Tool)
			x.Preview = message.New("plan.run_tool", "tool", op.Tool.Name)
			x.RiskLevel = riskOf(*op.Tool, false)
			continue
		}
		m := a.aims[op.Goal]
		actionOf[op.Goal] = x.ActionID
		x.Args, _ = m.args(op.Tool)
		x.ExpectedEffect = m.effect
		x.Preview = m.preview()
		x.Reason = message.New("plan.asked_for", "preview", x.Preview)
		x.RiskLevel = m.risk(*op.Tool)
		x.Several = several && m.changesExisting()
		at := op.Goal
		switch {
		case m.copyOf > 0:
			at = m.copyOf - 1
			x.Args["from"] = actionOf[at]
			x.Preview = message.New("plan.keep_copy", "path", m.path)
		case m.isImplied:
			x.Reason = message.New("plan.needed")
			continue
		}
		if at > last {
			last, achievedBy = at, x.ActionID
		}
	}
	setScopes(actions)
	for _, f := range o.Goal {
		if i, ok := a.byFact[f]; ok {
			reached = append(reached, i)
		}
	}
	slices.Sort(reached)
	origin, language := a.request.Origin, a.request.Language
	if origin == "" {
		origin = plan.UserGoal
	}
	if language == "" {
		language = defaultLanguage
	}
	c := plan.Content{
		Origin: origin, Language: language, Domain: a.domain(reached), Summary: a.summary(reached),
		Inputs: plan.Inputs{RawText: a.request.Text, Voice: a.request.Voice}, Entities: a.entities(reached),
		Actions: actions, Risks: risksOf(actions), GoalAchievedBy: achievedBy,
	}
	for _, m := range a.aims {
		if !m.refusal.IsZero() {
			c.Risks = append(c.Risks, plan.Risk{Kind: plan.MissingRequired, Details: m.refusal})
		}
	}
	if v := a.request.Voice; v != nil && v.Confidence < plan.VoiceConfirmBelow {
		c.Risks = append(c.Risks, plan.Risk{Kind: plan.Ambiguous, Details: message.New("plan.risk_unsure", "percent", math.Round(v.Confidence*100))})
		c.NeedsClarification = []plan.Question{{
			ID: "voice", Question: message.New("question.heard", "transcript", oneLine(v.Transcript)), FreeTextAllowed: true,
			Choices: []plan.Choice{{Label: message.New("question.choice_yes"), Value: "yes"}, {Label: message.New("question.choice_no"), Value: "no"}},
		}}
	}
	return plan.New(c)
}

// risk is HIGH for deleting, whatever the tool declares, and LOW for opening,
// starting and creating what the user asked for.
func (m aim) risk(c plan.Capability) plan.RiskLevel {
	deletes := m.action == "delete" || deletesByName(plan.Action{Tool: c.Name})
	if c.RiskLevel == "" && !deletes {
		return plan.Low
	}
	return riskOf(c, deletes)
}

// domain is the domain of all aims, or "mixed".
func (a *agenda) domain(aims []int) string {
	domain := ""
	for _, i := range aims {
		d := map[plan.GoalType]string{
			plan.BrowserSearch: "browser", plan.BrowserNavigate: "browser", plan.AppLaunch: "apps",
			plan.FileOperation: "files", plan.SystemQuery: "system", plan.SystemControl: "system",
			plan.PageControl: "browser",
		}[a.aims[i].goal.GoalType]
		if domain != "" && d != domain {
			return "mixed"
		}
		domain = d
	}
	return domain
}

// entities are the sites and apps that the aims name, each decided.
func (a *agenda) entities(aims []int) []plan.Entity {
	var out []plan.Entity
	seen := map[string]bool{}
	add := func(kind, id, name, url string) {
		if id == "" || seen[kind+id] {
			return
		}
		seen[kind+id] = true
		out = append(out, plan.Entity{
			Kind: kind, Query: id, SelectedID: id, Confidence: 1,
			Candidates: []plan.Candidate{{ID: id, Name: nameOrID(name, id), URL: url}},
		})
	}
	for _, i := range aims {
		m := a.aims[i]
		add("site", m.site.ID, m.site.Name, m.site.Home)
		add("app", m.app.ID, m.app.Name, "")
	}
	return out
}
