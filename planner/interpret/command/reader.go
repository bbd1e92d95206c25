// Package command reads one command with the reader of its kind: files, sites, tabs, timers.
package command

import (
	"slices"

	"errand/planner/interpret/almanac"
	"errand/planner/interpret/calculation"
	"errand/planner/interpret/control"
	"errand/planner/interpret/files"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/page"
	"errand/planner/interpret/parse"
	"errand/planner/interpret/refusal"
	"errand/planner/interpret/tabs"
	"errand/planner/interpret/timer"
	"errand/planner/interpret/topic"
	"errand/planner/interpret/web"
	"errand/planner/plan"
)

// Reader reads one command.
type Reader struct {
	*parse.Text
	Web   *web.Reader
	Files *files.Reader
	Page  *page.Reader
	Topic *topic.Reader
	Tabs  *tabs.Reader

	Control *control.Reader
	Refusal *refusal.Reader

	AfterTopic bool // the clause before is a topic, so that the next one needs no verb either: "…, and news about mars"
}

// NewReader returns a reader of the commands in a text.
func NewReader(t *parse.Text) *Reader {
	r := &Reader{
		Text:    t,
		Web:     &web.Reader{Text: t},
		Files:   files.NewReader(t),
		Tabs:    &tabs.Reader{Text: t},
		Refusal: &refusal.Reader{Text: t},
	}
	r.Page = &page.Reader{Text: t, Web: r.Web, Commands: r}
	r.Web.Commands = r
	r.Topic = &topic.Reader{Text: t, Web: r.Web}
	r.Control = &control.Reader{Text: t, Web: r.Web}
	return r
}

// Read reads tokens [lo,hi) as one command, including the politeness around it.
func (p *Reader) Read(lo, hi int) parse.Clause {
	c := parse.Clause{Lo: lo, Hi: hi, Lang: lexicon.AnyLang}
	for _, read := range []func() parse.Clause{func() parse.Clause { return p.ReadSystem(lo, hi, true) }, func() parse.Clause { return p.Tabs.Read(lo, hi) }} {
		if s := read(); s.Outcome == parse.Understood { // before "computer" is taken for a wake word, or "next" for the number of a step
			s.Lo, s.Hi = lo, hi
			return s
		}
	}
	if p.IsPhrase(p.SkipMarks(lo, hi), p.TrimTail(lo, hi, false), lexicon.Referent) && !p.startsCommand(lo, hi) {
		c.Outcome, c.Ask = parse.Asks, parse.Question{Code: "question.referent", At: parse.Span{Lo: lo, Hi: hi}}
		return c
	}
	at, ing := p.SkipLead(lo, hi)
	for i := lo + 1; i < at; i++ { // "please next tab": "next" may belong to either
		if s := p.Tabs.Read(i, hi); s.Outcome == parse.Understood {
			s.Lo, s.Hi = lo, hi
			return s
		}
	}
	if at == hi {
		c.Outcome = parse.Polite
		return c
	}
	end := p.TrimTail(at, hi, true)
	if p.IsPhrase(at, end, lexicon.Cancel) {
		c.Outcome, c.Negated = parse.Cancels, true
		return c
	}
	at = p.skipInstead(at, hi)
	if _, not := p.Longest(at, hi, lexicon.Not); not { // "do not disturb" forbids nothing
		if q := p.Control.Read(at, hi); q.Outcome == parse.Understood && q.Drafts[0].Goal.ObjectType == plan.QuietType {
			q.Lo, q.Hi = lo, hi
			return q
		}
	}
	if at, c.Negated = p.SkipNegation(at, hi); at >= end {
		c.Outcome = parse.Cancels
		return c
	}
	if p.IsPhrase(at, end, lexicon.Referent) && !p.startsCommand(at, end) {
		c.Outcome, c.Ask = parse.Asks, parse.Question{Code: "question.referent", At: parse.Span{Lo: lo, Hi: hi}}
		return c
	}
	if m, ok := p.FindEnding(at+1, end, lexicon.NotLast); ok && !p.searchesQuestion(at, end-m.Len) { // Russian «… открывать не надо»
		end, hi, c.Negated = end-m.Len, end-m.Len, true
	}
	if m, ok := p.findVoid(at, end); ok {
		end, hi, c.Negated = end-m.Len, end-m.Len, true
	}
	last, verb, isLast := p.findForbiddenVerb(at, end)
	if isLast {
		end, hi, c.Negated = last, last, true
	}
	best := p.Command(at, hi, ing || c.Negated) // "avoid opening"
	if at, _ := p.SkipLead(p.Skip(at, hi, lexicon.Lead), hi); best.Outcome != parse.Understood && at < hi {
		if reread := p.Command(at, hi, ing || c.Negated); reread.Outcome == parse.Understood {
			best = reread // «давай на ютубе найди»: the wrapper looked like a verb
		}
	}
	if isLast && best.Outcome != parse.Understood && lexicon.HasKind(lexicon.FileVerbs, verb.Kind) {
		best = p.Files.Read(verb, parse.Span{Lo: last, Hi: hi}, at, end)
	}
	if c.Negated && best.Outcome != parse.Understood && p.Web.IsEntity(at, end) { // "…, not youtube"
		best = parse.Clause{Frame: parse.OpenFrame, Lang: best.Lang}
		p.Web.OpenItem(&best, at, end)
	}
	best.Lo, best.Hi, best.Negated = lo, hi, c.Negated
	if lexicon.HasKind(lexicon.DeleteVerbs, best.VerbKind) && p.HasQuestionLead(lo, best.Verb.Lo) {
		p.askDeletion(&best, lo, hi) // "is it possible to delete …?" may want to know just that
	}
	if query, site := web.PlaysElsewhere(p.Web, &best); site != "" {
		p.askWhetherMeant(&best, best.Verb.Lo, p.Words.Answer(best.Lang, "search_site", "{query}", query, "{site}", site))
	}
	if from, to := parse.FindQuestion(p.Text, best.Verb); from < to {
		p.askWhetherMeant(&best, from, p.Cut(from, to))
	}
	return best
}

// startsCommand reports whether a word such as "go" is also a command without an
// object. The question about the object is more precise.
func (p *Reader) startsCommand(lo, hi int) bool {
	m, ok := p.Longest(lo, hi, lexicon.Open, lexicon.Search, lexicon.Delete, lexicon.Create)
	return ok && m.Len <= hi-lo
}

// Command reads [lo,hi) as a command of any kind. For an unsupported command about a
// page it gives the reason of the page reader, unless there is a more precise one.
func (p *Reader) Command(lo, hi int, ing bool) parse.Clause {
	if c := p.ReadSystem(lo, hi, true); c.Outcome == parse.Understood {
		return c // after "please" and the like
	}
	if c := calculation.Read(p.Text, lo, hi); c.Outcome == parse.Understood {
		return c
	}
	if c := almanac.Read(p.Text, lo, hi); c.Outcome == parse.Understood {
		return c
	}
	if c := p.Tabs.Read(lo, hi); c.Outcome != parse.Unknown {
		return c
	}
	later := timer.Read(p.Text, lo, hi)
	if later.Outcome == parse.Understood {
		return later
	}
	if c := p.Control.Read(lo, hi); c.Outcome != parse.Unknown {
		return c
	}
	if c := p.Topic.Read(lo, hi, p.startsText(lo), p.AfterTopic); c.Outcome != parse.Unknown {
		return c
	}
	if c := p.Web.SiteSays(lo, hi); c.Outcome != parse.Unknown {
		return c
	}
	if c, ok := p.Refusal.FindsOtherThings(lo, hi); ok {
		return c
	}
	if c := p.Files.Act(lo, hi); c.Outcome != parse.Unknown {
		return c
	}
	if p.isWholeText(lo, hi) {
		if c := p.Files.OpenBare(lo, p.TrimTail(lo, hi, true)); c.Outcome == parse.Understood {
			return c
		}
		for _, end := range []int{hi, p.TrimTail(lo, hi, false), p.TrimTail(lo, hi, true)} { // "today" may also be politeness
			if c := p.Files.FindWithoutVerb(lo, end); c.Outcome == parse.Understood {
				return c
			}
		}
	}
	page := p.Page.Read(lo, hi)
	if page.Outcome != parse.Unknown {
		return page
	}
	c := p.readCommand(lo, hi, ing)
	if c.Outcome == parse.Unknown && later.Reason != "" {
		c.Reason = later.Reason
	}
	if c.Outcome == parse.Unknown && page.Reason != "" && slices.Contains(refusal.WeakReasons, c.Reason) {
		c.Reason = page.Reason
	}
	return c
}

// readCommand tries the frames other than pages. It returns the first clause that is
// understood, else the first that has a question.
func (p *Reader) readCommand(lo, hi int, ing bool) parse.Clause {
	if c := p.readPlacePrefix(lo, hi); c.Outcome != parse.Unknown {
		return c
	}
	if c := p.readLongName(lo, hi); c.Outcome != parse.Unknown {
		return c
	}
	if m, ok := p.Longest(lo, hi, lexicon.OtherGoal); ok && m.Value == refusal.OtherThings && lo+m.Len >= p.TrimTail(lo, hi, true) {
		return parse.Clause{Lang: m.Lang, UnknownAction: true} // "find duplicate photos"
	}
	if c := p.readLinkTo(lo, hi); c.Outcome != parse.Unknown {
		return c
	}
	best := parse.Clause{Lang: lexicon.AnyLang}
	var typing parse.Clause // good only if a page was opened before
	consider := func(c parse.Clause) bool {
		if c.Outcome == parse.Understood && c.NeedsPage && !c.NamesSite {
			if typing.Outcome != parse.Understood {
				typing = c
			}
			return false
		}
		if c.Outcome == parse.Understood || c.Reason == "reason.unknown_scheme" { // that no shorter verb may overrule
			best = c
			return true
		}
		if best.Outcome == parse.Unknown && (c.Outcome == parse.Asks || best.Reason == "" && c.Reason != "") {
			best = c
		}
		return false
	}
	tried := 0
	for n := min(parse.MaxPhrase, hi-lo); n > 0; n-- {
		for _, m := range p.Matches[lo] {
			if m.Len != n || !lexicon.HasKind(lexicon.Verbs, m.Kind) || lexicon.IsGerund(m.Kind) && !ing {
				continue
			}
			tried++
			if consider(p.readVerb(m, lo, hi)) {
				return best
			}
		}
		if best.Outcome == parse.Asks {
			break // a shorter verb would take the rest of this one as its object: "find out if"
		}
	}
	action, isAction := p.Longest(lo, hi, lexicon.OtherAction, lexicon.Device)
	if goal, ok := p.Longest(lo, hi, lexicon.OtherGoal); ok && typing.Media == parse.NoMedia && lo+goal.Len > typing.Verb.Hi {
		typing = parse.Clause{} // "write an email"
	}
	if typing.Media == parse.MaybeMedia && isAction && lo+action.Len > typing.Verb.Hi {
		typing = parse.Clause{} // «поставь лайк»
	}
	if typing.Outcome == parse.Understood && (best.Outcome == parse.Unknown || best.Ask.Code == "question.unknown") {
		return typing
	}
	if best.Outcome == parse.Asks && slices.Contains(openQuestions, best.Ask.Code) && p.isOtherGoal(lo, hi) {
		return parse.Clause{Lang: best.Lang, UnknownAction: true}
	}
	if best.Outcome == parse.Asks && !(isAction && (best.Ask.Code == "question.unknown" || action.Len > best.Verb.Hi-lo)) {
		return best
	}
	if m, ok := p.Longest(lo, hi, lexicon.Device, lexicon.OtherAction, lexicon.OtherThing); ok {
		best.Outcome = parse.Unknown
		best.UnknownAction, best.Lang = true, m.Lang
		return best
	}
	if tried == 0 {
		if e, ok := p.Words.CorrectTypo(p.Tokens[lo].Fold, true, lexicon.CorrectedVerbs...); ok && p.Tokens[lo].Shape == lexicon.WordShape {
			c := p.readVerb(lexicon.Match{Entry: e, Len: 1}, lo, hi)
			c.Fuzzy = true
			if e.Kind == lexicon.Delete {
				p.askDeletion(&c, lo, hi)
			}
			if consider(c) {
				return best
			}
		}
		if c := p.readVerbSuffix(lo, hi); c.Outcome == parse.Understood {
			c.VerbLast = true
			return c
		}
	}
	if tried == 0 {
		if c := p.ReadBareAddress(lo, hi); c.Outcome != parse.Unknown {
			return c
		}
	}
	short := p.readShorthand(lo, hi)
	short.Shorthand = true
	consider(short)
	if best.Outcome == parse.Unknown && best.Reason == "" && tried == 0 {
		consider(p.askBareWords(lo, hi))
	}
	return best
}

// openQuestions ask what to open.
var openQuestions = []string{"question.unknown", "question.target", "question.choice"}

// isOtherGoal reports whether the command is one phrase for what goals can't express: "open a new
// tab".
func (p *Reader) isOtherGoal(lo, hi int) bool {
	m, ok := p.Longest(lo, hi, lexicon.OtherGoal)
	goesOn := m.Len > 1 && (m.Value == refusal.CommandLine || m.Value == refusal.ResultOfPage) // "run sudo …", "open the first result for …"
	return ok && (goesOn || lo+m.Len >= p.TrimTail(lo, hi, true))
}

// askDeletion asks whether a deletion was meant, if the words at token i leave a
// doubt.
func (p *Reader) askDeletion(c *parse.Clause, i, hi int) {
	p.askWhetherMeant(c, i, p.Words.Answer(c.Lang, "delete", "{name}", p.Cut(c.Body, p.TrimTail(c.Body, hi, true))))
}

// readLongName reads a text that starts with a name which starts like a verb:
// "google drive budget", "google maps". Before "of" it is the verb: "google images
// of cats".
func (p *Reader) readLongName(lo, hi int) parse.Clause {
	m, ok := p.Longest(lo, hi, lexicon.Site, lexicon.App)
	if _, verb := p.Longest(lo, hi, lexicon.Verbs...); !ok || !verb || m.Len < 2 {
		return parse.Clause{}
	}
	_, vague := p.Longest(lo+m.Len, hi, lexicon.Vague)
	switch end := p.TrimTail(lo, hi, true); {
	case lo+m.Len >= end:
		e, _ := p.Web.EntityAt(lo, hi, false)
		return parse.Clause{Outcome: parse.Asks, Ask: p.askVerb(e, lo), Lang: lexicon.AnyLang, Shorthand: true}
	case vague || m.Kind == lexicon.App:
		return parse.Clause{}
	}
	c := p.readShorthand(lo, hi)
	c.Shorthand = true
	return c
}

// readLinkTo asks what to do with a site whose address is asked for: "give me the link to youtube".
func (p *Reader) readLinkTo(lo, hi int) parse.Clause {
	c := parse.Clause{Lang: lexicon.AnyLang}
	m, ok := p.Longest(lo, hi, lexicon.LinkTo)
	if !ok {
		return c
	}
	at := p.SkipDeterminer(lo+m.Len, hi)
	if e, ok := p.Web.EntityAt(at, hi, false); ok && e.Site && at+e.Len == p.TrimTail(lo, hi, true) {
		c.Outcome, c.Ask, c.Lang = parse.Asks, p.askVerb(e, at), m.Lang
	}
	return c
}

// readVerb reads [lo,hi) as the command that starts with verb m.
func (p *Reader) readVerb(m lexicon.Match, lo, hi int) parse.Clause {
	verb := parse.Span{Lo: lo, Hi: lo + m.Len}
	switch {
	case lexicon.HasKind(lexicon.SearchVerbs, m.Kind):
		return p.Web.Search(m, verb, verb.Hi, hi)
	case lexicon.HasKind(lexicon.OpenVerbs, m.Kind):
		return p.Web.Open(m, verb, verb.Hi, hi)
	default:
		return p.Files.Read(m, verb, verb.Hi, hi)
	}
}
