package interpret

import (
	"fmt"
	"slices"

	"errand/planner/interpret/files"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// verdict is the result for a whole text.
type verdict struct {
	status   Status
	reason   string // code of the message that says why
	count    int    // of why_too_many
	question parse.Question
	drafts   []parse.Draft
}

// newVerdict evaluates the clauses of a text. There are goals only if every clause is
// understood.
func newVerdict(p *parser, clauses []parse.Clause) verdict {
	// Skip the clauses that were withdrawn.
	from := 0
	for i, c := range clauses {
		if c.Outcome != parse.Cancels {
			continue
		}
		from = i + 1
		at, _ := p.SkipLead(c.Lo, c.Hi)
		if not, ok := p.Longest(at, c.Hi, lexicon.Not); ok && (at+not.Len == c.Hi || p.Tokens[at+not.Len].Shape == lexicon.MarkShape) {
			for j := from; j < len(clauses); j++ { // "do not, under any circumstances, open": the pause ends nothing
				clauses[j].Negated = true
			}
		}
	}
	withdrawn := from > 0
	clauses = clauses[from:]
	files.Locate(clauses)

	var v verdict
	var forbidden []parse.Draft
	var trouble *parse.Clause
	var page *parse.Clause // the clause with the page that later clauses refer to
	positive, understood := 0, 0
	made := 0 // drafts of the clause before this one, if it is about a page
	for i := range clauses {
		c := &clauses[i]
		if i > 0 && clauses[i-1].Negated && (c.JoinedByAnd && clauses[i-1].Verb.Hi > 0 || p.continuesList(c, &clauses[i-1])) {
			c.Negated = true
		}
		if c.Negated {
			forbidden = append(forbidden, c.Drafts...)
			forbidden = append(forbidden, p.referencedDrafts(c, v.drafts)...)
			withdrawn = true
			if c.Outcome == parse.Unknown && !c.UnknownAction && c.Reason == "" && trouble == nil {
				trouble = c
			}
			continue
		}
		if p.page.TakesDestination(c, v.drafts[len(v.drafts)-made:]) || c.Outcome == parse.Understood && c.Destination != nil {
			p.page.Save(c, v.drafts[len(v.drafts)-made:], page)
		} else if c.Outcome == parse.Understood && len(c.Drafts) == 0 { // "open not youtube"
			withdrawn = true
			continue
		}
		positive++
		if c.Outcome == parse.Understood && c.NeedsPage && !c.NamesSite && !hasPage(p.Words, v.drafts) {
			c.Outcome, c.Reason = parse.Unknown, "reason.no_page"
			if c.PointsAtPage {
				c.Outcome, c.Ask = parse.Asks, parse.Question{Code: "question.referent", At: parse.Span{Lo: c.Lo, Hi: c.Hi}}
			}
		}
		if c.Outcome == parse.Understood {
			if c.PageWords > 0 && hasPage(p.Words, v.drafts) {
				p.web.DropPageWords(c)
			}
			p.page.Resolve(c, page)
		}
		if c.Outcome == parse.Understood {
			understood++
			v.drafts = append(v.drafts, c.Drafts...)
			page = p.page.PageAfter(c, page)
			if made = 0; c.Frame == parse.PageFrame {
				made = len(c.Drafts)
			}
		} else if trouble == nil || trouble.Outcome == parse.Unknown && c.Outcome == parse.Asks {
			trouble = c
		}
	}
	switch {
	case positive == 0 && withdrawn:
		return verdict{status: Unsupported, reason: "reason.forbidden"}
	case trouble == nil && understood == 0:
		return verdict{status: Unsupported, reason: "reason.no_command"}
	case trouble == nil:
	case trouble.Outcome == parse.Asks:
		trouble.Ask.Command = parse.Span{Lo: trouble.Lo, Hi: trouble.Hi}
		if trouble.Ask.Code == "question.unknown" {
			trouble.Ask.Choices = append(similarNames(p.Words, trouble.Ask.Words), offerUnknown(p.Words, trouble.Lang, trouble.Ask.Words)...)
		}
		trouble.Ask.Optional = trouble.Ask.Optional && !hasDeletion(clauses)
		return verdict{status: Ambiguous, question: trouble.Ask}
	case understood > 0:
		at, _ := p.SkipLead(trouble.Lo, trouble.Hi)
		q := p.AskUnclear(parse.Span{Lo: at, Hi: trouble.Hi})
		q.Command, q.Optional = q.At, !hasDeletion(clauses)
		return verdict{status: Ambiguous, question: q}
	default:
		reason := trouble.Reason
		if reason == "" {
			reason = "reason.out_of_reach"
		}
		return verdict{status: Unsupported, reason: reason}
	}
	if v.drafts, forbidden = dropLost(p.Text, v.drafts), dropLost(p.Text, forbidden); len(v.drafts) == 0 {
		return verdict{status: Unsupported, reason: "reason.forbidden"}
	}
	whole := parse.Span{Lo: 0, Hi: len(p.Tokens)}
	if c := findConflict(v.drafts, forbidden); c != nil {
		return verdict{status: Ambiguous, question: parse.Question{Code: "question.conflict", Command: whole, Conflict: c, Choices: conflictChoices(p.Text, c)}}
	}
	if at := p.resolveInside(v.drafts); at >= 0 {
		return verdict{status: Ambiguous, question: parse.Question{Code: "question.referent", At: parse.Span{Lo: at, Hi: at}, Command: whole, Inside: true}}
	}
	if q, ok := p.askIgnoredPage(v.drafts); ok {
		q.Command = whole
		return verdict{status: Ambiguous, question: q}
	}
	v.status = OK
	return v
}

// askIgnoredPage asks about a search that names no site, right after a visit to a page that
// can't be searched: "open example.com and search for cats". The default site may not be
// what the words mean.
func (p *parser) askIgnoredPage(drafts []parse.Draft) (parse.Question, bool) {
	for i, d := range drafts {
		if i == 0 || d.Goal.GoalType != plan.BrowserSearch || d.Goal.Platform != "" {
			continue
		}
		if g := drafts[i-1].Goal; g.GoalType != plan.BrowserNavigate || g.OnPage() || p.Words.Catalogue.Searchable(g.Platform) {
			continue
		}
		query, page := d.Slot("query"), drafts[i-1].Slot("target")
		if query.Lo >= query.Hi || p.Hint(query.Lo).Sure {
			continue
		}
		if u, ok := p.web.UnsearchableAt(page.Lo, page.Hi); ok && u.Hi == page.Hi {
			return p.web.AskHost(u, query), true
		}
		return p.AskWeb(query), true
	}
	return parse.Question{}, false
}

// hasDeletion reports whether a clause deletes. Then unclear words are never left
// out, because they may protect something ("except the logs").
func hasDeletion(clauses []parse.Clause) bool {
	return slices.ContainsFunc(clauses, func(c parse.Clause) bool { return lexicon.HasKind(lexicon.DeleteVerbs, c.VerbKind) && !c.Negated })
}

// continuesList reports whether a question only continues the list of the one before
// it: "don't tell me the time, the date".
func (p *parser) continuesList(c, before *parse.Clause) bool {
	at, _ := p.SkipLead(c.Lo, c.Hi)
	_, asked := p.Longest(at, c.Hi, lexicon.Ask)
	return c.Frame == parse.SystemFrame && before.Frame == parse.SystemFrame && !asked
}

// hasPage reports whether the last draft opens a page that one could type into:
// a site that can be searched, or a browser.
func hasPage(words *lexicon.Vocabulary, drafts []parse.Draft) bool {
	if len(drafts) == 0 {
		return false
	}
	switch g := drafts[len(drafts)-1].Goal; g.GoalType {
	case plan.BrowserNavigate:
		return words.Catalogue.Searchable(g.Platform)
	case plan.AppLaunch:
		a, _ := words.Catalogue.App(g.Target)
		return a.Browser
	}
	return false
}

// findConflict finds two goals that undo each other, or a goal that is both wanted
// and forbidden.
func findConflict(drafts, forbidden []parse.Draft) *parse.Conflict {
	for i, d := range drafts {
		for _, e := range forbidden {
			if d.Goal == e.Goal {
				return &parse.Conflict{One: d, Other: e, Forbidden: true}
			}
		}
		for _, e := range drafts[i+1:] {
			if d.Goal.GoalType == plan.FileOperation && e.Goal.GoalType == plan.FileOperation &&
				d.Goal.Target == e.Goal.Target && d.Goal.Action != e.Goal.Action {
				return &parse.Conflict{One: d, Other: e, Forbidden: false}
			}
		}
	}
	return nil
}

// resolveInside puts a file "in it" into the folder created before it, or into the
// folder that an answer names. If there is neither, it returns the first token of
// the file's name, else -1.
func (p *parser) resolveInside(drafts []parse.Draft) int {
	folder, named := -1, ""
	for i := range drafts {
		d := &drafts[i]
		if d.Inside {
			if t := p.Hint(d.First()); t.Folder != "" {
				named = t.Folder
			}
			if folder < 0 && named != "" {
				d.Goal.Target = parse.JoinPath(p.ExpandPlace(named), d.Goal.Target)
				continue
			}
			if folder < 0 {
				return d.First()
			}
			d.Goal.Target = parse.JoinPath(drafts[folder].Goal.Target, d.Goal.Target)
			d.Needs = folder + 1
			continue // the folder stays the place for the next one
		}
		if d.Goal.GoalType == plan.FileOperation && d.Goal.ObjectType == parse.FolderType && d.Goal.Action == "create" {
			folder = i
		}
	}
	return -1
}

// number gives the goals their ids and lists the words that caused each slot.
func (v verdict) number(p *parse.Text, text string) (plan.GoalSet, []Evidence) {
	goals := make([]plan.Goal, len(v.drafts))
	deps := map[string][]string{}
	evidence := []Evidence{}
	for i, d := range v.drafts {
		d.Goal.GoalID = fmt.Sprintf("g%d", i+1)
		goals[i] = d.Goal
		if d.Needs > 0 {
			deps[d.Goal.GoalID] = []string{fmt.Sprintf("g%d", d.Needs)}
		}
		for _, s := range d.Spans {
			if s.Lo >= s.Hi {
				continue
			}
			start, end := p.Origin(p.Tokens[s.Lo].Start, p.Tokens[s.Hi-1].End)
			if start < end { // else an answer caused it, and no words
				evidence = append(evidence, Evidence{d.Goal.GoalID, s.Slot, start, end, text[start:end], s.Fuzzy})
			}
		}
	}
	return plan.NewGoalSet(goals, deps), evidence
}
