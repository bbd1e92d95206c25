package interpret

import (
	"fmt"
	"slices"

	"errand/planner/plan"
)

// verdict is the outcome of a whole text.
type verdict struct {
	status   Status
	reason   string // key of the language's messages
	count    int    // of why_too_many
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
	located(clauses)

	var v verdict
	var forbidden []draft
	var trouble *clause
	var page *clause // that shows the page which is spoken of next
	positive, understood := 0, 0
	made := 0 // drafts of the clause before this one, if it is about a page
	for i := range clauses {
		c := &clauses[i]
		if i > 0 && clauses[i-1].negated && (c.joined && clauses[i-1].verb.hi > 0 || p.listed(c, &clauses[i-1])) {
			c.negated = true
		}
		if c.negated {
			forbidden = append(forbidden, c.drafts...)
			forbidden = append(forbidden, p.pointedAt(c, v.drafts)...)
			withdrawn = true
			if c.outcome == unknown && !c.foreign && c.reason == "" && trouble == nil {
				trouble = c
			}
			continue
		}
		if p.page.keepsMade(c, v.drafts[len(v.drafts)-made:]) || c.outcome == good && c.keeps != nil {
			p.page.keep(c, v.drafts[len(v.drafts)-made:], page)
		} else if c.outcome == good && len(c.drafts) == 0 { // "open not youtube"
			withdrawn = true
			continue
		}
		positive++
		if c.outcome == good && c.needNav && !c.named && !p.web.visited(v.drafts) {
			c.outcome, c.reason = unknown, "why_no_page"
			if c.there {
				c.outcome, c.ask = asks, question{key: "ask_referent", at: span{c.lo, c.hi}}
			}
		}
		if c.outcome == good {
			if c.onPage > 0 && p.web.visited(v.drafts) {
				p.web.onPage(c)
			}
			p.page.overThat(c, page)
		}
		if c.outcome == good {
			understood++
			v.drafts = append(v.drafts, c.drafts...)
			page = p.page.shown(c, page)
			if made = 0; c.frame == pageFrame {
				made = len(c.drafts)
			}
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
		trouble.ask.whole = span{trouble.lo, trouble.hi}
		if trouble.ask.key == "ask_unknown" {
			trouble.ask.choices = similar(p.words, trouble.ask.arg)
		}
		trouble.ask.optional = trouble.ask.optional && !deletes(clauses)
		return verdict{status: Ambiguous, question: trouble.ask}
	case understood > 0:
		at, _ := p.lead(trouble.lo, trouble.hi)
		q := p.partial(span{at, trouble.hi})
		q.whole, q.optional = q.at, !deletes(clauses)
		return verdict{status: Ambiguous, question: q}
	default:
		reason := trouble.reason
		if reason == "" {
			reason = "why_out_of_reach"
		}
		return verdict{status: Unsupported, reason: reason}
	}
	if v.drafts, forbidden = kept(p.Text, v.drafts), kept(p.Text, forbidden); len(v.drafts) == 0 {
		return verdict{status: Unsupported, reason: "why_forbidden"}
	}
	whole := span{0, len(p.toks)}
	if c := conflict(v.drafts, forbidden); c != nil {
		return verdict{status: Ambiguous, question: question{key: "ask_conflict", whole: whole, clash: c, choices: sides(p.Text, c)}}
	}
	if at := p.resolveInside(v.drafts); at >= 0 {
		return verdict{status: Ambiguous, question: question{key: "ask_referent", at: span{at, at}, whole: whole, inside: true}}
	}
	v.status = OK
	return v
}

// deletes reports whether a clause has a verb of deleting. What is unclear may
// then be what saves something ("except the logs"): it is never left out.
func deletes(clauses []clause) bool {
	return slices.ContainsFunc(clauses, func(c clause) bool { return has(deleteVerbs, c.verbKind) && !c.negated })
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
func (p *webReader) visited(drafts []draft) bool {
	if len(drafts) == 0 {
		return false
	}
	switch g := drafts[len(drafts)-1].goal; g.GoalType {
	case plan.BrowserNavigate:
		return p.words.catalogue.Searchable(g.Platform)
	case plan.AppLaunch:
		a, _ := p.words.catalogue.App(g.Target)
		return a.Browser
	}
	return false
}

// clash is two drafts of which only one can hold.
type clash struct {
	one, other draft
	forbidden  bool // the other one is not to be done
}

// conflict finds goals that undo each other, and goals that are wanted and
// forbidden at once.
func conflict(drafts, forbidden []draft) *clash {
	for i, d := range drafts {
		for _, e := range forbidden {
			if d.goal == e.goal {
				return &clash{d, e, true}
			}
		}
		for _, e := range drafts[i+1:] {
			if d.goal.GoalType == plan.FileOperation && e.goal.GoalType == plan.FileOperation &&
				d.goal.Target == e.goal.Target && d.goal.Action != e.goal.Action {
				return &clash{d, e, false}
			}
		}
	}
	return nil
}

// resolveInside puts what is to lie "in it" into the folder created before, or
// into the one that an answer names. Where there is none it returns the token
// at which the name of what lies in it begins, else -1.
func (p *parser) resolveInside(drafts []draft) int {
	folder, named := -1, ""
	for i := range drafts {
		d := &drafts[i]
		if d.inside {
			if t := p.told(d.first()); t.folder != "" {
				named = t.folder
			}
			if folder < 0 && named != "" {
				d.goal.Target = joinPath(p.known(named), d.goal.Target)
				continue
			}
			if folder < 0 {
				return d.first()
			}
			d.goal.Target = joinPath(drafts[folder].goal.Target, d.goal.Target)
			d.needs = folder + 1
			continue // the folder stays the place for the next one
		}
		if d.goal.GoalType == plan.FileOperation && d.goal.ObjectType == folderType && d.goal.Action == "create" {
			folder = i
		}
	}
	return -1
}

// goals numbers the drafts and says which words caused what.
func (v verdict) goals(p *Text, text string) (plan.GoalSet, []Evidence) {
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
			start, end := p.origin(p.toks[s.lo].start, p.toks[s.hi-1].end)
			if start < end { // else an answer caused it, and no words
				evidence = append(evidence, Evidence{d.goal.GoalID, s.slot, start, end, text[start:end], s.fuzzy})
			}
		}
	}
	return plan.NewGoalSet(goals, deps), evidence
}
