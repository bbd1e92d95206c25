package web

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// Open reads the words after a verb of opening.
func (p *Reader) Open(verb lexicon.Match, at parse.Span, lo, hi int) parse.Clause {
	c := parse.Clause{Frame: parse.OpenFrame, Verb: at, VerbKind: verb.Kind, Lang: verb.Lang, Body: lo}
	hi = p.TrimTail(lo, hi, true)
	lo = p.SkipFillers(lo, hi)
	if lo >= hi {
		if asksForObject(verb.Kind) {
			c.Outcome, c.Ask = parse.Asks, parse.Question{Code: "question.target", At: parse.Span{Lo: lo, Hi: lo}}
		}
		return c
	}
	if found := p.openArticle(verb, at, lo, hi); found.Outcome == parse.Understood {
		return found
	}
	p.OpenItem(&c, lo, hi)
	if c.Outcome == parse.Asks && !asksForObject(verb.Kind) && c.Ask.Code == "question.unknown" {
		c.Outcome, c.Reason = parse.Unknown, "reason.nothing_to_open"
	}
	return c
}

// asksForObject reports whether a verb of opening asks for an unknown object. The
// others have too many other meanings.
func asksForObject(k lexicon.Kind) bool { return k != lexicon.Show }

// OpenItem reads one thing to open and adds its goal to c, or the question.
func (p *Reader) OpenItem(c *parse.Clause, lo, hi int) {
	openItem(p, c, lo, hi)
	if c.Outcome == parse.Asks && c.Ask.Code == "question.target" {
		offerInstalled(p, c)
	}
}

func openItem(p *Reader, c *parse.Clause, lo, hi int) {
	c.Outcome = parse.Understood
	lo, hi, inBrowser := p.trimBrowser(lo, hi)
	if n := p.InBrowser(lo, hi); n > 0 && n < hi-lo {
		c.Outcome, c.Ask = parse.Asks, p.AskUnclear(parse.Span{Lo: hi - n, Hi: hi})
		return
	}
	hi = p.TrimContrast(lo, hi)
	from := lo
	lo = p.SkipDeterminer(lo, hi)
	if lo == hi {
		lo = from
	}
	if lo == hi {
		askTarget(c, lo, lo)
		return
	}
	if not, ok := p.Longest(lo, hi, lexicon.Not); ok && p.IsEntity(lo+not.Len, hi) {
		return // "open not youtube but github"
	}
	if choices := p.Alternatives(lo, hi); choices != nil {
		c.Outcome, c.Ask = parse.Asks, parse.Question{Code: "question.choice", Choices: choices, At: parse.Span{Lo: lo, Hi: hi}}
		return
	}
	lo, isSite, isApp := p.skipNouns(lo, hi)
	if lo >= hi {
		askTarget(c, lo, lo)
		return
	}
	asSite := isSite || inBrowser || p.verbNamesSite(c.Verb)
	if p.IsQuoted(lo, hi) && p.openQuote(c, lo, asSite) || p.openAddress(c, from, lo, hi, asSite) || p.openKnown(c, lo, hi, asSite, isApp) {
		return
	}
	_, saysApp := p.FindEnding(lo+1, hi, lexicon.AppNoun) // "the folder app"
	if m, ok := p.Longest(lo, hi, lexicon.Folder, lexicon.File, lexicon.Folders, lexicon.Files); ok && m.Len == hi-lo {
		askTarget(c, from, hi)
		return
	} else if ok && !saysApp {
		c.Outcome, c.Reason = parse.Unknown, "reason.open_file"
		return
	}
	if _, ok := p.FindEnding(lo+1, hi, lexicon.Folder, lexicon.File); ok {
		c.Outcome, c.Reason = parse.Unknown, "reason.open_file" // "the reports folder"
		return
	}
	mayBeApp := !asSite && (asksForObject(c.VerbKind) || isApp || saysApp)
	if mayBeApp && (from < lo && openInstalled(p, c, from, hi) || openInstalled(p, c, lo, hi)) { // "my notes" may be all of a name
		return
	}
	if end, ok := p.endOfKnown(lo, hi); ok {
		c.Outcome, c.Ask = parse.Asks, p.AskUnclear(parse.Span{Lo: end, Hi: hi})
		return
	}
	c.Outcome, c.Ask = parse.Asks, parse.Question{Code: "question.unknown", Words: p.Cut(lo, hi), At: parse.Span{Lo: lo, Hi: hi}}
	if mayBeApp {
		c.Ask.Choices = appChoices(findInstalled(p, c, lo, hi).Near)
	}
}

// afterName begin words that say how, where or when to open something and are no part of its
// name.
var afterName = []lexicon.Kind{lexicon.On, lexicon.Use, lexicon.With, lexicon.For, lexicon.When, lexicon.If, lexicon.Manner, lexicon.Adverb, lexicon.Elsewhere, lexicon.TopicWhen, lexicon.Vague}

// endOfKnown finds a site or an app at token lo that words follow which can't be done: "youtube on
// my tv", "youtube twice".
func (p *Reader) endOfKnown(lo, hi int) (int, bool) {
	e, ok := p.EntityAt(lo, hi, false)
	if p.Tokens[lo].Shape == lexicon.LinkShape {
		e.Len, ok = 1, true
	}
	if !ok {
		return 0, false
	}
	end := p.Skip(lo+e.Len, hi, lexicon.SiteNoun, lexicon.AppNoun, lexicon.Window)
	_, more := p.Longest(end, hi, afterName...)
	return end, more
}

// askTarget asks what to open.
func askTarget(c *parse.Clause, lo, hi int) {
	c.Outcome, c.Ask = parse.Asks, parse.Question{Code: "question.target", At: parse.Span{Lo: lo, Hi: hi}}
}

// trimBrowser cuts off "in the browser" and reports whether it was there.
func (p *Reader) trimBrowser(lo, hi int) (from, to int, found bool) {
	for {
		m, ok := p.FindEnding(lo, hi, lexicon.AsPlace)
		if !ok || m.Len == hi-lo {
			break
		}
		hi, found = p.TrimTail(lo, hi-m.Len, true), true
	}
	if m, ok := p.Longest(lo, hi, lexicon.AsPlace); ok && lo+m.Len < hi { // "open in the browser youtube"
		return lo + m.Len, hi, true
	}
	return lo, hi, found
}

// skipNouns skips "the site", "the app called" before a name, and reports whether a
// noun means a site or an app.
func (p *Reader) skipNouns(lo, hi int) (at int, isSite, isApp bool) {
	lo = skipDescription(p, lo, hi)
	for {
		e, isEntity := p.Longest(lo, hi, lexicon.Site, lexicon.App)
		m, ok := p.Longest(lo, hi, lexicon.SiteNoun, lexicon.AppNoun)
		if !ok || lo+m.Len >= hi || isEntity && e.Len >= m.Len {
			return lo, isSite, isApp
		}
		isSite, isApp = isSite || m.Kind == lexicon.SiteNoun, isApp || m.Kind == lexicon.AppNoun
		lo = p.Skip(p.SkipPauses(lo+m.Len, hi), hi, lexicon.Determiner, lexicon.NameMarker)
	}
}

// openAddress opens an address, typed or spoken. It also handles what can't be opened
// because of its form. from is where [lo,hi) begins with its determiner.
func (p *Reader) openAddress(c *parse.Clause, from, lo, hi int, asSite bool) bool {
	t := p.Tokens[lo]
	switch {
	case !p.IsPhrase(lo, hi, lexicon.Site, lexicon.App) && (p.IsPhrase(lo, hi, lexicon.Pronoun, lexicon.Nothing, lexicon.Bulk, lexicon.BulkAll) || p.IsPhrase(from, hi, lexicon.Pronoun, lexicon.Nothing, lexicon.Bulk, lexicon.BulkAll)):
		askTarget(c, from, hi)
		return true
	case t.Shape == lexicon.BannedShape:
		c.Outcome, c.Reason = parse.Unknown, "reason.unknown_scheme"
		return true
	case t.Shape == lexicon.LinkShape || t.Shape == lexicon.FileShape && t.MaybeLink && (asSite || c.VerbKind == lexicon.Go || c.VerbKind == lexicon.GoGerund):
		end := hi
		if m, ok := p.FindEnding(lo+1, hi, lexicon.SiteNoun); ok {
			end = hi - m.Len
		}
		if end == lo+1 {
			p.Navigate(c, t.Value, parse.Span{Lo: lo, Hi: lo + 1})
			return true
		}
	case (t.Shape == lexicon.FileShape || t.Shape == lexicon.PathShape) && !p.isKnownName(lo, hi):
		c.Outcome, c.Reason = parse.Unknown, "reason.open_file"
		return true
	}
	for _, begin := range []int{from, lo} { // "my dash site dot com" begins with a determiner only in appearance
		if typed, ok := p.SpokenAddress(begin, hi); ok {
			p.Navigate(c, typed, parse.Span{Lo: begin, Hi: hi})
			return true
		}
	}
	return false
}

// openKnown opens a site or an app of the catalogue.
func (p *Reader) openKnown(c *parse.Clause, lo, hi int, asSite, isApp bool) bool {
	if e, ok := p.EntityAt(lo, hi, true); ok {
		end := lo + e.Len
		for {
			m, ok := p.Longest(end, hi, lexicon.SiteNoun, lexicon.AppNoun, lexicon.Window)
			if !ok {
				break
			}
			asSite, isApp = asSite || m.Kind == lexicon.SiteNoun, isApp || m.Kind == lexicon.AppNoun
			end += m.Len
		}
		if p.IsPhrase(end, hi, lexicon.SiteEnd) {
			end = hi
		}
		if end == hi && !(e.Fuzzy && e.Len != hi-lo && end-lo > 3) {
			if e.Fuzzy && !asSite && openInstalled(p, c, lo, hi) || askSiteOrApp(p, c, e, isApp && !asSite, lo, hi) {
				return true
			}
			p.OpenEntity(c, e, parse.Span{Lo: lo, Hi: lo + e.Len}, asSite)
			return true
		}
	}
	return false
}

// openQuote opens the site, app or address that fills a quoted span.
func (p *Reader) openQuote(c *parse.Clause, i int, asSite bool) bool {
	inside := &Reader{Text: p.Parse(p.Tokens[i].Value)}
	if e, ok := inside.EntityAt(0, len(inside.Tokens), false); ok && e.Len == len(inside.Tokens) {
		p.OpenEntity(c, e, parse.Span{Lo: i, Hi: i + 1}, asSite)
		return true
	}
	if len(inside.Tokens) == 1 && inside.Tokens[0].Shape == lexicon.LinkShape {
		p.Navigate(c, inside.Tokens[0].Value, parse.Span{Lo: i, Hi: i + 1})
		return true
	}
	return false
}

// verbNamesSite reports whether the verb itself names a site: "open the page".
func (p *Reader) verbNamesSite(verb parse.Span) bool {
	for i := verb.Lo; i < verb.Hi; i++ {
		if _, ok := p.Longest(i, verb.Hi, lexicon.SiteNoun); ok {
			return true
		}
	}
	return false
}

// OpenEntity adds the goal that opens a site or starts an app.
func (p *Reader) OpenEntity(c *parse.Clause, e parse.Entity, at parse.Span, asSite bool) {
	d := parse.Draft{Spans: []parse.SlotSpan{{Slot: "goal_type", Span: c.Verb, Fuzzy: false}, {Slot: "target", Span: at, Fuzzy: e.Fuzzy}}}
	if e.App && !(e.Site && asSite) {
		d.Goal = plan.Goal{GoalType: plan.AppLaunch, Target: e.ID}
	} else {
		s, _ := p.Words.Catalogue.Site(e.ID)
		d.Goal = plan.Goal{GoalType: plan.BrowserNavigate, Platform: s.ID, Target: s.Home}
	}
	c.Drafts = append(c.Drafts, d)
}
