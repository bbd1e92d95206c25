package interpret

import (
	"fmt"

	"errand/planner/plan"
)

// verdict is the outcome of a whole text.
type verdict struct {
	status   Status
	reason   string // key of the language's messages
	question question
	drafts   []draft
}

// judge weighs the clauses: goals only if each of them is understood.
func judge(p *parser, clauses []clause) verdict {
	// What was taken back never was said.
	from := 0
	for i, c := range clauses {
		if c.outcome != cancels {
			continue
		}
		from = i + 1
		at, _ := p.lead(c.lo, c.hi)
		if not, ok := p.longest(at, c.hi, kNot); ok && (at+not.n == c.hi || p.toks[at+not.n].shape == mark) {
			for j := from; j < len(clauses); j++ { // "do not, under any circumstances, open": the pause ends nothing
				clauses[j].negated = true
			}
		}
	}
	withdrawn := from > 0
	clauses = clauses[from:]

	var v verdict
	var forbidden []draft
	var trouble *clause
	positive, understood := 0, 0
	for i := range clauses {
		c := &clauses[i]
		if i > 0 && clauses[i-1].negated && (c.joined || p.listed(c, &clauses[i-1])) {
			c.negated = true
		}
		if c.negated {
			forbidden = append(forbidden, c.drafts...)
			withdrawn = true
			if c.outcome == unknown && !c.foreign && c.reason == "" && trouble == nil {
				trouble = c
			}
			continue
		}
		positive++
		if c.outcome == good && c.needNav && !c.named && !p.in.visited(v.drafts) {
			c.outcome, c.reason = unknown, "why_no_page"
		}
		if c.outcome == good {
			understood++
			v.drafts = append(v.drafts, c.drafts...)
		} else if trouble == nil || trouble.outcome == unknown && c.outcome == asks {
			trouble = c
		}
	}
	switch {
	case positive == 0 && withdrawn:
		return verdict{status: Unsupported, reason: "why_forbidden"}
	case trouble == nil && understood == 0:
		return verdict{status: Unsupported, reason: "why_no_command"}
	case trouble == nil:
	case trouble.outcome == asks:
		return verdict{status: Ambiguous, question: trouble.ask}
	case understood > 0:
		at, _ := p.lead(trouble.lo, trouble.hi)
		return verdict{status: Ambiguous, question: question{key: "ask_partial", arg: p.cut(at, trouble.hi)}}
	default:
		reason := trouble.reason
		if reason == "" {
			reason = "why_out_of_reach"
		}
		return verdict{status: Unsupported, reason: reason}
	}
	if conflict(v.drafts, forbidden) {
		return verdict{status: Ambiguous, question: question{key: "ask_conflict"}}
	}
	if !resolveInside(v.drafts) {
		return verdict{status: Ambiguous, question: question{key: "ask_referent"}}
	}
	v.status = OK
	return v
}

// listed reports whether a question only goes on with the list of the one
// before it: "don't tell me the time, the date".
func (p *parser) listed(c, before *clause) bool {
	at, _ := p.lead(c.lo, c.hi)
	_, asked := p.longest(at, c.hi, kAsk)
	return c.frame == systemFrame && before.frame == systemFrame && !asked
}

// visited reports whether the words opened a page that one could type into: a
// site that can be searched, or a browser.
func (i *Interpreter) visited(drafts []draft) bool {
	if len(drafts) == 0 {
		return false
	}
	switch g := drafts[len(drafts)-1].goal; g.GoalType {
	case plan.BrowserNavigate:
		return i.searchable(g.Platform)
	case plan.AppLaunch:
		a, _ := i.cat.App(g.Target)
		return a.Browser
	}
	return false
}

// conflict finds goals that undo each other, and goals that are wanted and
// forbidden at once.
func conflict(drafts, forbidden []draft) bool {
	for i, d := range drafts {
		for _, e := range forbidden {
			if d.goal == e.goal {
				return true
			}
		}
		for _, e := range drafts[i+1:] {
			if d.goal.GoalType == plan.FileOperation && e.goal.GoalType == plan.FileOperation &&
				d.goal.Target == e.goal.Target && d.goal.Action != e.goal.Action {
				return true
			}
		}
	}
	return false
}

// resolveInside puts what is to lie "in it" into the folder created before.
func resolveInside(drafts []draft) bool {
	folder := -1
	for i := range drafts {
		d := &drafts[i]
		if d.inside {
			if folder < 0 {
				return false
			}
			d.goal.Target = joinPath(drafts[folder].goal.Target, d.goal.Target)
			d.needs = folder + 1
			continue // the folder stays the place for the next one
		}
		if d.goal.GoalType == plan.FileOperation && d.goal.ObjectType == folderType && d.goal.Action == "create" {
			folder = i
		}
	}
	return true
}

// goals numbers the drafts and says which words caused what.
func (v verdict) goals(p *parser) (plan.GoalSet, []Evidence) {
	goals := make([]plan.Goal, len(v.drafts))
	deps := map[string][]string{}
	evidence := []Evidence{}
	for i, d := range v.drafts {
		d.goal.GoalID = fmt.Sprintf("g%d", i+1)
		goals[i] = d.goal
		if d.needs > 0 {
			deps[d.goal.GoalID] = []string{fmt.Sprintf("g%d", d.needs)}
		}
		for _, s := range d.spans {
			if s.lo >= s.hi {
				continue
			}
			start, end := p.toks[s.lo].start, p.toks[s.hi-1].end
			evidence = append(evidence, Evidence{d.goal.GoalID, s.slot, start, end, p.text[start:end], s.fuzzy})
		}
	}
	return plan.NewGoalSet(goals, deps), evidence
}
