package interpret

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// readClauses joins the pieces into clauses. A boundary counts only if a command
// starts after it. Otherwise the piece continues the clause before it, as one more
// item of a list or as free text.
func (p *parser) readClauses() []parse.Clause {
	var done []parse.Clause
	var cur parse.Clause
	open := false
	start := func(pc segment) {
		cur = p.Read(pc.lo, pc.hi)
		cur.JoinedByAnd, cur.AfterOthers = p.continuesSentence(pc), p.hasThen(pc)
		if at := p.commandStart(pc); pc.afterBut && cur.Outcome == parse.Cancels {
			if _, keep := p.Longest(at, pc.hi, lexicon.Keep); keep { // "delete a.txt but keep it"
				cur.Outcome, cur.Negated, cur.Ask = parse.Asks, false, p.AskUnclear(parse.Span{Lo: at, Hi: pc.hi})
			}
		}
		p.Control.Apply(&cur)
		open = cur.Outcome != parse.Polite
	}
	for _, pc := range p.splitPieces() {
		if pc.lo >= pc.hi {
			if open && pc.repair && cur.Outcome != parse.Polite && (!cur.FreeText || pc.pause) {
				cur.Outcome, cur.FreeText, cur.NeedsReading = parse.Cancels, false, false
			} else if open && cur.FreeText && cur.Hi == pc.joint.Lo {
				cur.Hi, cur.NeedsReading = pc.hi, true
			}
			continue
		}
		p.AfterTopic = open && cur.IsTopic && cur.Outcome == parse.Understood
		either, choice := parse.Question{}, false
		if open {
			either, choice = p.readAlternative(&cur, pc)
		}
		switch {
		case !open:
			start(pc)
		case choice:
			cur.Outcome, cur.Ask, cur.HasList, cur.Hi = parse.Asks, either, true, pc.hi
		case cur.Outcome == parse.Unknown && p.isPlaceOnly(cur.Lo, cur.Hi):
			pc.lo = cur.Lo // "on youtube, look up nvidia"
			start(pc)
		case p.readAddressedSearch(&cur, pc):
		case p.applyRepair(&cur, pc):
		case cur.Frame == parse.FileFrame && cur.Outcome == parse.Understood && p.excludesFile(cur, pc):
			not, _ := p.Longest(pc.lo, pc.hi, lexicon.Not, lexicon.Instead)
			done = append(done, p.readToEnd(cur))
			cur = p.Files.Read(lexicon.Match{Entry: lexicon.Entry{Kind: cur.VerbKind, Lang: cur.Lang, Value: ""}, Len: 1}, cur.Verb, pc.lo+not.Len, pc.hi)
			cur.Lo, cur.Hi, cur.Negated, cur.HasList = pc.lo, pc.hi, true, true
			cur.Verb = parse.Span{} // it forbids this one thing and no command that follows
		case cur.Frame == parse.SearchFrame && p.excludesSite(pc.lo, pc.hi):
			cur = p.readToEnd(cur) // "cats on youtube, not on google"
			if cur.Hi, cur.HasList = pc.hi, true; !cur.NamesSite {
				cur.Outcome, cur.Ask = parse.Asks, p.AskUnclear(parse.Span{Lo: pc.lo, Hi: pc.hi})
			}
		case p.startsClause(&cur, pc):
			done = append(done, p.readToEnd(cur))
			start(pc)
		default:
			p.extend(&cur, pc)
		}
	}
	if open {
		done = append(done, p.readToEnd(cur))
	}
	return done
}

// readAddressedSearch reads a search whose site stands before it: "youtube, search
// for cats".
func (p *parser) readAddressedSearch(cur *parse.Clause, pc segment) bool {
	_, search := p.Longest(pc.lo, pc.hi, lexicon.Search, lexicon.SearchIn)
	if cur.Outcome != parse.Asks || cur.Ask.Code != "question.verb" || cur.Negated || !search || !p.Words.Catalogue.Searchable(cur.Ask.Thing.ID) {
		return false
	}
	c := p.Read(cur.Lo, pc.hi)
	if c.Outcome != parse.Understood || len(c.Drafts) != 1 || c.Drafts[0].Goal.Platform != cur.Ask.Thing.ID {
		return false
	}
	*cur = c
	return true
}

// isPlaceOnly reports whether [lo,hi) only names a place: "on youtube", "in chrome".
func (p *parser) isPlaceOnly(lo, hi int) bool {
	lo, _ = p.SkipLead(lo, hi)
	if p.IsPhrase(lo, hi, lexicon.AsPlace, lexicon.InIt) {
		return true
	}
	if m, ok := p.Longest(lo, hi, lexicon.Place); ok && m.Len > 1 && lo+m.Len == hi {
		return true
	}
	m, ok := p.Longest(lo, hi, lexicon.On, lexicon.Use)
	if !ok {
		return false
	}
	s, ok := p.Web.SiteAt(lo+m.Len, hi, false)
	return ok && lo+m.Len+s.Len == hi
}

// readToEnd reads a clause again, from its first to its last token, if it has grown.
func (p *parser) readToEnd(c parse.Clause) parse.Clause {
	if !c.NeedsReading || c.HasList || c.Outcome == parse.Cancels {
		return c
	}
	reread := p.Read(c.Lo, c.Hi)
	reread.JoinedByAnd, reread.AfterOthers, reread.Reads = c.JoinedByAnd, c.AfterOthers, c.Reads+1
	if c.Frame == parse.SearchFrame && c.NamesSite && !c.SiteFirst && reread.Frame == parse.SearchFrame && reread.Outcome == parse.Understood && !reread.NamesSite {
		reread.Outcome, reread.Ask = parse.Asks, p.AskUnclear(parse.Span{Lo: siteEnd(&c), Hi: c.Hi}) // "cats on youtube and dogs"
	}
	return reread
}

// siteEnd is the end of the site that a search names after its query.
func siteEnd(c *parse.Clause) int {
	end := c.Body
	for _, d := range c.Drafts {
		for _, s := range d.Spans {
			if s.Slot == "platform" {
				end = max(end, s.Hi)
			}
		}
	}
	return end
}

// maxReads bounds how often a growing clause is read again, so that the time stays
// linear in the text.
const maxReads = 8

// readAgain reads a growing clause before its end is known and reports whether it
// did.
func (p *parser) readAgain(c *parse.Clause) bool {
	if c.Reads >= maxReads {
		return false
	}
	c.NeedsReading = true
	*c = p.readToEnd(*c)
	return true
}

// continuesSentence reports whether a piece continues the sentence before it, so
// that it shares a negation: "don't open youtube and search for cats" forbids both
// commands, "don't open youtube, open gmail" only the first.
func (p *parser) continuesSentence(pc segment) bool {
	for i := pc.joint.Lo; i < pc.joint.Hi; i++ {
		if t := p.Tokens[i]; t.Shape == lexicon.MarkShape && t.Fold != "," {
			return false
		}
	}
	return (p.hasAnd(pc) || pc.beforeVerb || pc.unmarked && !pc.contrasts) && !pc.afterBut && !pc.repair
}

// startsClause reports whether a piece starts a command of its own after cur.
func (p *parser) startsClause(cur *parse.Clause, pc segment) bool {
	if pc.hasFileAfter || namesBefore(p, cur, pc) || pc.unmarked && !pc.contrasts && (cur.Frame != parse.OpenFrame || cur.Outcome != parse.Understood) {
		return false
	}
	if (cur.Frame == parse.OpenFrame || cur.Frame == parse.SearchFrame && cur.NamesSite && !cur.SiteFirst) && p.Web.IsEntity(pc.lo, p.TrimTail(pc.lo, pc.hi, true)) {
		return false
	}
	if _, site := p.Web.SiteAt(pc.lo, pc.hi, false); site && cur.Outcome == parse.Asks && cur.Drafts != nil {
		return false // "search youtube and google for cats"
	}
	if _, all := p.FindEnding(cur.Body, pc.joint.Lo, lexicon.BulkAll); all { // «найди всё, что я скачал»
		if _, relative := p.Longest(pc.lo, pc.hi, lexicon.Relative); relative {
			return false
		}
	}
	next := p.Read(pc.lo, pc.hi)
	if next.Destination != nil && cur.Frame == parse.SearchFrame && p.IsQuestionWord(cur.Body) {
		return false // "search how to take a photo and save it to documents"
	}
	if next.Frame == parse.TabFrame && (cur.NeedsPage && p.IsPhrase(pc.lo, p.TrimTail(pc.lo, pc.hi, true), lexicon.Submit) || cur.FreeText && p.IsQuestionWord(cur.Body)) {
		return false // "type cats and press enter", "search how to zoom in and scroll down"
	}
	if cur.Frame == parse.SearchFrame && next.Frame == parse.SearchFrame && p.continuesSearch(&next) {
		return false // "cats on youtube and find out how many there are"
	}
	if cur.FreeText && next.Frame == parse.ControlFrame && next.Verb.Hi-next.Verb.Lo == 1 && next.Verb.Hi == p.TrimTail(pc.lo, pc.hi, true) && !p.hasThen(pc) {
		return false // "search for work and play"
	}
	if pc.unmarked {
		return next.Outcome == parse.Understood && !next.Fuzzy && !next.VerbLast
	}
	if pc.beforeVerb {
		return cur.Frame == parse.OpenFrame && cur.Outcome == parse.Understood && next.Frame == parse.SearchFrame && next.Outcome == parse.Understood
	}
	if next.Outcome == parse.Cancels && pc.pause {
		return true
	}
	if (cur.Frame == parse.FileFrame || cur.Frame == parse.ActFrame) && cur.Outcome == parse.Understood && p.actsOnThing(pc) {
		return cur.Object != parse.FileType || !beginsText(p, pc) // "create a.txt and write hello in it"
	}
	if at := cur.Ask.At; cur.Outcome == parse.Asks && cur.FreeText && pc.pause && cur.Ask.Code == "question.query" && at.Lo >= at.Hi && !p.hasAnd(pc) {
		return false // "search google for ; rm -rf /": the text is the query
	}
	switch next.Outcome {
	case parse.Polite:
		return false
	case parse.Cancels:
		return !cur.FreeText
	}
	if cur.Frame == parse.FileFrame && cur.Plural && next.Outcome == parse.Asks && next.Body >= p.TrimTail(pc.lo, pc.hi, true) && !p.hasAnd(pc) {
		return false // "create folders src, bin and docs": a verb alone is a name
	}
	if next.Negated && pc.afterBut {
		instead, _ := p.Longest(pc.joint.Lo, pc.hi, lexicon.Instead)
		return !cur.FreeText || next.Outcome == parse.Understood || pc.joint.Lo+instead.Len <= pc.lo // "locksmiths open now but not open 24 hours"
	}
	if next.NeedsPage && !next.NamesSite && cur.Frame != parse.OpenFrame && cur.Frame != parse.TabFrame && !(next.Media == parse.CertainMedia && (cur.Frame == parse.ControlFrame || cur.Frame == parse.SystemFrame)) {
		return false
	}
	if next.Negated {
		return next.Frame != parse.NoFrame || !cur.FreeText || next.UnknownAction && pc.pause
	}
	if next.Shorthand && (cur.FreeText || !pc.pause) {
		return false
	}
	if !cur.FreeText || cur.Outcome == parse.Unknown && cur.Frame == parse.NoFrame {
		switch {
		case next.Outcome == parse.Understood:
			return true
		case next.Outcome == parse.Asks:
			return next.Frame != parse.NoFrame || next.Ask.Code == "question.referent"
		}
		return next.UnknownAction || p.actsOnThing(pc)
	}
	return p.startsAfterText(cur, &next, pc)
}

// startsAfterText reports whether next, which was read from a piece, starts a command
// after the free text of cur. Only what is clearly a command does.
func (p *parser) startsAfterText(cur, next *parse.Clause, pc segment) bool {
	switch {
	case next.Outcome == parse.Understood && next.Frame == parse.SystemFrame:
		_, isQuestion := p.Longest(p.commandStart(pc), pc.hi, lexicon.Ask)
		return isQuestion
	case next.Frame == parse.PageFrame && (next.Outcome == parse.Understood || next.Outcome == parse.Asks && next.Ask.Code != "question.form"):
		return true
	case next.IsTopic && !cur.IsTopic && p.IsQuestionWord(cur.Body):
		return false // "how to declare and define variables"
	case next.Outcome == parse.Understood:
		return !next.Fuzzy && !next.VerbLast
	case next.Outcome == parse.Asks && next.Frame == parse.SearchFrame && next.NamesSite && pc.pause:
		return true // "search google for ; …"
	case next.Outcome == parse.Asks && next.Frame != parse.NoFrame && next.Body < pc.hi:
		_, points := p.Longest(next.Body, pc.hi, lexicon.Determiner, lexicon.Pronoun, lexicon.Bulk, lexicon.Nothing)
		return points || lexicon.HasKind(lexicon.DeleteVerbs, next.VerbKind) && (next.Ask.Code == "question.bulk" || cur.Frame == parse.FileFrame && next.Ask.Code == "question.partial")
	case next.Outcome == parse.Unknown && p.actsOnReference(pc):
		return true
	case next.Outcome == parse.Asks && next.Frame == parse.SearchFrame && cur.Frame == parse.SearchFrame && searchesAgain(p, pc.lo, pc.hi):
		return true
	case next.UnknownAction:
		at := p.commandStart(pc)
		_, action := p.Longest(at, pc.hi, lexicon.OtherAction, lexicon.Device)
		m, _ := p.Longest(at, pc.hi, lexicon.OtherThing)
		_, points := p.Longest(at+m.Len, pc.hi, lexicon.Pronoun)
		return action || points || p.Web.IsEntity(at+m.Len, p.TrimTail(at, pc.hi, true)) // "email it", "close chrome"
	}
	return false
}

// continuesSearch reports whether a search asks about what the search before it finds: "find
// its price", "find out how many there are".
func (p *parser) continuesSearch(next *parse.Clause) bool {
	if next.NamesSite || next.Negated || next.IsTopic || searchesAgain(p, next.Lo, next.Hi) {
		return false
	}
	_, back := p.Longest(next.Body, next.Hi, lexicon.Back)
	_, asks := p.Longest(next.Body, next.Hi, lexicon.Interrogative)
	return back || asks
}

// actsOnReference reports whether a piece acts on the result of the clause before
// it: "and play the first video", "and put it in documents".
func (p *parser) actsOnReference(pc segment) bool {
	at, end := p.commandStart(pc), p.TrimTail(pc.lo, pc.hi, true)
	m, ok := p.Longest(at, pc.hi, lexicon.Play, lexicon.SearchOn, lexicon.OtherThing, lexicon.Put)
	it, points := p.Longest(at+m.Len, end, lexicon.Pronoun)
	return ok && points && (at+m.Len+it.Len == end || p.IsPhrase(at+m.Len+it.Len, end, lexicon.Place))
}

// actsOnThing reports whether a piece that is not understood acts on a file that it names, or on one
// of the clause before it: "and add stamps to it", "and put a.txt and b.txt there".
func (p *parser) actsOnThing(pc segment) bool {
	at := p.commandStart(pc)
	verb, ok := p.startsFileAction(at, pc.hi)
	end := p.TrimTail(at, len(p.Tokens), true) // "for me" points at nothing
	for i := at + verb.Len; ok && i < end && !parse.EndsSentence(p.Text, i); i++ {
		if _, points := p.Longest(i, end, lexicon.Pronoun, lexicon.InIt, lexicon.Original, lexicon.Product, lexicon.Archive); points || p.Tokens[i].Shape == lexicon.FileShape {
			return true
		}
	}
	return false
}

// beginsText reports whether a piece begins the text of a file that is created.
func beginsText(p *parser, pc segment) bool {
	_, joint := p.Longest(pc.joint.Lo, pc.hi, lexicon.Content)
	_, verb := p.Longest(pc.lo, pc.hi, lexicon.Content)
	return joint || verb
}

func (p *parser) commandStart(pc segment) int {
	at, _ := p.SkipLead(pc.lo, pc.hi)
	return at
}

func (p *parser) hasAnd(pc segment) bool {
	for i := pc.joint.Lo; i < pc.joint.Hi; i++ {
		if p.Tokens[i].Shape != lexicon.MarkShape {
			return true
		}
	}
	return false
}

// hasThen reports whether the joint before a piece says that it comes later: "and then".
func (p *parser) hasThen(pc segment) bool {
	for i := pc.joint.Lo; i < pc.joint.Hi; i++ {
		if _, ok := p.Longest(i, pc.joint.Hi, lexicon.Then); ok {
			return true
		}
	}
	return false
}

// readAlternative asks which alternative is meant, if a piece continues a choice
// that the clause before it started: «либо на хабре, либо на реддите».
func (p *parser) readAlternative(cur *parse.Clause, pc segment) (parse.Question, bool) {
	or, ok := p.Longest(pc.lo, pc.hi, lexicon.Or)
	if !ok || pc.lo+or.Len >= pc.hi {
		return parse.Question{}, false
	}
	for i := cur.Lo; i < cur.Hi; i++ {
		if first, ok := p.Longest(i, cur.Hi, lexicon.Or); ok && first.Len == or.Len && p.Fold(i) == p.Fold(pc.lo) {
			return p.AskChoice(parse.Span{Lo: i + first.Len, Hi: pc.joint.Lo}, parse.Span{Lo: pc.lo + or.Len, Hi: p.TrimTail(pc.lo, pc.hi, true)}), i+first.Len < pc.joint.Lo
		}
	}
	return parse.Question{}, false
}
