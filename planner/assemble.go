package planner

import (
	"slices"
	"strings"

	"errand/planner/message"
	"errand/planner/plan"
	"errand/planner/solve"
)

// assemble makes the plan of an outcome: arguments, effects, texts and risks.
func (a *agenda) assemble(o solve.Outcome) (plan.Plan, error) {
	actions := draftActions(o.Steps, a.texts)
	var reached []int // aims, in the order of the words
	achievedBy := ""
	last := -1
	actionOf := map[int]string{} // by aim
	for i, op := range o.Steps {
		x := &actions[i]
		x.ReadOnly = op.Tool.ReadOnly
		if op.Goal == solve.Bare {
			x.Args = supplierArgs(op.Tool)
			x.Preview = message.Verbatim(a.text("preview.run_tool", op.Tool.Name))
			x.RiskLevel = riskOf(*op.Tool, false)
			continue
		}
		m := a.aims[op.Goal]
		actionOf[op.Goal] = x.ActionID
		x.Args, _ = m.args(op.Tool)
		x.ExpectedEffect = m.effect
		x.Preview = message.Verbatim(oneLine(a.preview(m)))
		x.Reason = message.Verbatim(a.text("action.asked", x.Preview))
		x.RiskLevel = m.risk(*op.Tool)
		at := op.Goal
		switch {
		case m.copyOf > 0:
			at = m.copyOf - 1
			x.Args["from"] = actionOf[at]
			x.Preview = message.Verbatim(a.text("preview.keep_copy", m.path))
		case m.isImplied:
			x.Reason = message.Verbatim(a.text("action.needed"))
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
		language = a.language
	}
	c := plan.Content{
		Origin: origin, Language: language, Domain: a.domain(reached), Summary: message.Verbatim(a.summary(reached)),
		Inputs: plan.Inputs{RawText: a.request.Text, Voice: a.request.Voice}, Entities: a.entities(reached),
		Actions: actions, Risks: risksOf(actions, a.texts), GoalAchievedBy: achievedBy,
	}
	for _, m := range a.aims {
		if m.refusal != "" {
			c.Risks = append(c.Risks, plan.Risk{Kind: plan.MissingRequired, Details: message.Verbatim(m.refusal)})
		}
	}
	if v := a.request.Voice; v != nil && v.Confidence < plan.VoiceConfirmBelow {
		c.Risks = append(c.Risks, plan.Risk{Kind: plan.Ambiguous, Details: message.Verbatim(a.text("risk.unsure", v.Confidence*100))})
		c.NeedsClarification = []plan.Question{{
			ID: "voice", Question: message.Verbatim(a.text("question.heard", oneLine(v.Transcript))), FreeTextAllowed: true,
			Choices: []plan.Choice{{Label: message.Verbatim(a.text("choice.yes")), Value: "yes"}, {Label: message.Verbatim(a.text("choice.no")), Value: "no"}},
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
			plan.FileOperation: "files", plan.SystemQuery: "system",
		}[a.aims[i].goal.GoalType]
		if domain != "" && d != domain {
			return "mixed"
		}
		domain = d
	}
	return domain
}

// summary describes in one line all that the plan reaches.
func (a *agenda) summary(aims []int) string {
	parts := make([]string, len(aims))
	for i, n := range aims {
		parts[i] = oneLine(a.preview(a.aims[n]))
	}
	return strings.Join(parts, "; ")
}

// preview describes, in the language of the request, what reaching an aim does.
func (a *agenda) preview(m aim) string {
	switch {
	case m.goal.OnPage():
		return a.previewPage(m)
	}
	switch m.goal.GoalType {
	case plan.BrowserSearch:
		return a.text("preview.search", m.goal.Query, nameOrID(m.site.Name, m.goal.Platform))
	case plan.BrowserNavigate:
		return a.text("preview.open_page", m.url)
	case plan.AppLaunch:
		return a.text("preview.start_app", nameOrID(m.app.Name, m.goal.Target))
	case plan.FileOperation:
		if code := "file." + m.fileKey(); a.has(code) {
			return a.text(code, m.path)
		}
		return m.fileKey() + " " + m.path
	}
	if code := "query." + m.goal.Target; a.has(code) {
		return a.text("preview.tell", a.text(code))
	}
	return a.text("preview.tell", m.goal.Target)
}

// previewPage describes an action on a page and names the page.
func (a *agenda) previewPage(m aim) string {
	where := m.url
	if m.goal.GoalType == plan.BrowserSearch {
		where = a.text("page.of_search", m.goal.Query, nameOrID(m.site.Name, m.goal.Platform))
	}
	if m.fileKey() == plan.DownloadFile && m.goal.Query != "" {
		where = a.text("page.of_file", m.goal.Query, m.url)
	}
	if m.goal.Limit > 0 {
		where += a.text("page.at_most", m.goal.Limit)
	}
	if m.path != "" {
		where += a.text("page.into", m.path)
		if strings.HasSuffix(m.path, "/") && m.fileKey() == plan.DownloadFile {
			where += a.text("page.named_by_site")
		}
	}
	if code := "page." + m.fileKey(); a.has(code) {
		return a.text(code, where)
	}
	return m.fileKey() + " " + where
}

func nameOrID(name, id string) string {
	if name != "" {
		return name
	}
	return id
}

// oneLine replaces white space, including line breaks, by single spaces.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

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
