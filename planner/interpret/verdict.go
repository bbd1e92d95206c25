package interpret

import (
	"fmt"
	"slices"
	"strings"

	"errand/planner/interpret/files"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/interpret/refusal"
	"errand/planner/interpret/tabs"
	"errand/planner/interpret/web"
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
	rest := joinMentions(p, skipWithdrawn(p, clauses))
	t := tally{parser: p, withdrawn: slices.ContainsFunc(clauses, func(c parse.Clause) bool { return c.Outcome == parse.Cancels })}
	files.Locate(rest)
	if slices.ContainsFunc(rest, func(c parse.Clause) bool { return c.Negated }) {
		files.StopSets(rest)
	}
	for i := range rest {
		c := &rest[i]
		if i > 0 && rest[i-1].Negated && (c.JoinedByAnd && rest[i-1].Verb.Hi > 0 || p.continuesList(c, &rest[i-1])) {
			c.Negated = true
		}
		if c.Negated {
			t.forbid(c)
		} else {
			t.add(c)
		}
	}
	if v, ended := t.refuse(hasDeletion(rest)); ended {
		return v
	}
	return t.verdict()
}

// skipWithdrawn returns the clauses after the last one that withdraws the clauses before
// it.
func skipWithdrawn(p *parser, clauses []parse.Clause) []parse.Clause {
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
	return clauses[from:]
}

// tally collects what the clauses of a text say.
type tally struct {
	*parser
	drafts, forbidden []parse.Draft
	trouble           *parse.Clause // the clause that decides if there are no goals
	lastPage          *parse.Clause // the clause with the page that later clauses refer to
	stage             int           // of the drafts of the next clause
	draftCount        int           // drafts of the clause before the next one, if it is about a page
	withdrawn         bool          // something was withdrawn or forbidden
	platform          string        // the default site that a clause sets; empty: none
	visited           string        // the site that was opened for the search of the last clause; empty: none

	positive, understood int // clauses that are not negated, and those of them that are understood
}

// forbid adds a negated clause.
func (t *tally) forbid(c *parse.Clause) {
	t.forbidden = append(t.forbidden, c.Drafts...)
	t.forbidden = append(t.forbidden, t.referencedDrafts(c, t.drafts)...)
	t.withdrawn = true
	if c.Outcome == parse.Unknown && !c.UnknownAction && c.Reason == "" && t.trouble == nil {
		t.trouble = c
	}
}

// add adds a clause that is not negated.
func (t *tally) add(c *parse.Clause) {
	before := t.drafts[len(t.drafts)-t.draftCount:]
	if t.Page.TakesDestination(c, before) || c.Outcome == parse.Understood && c.Destination != nil {
		t.Page.Save(c, before, t.lastPage)
	} else if c.Outcome == parse.Understood && len(c.Drafts) == 0 { // "open not youtube"
		t.withdrawn = true
		return
	}
	t.resolveFile(c)
	tabs.ContinueTabs(t.Text, c, t.drafts)
	t.positive++
	if !hasPage(t.Words, t.drafts) {
		tabs.TypeOnPage(t.Text, c, t.drafts)
	}
	if isMedia := c.Media != parse.NoMedia && len(c.Drafts) == 1; c.Outcome == parse.Understood && c.NeedsPage && !c.NamesSite && isMedia && !hasPage(t.Words, t.drafts) {
		t.placeMedia(c)
	} else if c.Outcome == parse.Understood && c.NeedsPage && !c.NamesSite && !hasPage(t.Words, t.drafts) {
		c.Outcome, c.Reason = parse.Unknown, "reason.no_page"
		if c.PointsAtPage {
			c.Outcome, c.Ask = parse.Asks, parse.Question{Code: "question.referent", At: parse.Span{Lo: c.Lo, Hi: c.Hi}}
		}
	}
	leavesSite := len(c.Drafts) == 1 && c.Drafts[0].Goal.ObjectType == plan.SessionType && hasPage(t.Words, t.drafts) // "open github and log out"
	if c.Outcome == parse.Understood && (leavesSite || c.NeedsPage && t.writesOnSite(c)) {
		at, _ := t.SkipLead(c.Lo, c.Hi)
		c.Outcome, c.Ask = parse.Asks, t.AskUnclear(parse.Span{Lo: at, Hi: c.Hi})
	}
	if c.Outcome == parse.Understood {
		if c.PageWords+c.CarrierWords > 0 && hasPage(t.Words, t.drafts) {
			t.Web.DropPageWords(c, t.drafts[len(t.drafts)-1].Goal.Platform)
		} else {
			web.AskThere(t.Web, c, t.drafts)
		}
		t.Page.Resolve(c, t.lastPage)
	}
	if c.Outcome == parse.Understood {
		t.understood++
		t.setPlatform(c)
		if c.AfterOthers {
			t.stage++
		}
		for i := range c.Drafts {
			c.Drafts[i].Stage += t.stage
		}
		t.drafts = append(t.drafts, c.Drafts...)
		t.lastPage = t.Page.PageAfter(c, t.lastPage)
		isPicture := slices.ContainsFunc(c.Drafts, func(d parse.Draft) bool { return d.Goal.Action+"_"+d.Goal.ObjectType == plan.ScreenshotScreen })
		if t.draftCount = 0; c.Frame == parse.PageFrame || isPicture {
			t.draftCount = len(c.Drafts)
		}
	} else if t.trouble == nil || t.trouble.Outcome == parse.Unknown && !t.trouble.UnknownAction && c.Outcome == parse.Asks {
		t.trouble = c
	}
}

// refuse returns the verdict of a text that has no goals because of a clause, if there
// is such a clause. deletes says that the text deletes something.
func (t *tally) refuse(deletes bool) (v verdict, ended bool) {
	trouble := t.trouble
	switch {
	case t.positive == 0 && t.withdrawn:
		return verdict{status: Unsupported, reason: "reason.forbidden"}, true
	case trouble == nil && t.understood == 0:
		return verdict{status: Unsupported, reason: "reason.no_command"}, true
	case trouble == nil:
		return verdict{}, false
	case trouble.Outcome == parse.Asks && trouble.Ask.Code == "question.type" && t.Refusal.IsOtherThing(trouble):
		return verdict{status: Unsupported, reason: refusal.OtherGoal + refusal.OtherThings}, true
	case trouble.Outcome == parse.Asks && trouble.Ask.Code == "question.type" && t.Refusal.IsNote(trouble):
		return verdict{status: Unsupported, reason: refusal.HowTo + plan.AppendAction}, true
	case trouble.Outcome == parse.Asks:
		trouble.Ask.Command = parse.Span{Lo: trouble.Lo, Hi: trouble.Hi}
		switch trouble.Ask.Code {
		case "question.unknown":
			similar := web.SimilarNames(t.Words, trouble.Ask.Words)
			trouble.Ask.Choices = append(web.WithoutKnown(trouble.Ask.Choices, similar), similar...)
			if !trouble.Ask.InList { // whose other things a search would lose
				trouble.Ask.Choices = web.JoinChoices(web.OfferOnSite(t.Web, trouble), trouble.Ask.Choices, web.OfferUnknown(t.Words, trouble.Lang, trouble.Ask.Words))
			}
		case "question.bare": // nothing was to be opened, so that a search comes first
			trouble.Ask.Choices = web.JoinChoices(web.OfferUnknown(t.Words, t.Words.PackOf(t.Language), trouble.Ask.Words), web.SimilarNames(t.Words, trouble.Ask.Words))
		}
		trouble.Ask.Optional = trouble.Ask.Optional && !deletes
		return verdict{status: Ambiguous, question: trouble.Ask}, true
	case t.understood > 0:
		at, _ := t.SkipLead(trouble.Lo, trouble.Hi)
		q := t.AskUnclear(parse.Span{Lo: at, Hi: trouble.Hi})
		q.Command, q.Optional = q.At, !deletes
		return verdict{status: Ambiguous, question: q}, true
	}
	reason := t.Refusal.Reason(trouble)
	if q, ok := t.askRest(trouble, reason); ok {
		q.Optional = !deletes
		return verdict{status: Ambiguous, question: q}, true
	}
	return verdict{status: Unsupported, reason: reason}, true
}

// maxUnclear is the largest number of words at the end of a command that are asked about.
const maxUnclear = 12

// askRest asks about the words at the end of a command about files that nothing takes, if the
// words before them are understood: "move a.txt to downloads but ask me first".
func (t *tally) askRest(c *parse.Clause, reason string) (parse.Question, bool) {
	at, _ := t.SkipLead(c.Lo, c.Hi)
	if !strings.HasPrefix(reason, refusal.HowTo) && !(reason == "reason.page_text_only" && refusal.HasShape(t.Text, at, c.Hi, lexicon.FileShape)) {
		return parse.Question{}, false
	}
	for end := c.Hi - 1; end > at+1 && c.Hi-end <= maxUnclear; end-- {
		if t.Files.Act(at, end).Outcome != parse.Understood {
			continue
		}
		q := t.AskUnclear(parse.Span{Lo: end, Hi: c.Hi})
		q.Command = parse.Span{Lo: c.Lo, Hi: c.Hi}
		return q, true
	}
	return parse.Question{}, false
}

// verdict checks the drafts of clauses that are all understood.
func (t *tally) verdict() verdict {
	drafts, forbidden := dropLost(t.Text, t.drafts), dropLost(t.Text, t.forbidden)
	if len(drafts) == 0 {
		return verdict{status: Unsupported, reason: "reason.forbidden"}
	}
	whole := parse.Span{Lo: 0, Hi: len(t.Tokens)}
	if c := parse.FindConflict(drafts, forbidden); c != nil {
		return verdict{status: Ambiguous, question: parse.Question{Code: "question.conflict", Command: whole, Conflict: c, Choices: conflictChoices(t.Text, c)}}
	}
	if at := t.resolveInside(drafts); at >= 0 {
		return verdict{status: Ambiguous, question: parse.Question{Code: "question.referent", At: parse.Span{Lo: at, Hi: at}, Command: whole, Inside: true}}
	}
	if at := t.resolveInto(drafts); at >= 0 {
		return verdict{status: Ambiguous, question: parse.Question{Code: "question.referent", At: parse.Span{Lo: at, Hi: at + 1}, Command: whole, Inside: true}}
	}
	if q, ok := t.askIgnoredPage(drafts); ok {
		q.Command = whole
		return verdict{status: Ambiguous, question: q}
	}
	return verdict{status: OK, drafts: drafts}
}

// askIgnoredPage asks about a search that names no site, right after a visit to a page that
// can't be searched, or to a folder: "open example.com and search for cats". The default site
// may not be what the words mean.
func (p *parser) askIgnoredPage(drafts []parse.Draft) (parse.Question, bool) {
	for i, d := range drafts {
		if i == 0 || d.Goal.GoalType != plan.BrowserSearch || d.Goal.Platform != "" {
			continue
		}
		opened := drafts[i-1].Goal
		opensFolder := opened.GoalType == plan.FileOperation && (opened.Action == plan.OpenAction || opened.Action == plan.ListAction)
		if !opensFolder && (opened.GoalType != plan.BrowserNavigate || opened.OnPage() || p.Words.Catalogue.Searchable(opened.Platform)) {
			continue
		}
		query, page := d.Slot("query"), drafts[i-1].Slot("target")
		if query.Lo >= query.Hi || p.Hint(query.Lo).Certain {
			continue
		}
		if u, ok := p.Web.UnsearchableAt(page.Lo, page.Hi); ok && u.Hi == page.Hi {
			return p.Web.AskHost(u, query), true
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
	_, isQuestion := p.Longest(at, c.Hi, lexicon.Ask)
	return c.Frame == parse.SystemFrame && before.Frame == parse.SystemFrame && !isQuestion
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
		if d.Goal.GoalType == plan.FileOperation && d.Goal.ObjectType == parse.FolderType && slices.Contains([]string{"create", plan.OpenAction, plan.ListAction}, d.Goal.Action) {
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
	before, stage := 0, 0 // where the stage before and this one begin
	for i, d := range v.drafts {
		d.Goal.GoalID = fmt.Sprintf("g%d", i+1)
		goals[i] = d.Goal
		if i > 0 && d.Stage > v.drafts[i-1].Stage {
			before, stage = stage, i
		}
		for j := before; j < stage; j++ {
			deps[d.Goal.GoalID] = append(deps[d.Goal.GoalID], goals[j].GoalID)
		}
		if need := fmt.Sprintf("g%d", d.Needs); d.Needs > 0 && !slices.Contains(deps[d.Goal.GoalID], need) {
			deps[d.Goal.GoalID] = append(deps[d.Goal.GoalID], need)
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
