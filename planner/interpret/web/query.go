package web

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// A query is free text, but not all text is a query. The checks below find words that belong
// to another request, or that name a place which the search would ignore. The reader asks
// about them. A quoted query, and one that the user confirmed, is not checked.

// checkQuery asks about a query that may hold more than a query. The words up to hi are those
// of the command.
func (s *search) checkQuery() {
	p := s.p
	if s.verb.Kind == lexicon.WriteIn && s.c.Outcome == parse.Understood {
		if s.checkField(); s.c.HasField {
			return
		}
	}
	if s.c.Outcome != parse.Understood || p.IsQuoted(s.q.Lo, s.q.Hi) || p.Hint(s.q.Lo).Certain {
		return
	}
	if u, ok := s.findHost(); ok {
		s.c.Outcome, s.c.Ask = parse.Asks, p.AskHost(u, s.q)
		return
	}
	if rest, ok := s.findRest(); ok {
		s.c.Outcome, s.c.Ask = parse.Asks, p.AskUnclear(rest)
		s.c.Ask.Description = s.q
		return
	}
	if rest, ok := (mediaSearch{s}).tail(); ok && s.verb.Kind == lexicon.Play {
		s.c.Outcome, s.c.Ask = parse.Asks, p.AskUnclear(rest)
		s.c.Ask.Description = s.q
		return
	}
	if end := p.TrimContrast(s.q.Lo, s.q.Hi); end < s.q.Hi { // "search bing for cats not google"
		s.c.Outcome, s.c.Ask = parse.Asks, p.AskUnclear(parse.Span{Lo: end, Hi: s.q.Hi})
		s.c.Ask.Description = s.q
		return
	}
	if now, ok := p.FindEnding(s.q.Lo+1, s.q.Hi, lexicon.SetNow); ok && !s.isQuestion(s.q.Lo) { // "search bing for cats from now on"
		s.c.Outcome, s.c.Ask = parse.Asks, p.AskUnclear(parse.Span{Lo: s.q.Hi - now.Len, Hi: s.q.Hi})
		s.c.Ask.Description = s.q
		return
	}
	own := ownSearch{s}
	if thing, ok := own.find(); ok {
		s.c.Outcome, s.c.Ask = parse.Asks, own.ask(thing)
		return
	}
	switch {
	case s.startsWithRow(), s.opensMatter():
		s.c.Outcome, s.c.Ask = parse.Asks, p.AskUnclear(s.q)
	case s.isReference():
		s.c.Outcome, s.c.Ask = parse.Asks, parse.Question{Code: "question.query", At: s.q}
	case s.isFragment(), s.isPrivate(), s.namesPart(), s.namesUnknownSite(), own.isElsewhere():
		s.c.Outcome, s.c.Ask = parse.Asks, p.AskWeb(s.q)
	}
}

// checkField asks about words after the field that a text is written into: "put nvidia in the
// search box and tell me the price".
func (s *search) checkField() {
	for i := s.q.Lo + 1; i < s.q.Hi; i++ {
		m, ok := s.p.Longest(i, s.q.Hi, lexicon.Field)
		if !ok || i+m.Len >= s.q.Hi {
			continue
		}
		s.c.Outcome, s.c.Ask = parse.Asks, s.p.AskUnclear(parse.Span{Lo: i + m.Len, Hi: s.q.Hi})
		return
	}
}

// isFree reports whether a word that announces free text stands before the query: "search
// for". Such a query may begin with any word.
func (s *search) isFree() bool {
	_, ok := s.p.FindEnding(s.c.Verb.Lo, s.q.Lo, lexicon.For)
	return ok
}

// isFragment reports whether the query begins like the rest of a sentence: "find out if …",
// "find and play …".
func (s *search) isFragment() bool {
	if _, engine := s.p.Longest(s.c.Verb.Lo, s.c.Verb.Hi, lexicon.OwnSite); engine { // "google is down" says something of the site
		if _, says := s.p.Longest(s.q.Lo, s.q.Hi, lexicon.Finite, lexicon.Not); says {
			return true
		}
	}
	m, ok := s.p.Longest(s.q.Lo, s.q.Hi, lexicon.NoStart)
	switch {
	case !ok || s.isFree() || s.c.NeedsPage:
		return false
	case s.c.NamesSite && !lexicon.HasKind(siteVerbs, s.verb.Kind): // «найди на ютубе если бы»
		and, joins := s.p.Longest(s.q.Lo, s.q.Hi, lexicon.And)
		return joins && s.startsRequest(s.q.Lo+and.Len, false)
	}
	return !s.isQuestion(s.q.Lo + m.Len)
}

// startsWithRow reports whether something is to be opened that only a page of results has: "open
// the first result for cats on youtube".
func (s *search) startsWithRow() bool {
	p := s.p
	first, ok := p.Longest(p.Skip(s.q.Lo, s.q.Hi, lexicon.Definite), s.q.Hi, lexicon.First)
	_, noun := p.Longest(p.Skip(s.q.Lo, s.q.Hi, lexicon.Definite)+first.Len, s.q.Hi, lexicon.Results, lexicon.SingleResult, lexicon.CountedResults, lexicon.Links)
	return ok && noun && lexicon.HasKind(siteVerbs, s.verb.Kind)
}

// opensMatter reports whether a part of the user's account is to be opened: «открой корзину на
// озоне».
func (s *search) opensMatter() bool {
	at := s.p.Skip(s.q.Lo, s.q.Hi, lexicon.Determiner, lexicon.Mine)
	return s.verb.Kind == lexicon.SearchOn && s.p.IsPhrase(at, s.q.Hi, lexicon.SiteMatter, lexicon.Private)
}

// isReference reports whether the query points at something and doesn't name it: "search the
// item".
func (s *search) isReference() bool {
	at := s.p.Skip(s.q.Lo, s.q.Hi, lexicon.Definite)
	return at > s.q.Lo && s.p.IsPhrase(at, s.q.Hi, lexicon.Generic)
}

// isPrivate reports whether the user's own data is looked for, which no site has: "find
// contact john", "locate my phone", "find john in contacts".
func (s *search) isPrivate() bool {
	p := s.p
	_, seek := p.Longest(s.c.Verb.Lo, s.c.Verb.Hi, lexicon.Seek)
	if _, engine := p.Longest(s.c.Verb.Lo, s.c.Verb.Hi, lexicon.OwnSite); engine || s.web || s.c.SiteFirst {
		return false
	}
	if m, ok := p.FindEnding(s.q.Lo+1, s.q.Hi, lexicon.Private); ok && s.isIn(s.q.Hi-m.Len) && !s.c.NamesSite {
		return true
	}
	if s.isFree() && !seek {
		return false
	}
	noun, own := p.Longest(s.q.Lo, s.q.Hi, lexicon.Private)
	if own && p.isIndefinite(s.q.Lo) && !(ownSearch{s}).endsNoun(s.q.Lo+noun.Len) {
		return false // "a mail server"
	}
	if s.c.NamesSite { // "show me the emails from amazon", but "find the emails from bob in gmail"
		return own && lexicon.HasKind(siteVerbs, s.verb.Kind)
	}
	if own {
		return true
	}
	_, mine := p.Longest(s.q.Lo, s.q.Hi, lexicon.Mine)
	return seek && mine
}

// isIn reports whether "in" or "in my" stands before the noun at token i.
func (s *search) isIn(i int) bool {
	p := s.p
	if _, in := p.FindEnding(s.q.Lo+1, i, lexicon.On); in {
		return true
	}
	for at := max(s.q.Lo+1, i-parse.MaxPhrase); at < i; at++ {
		on, ok := p.Longest(at, i, lexicon.On)
		if _, mine := p.Longest(at+on.Len, s.q.Hi, lexicon.Mine); ok && mine {
			return true
		}
	}
	return false
}

// namesPart reports whether the query ends in a part of a browser: "find calendar tab".
func (s *search) namesPart() bool {
	m, ok := s.p.FindEnding(s.q.Lo, s.q.Hi, lexicon.BrowserPart)
	_, engine := s.p.Longest(s.c.Verb.Lo, s.c.Verb.Hi, lexicon.OwnSite)
	return ok && !engine && m.Len <= s.q.Hi-s.q.Lo && !s.isFree() && !s.c.NamesSite && !s.web
}

// namesUnknownSite reports whether the query says that something is on a site or in an app
// that is not known: "the recipe in the cookingforu app", «ссылки на сайте пример».
func (s *search) namesUnknownSite() bool {
	p := s.p
	if s.c.NamesSite || s.web || s.isQuestion(s.q.Lo) {
		return false
	}
	for i := s.q.Lo + 1; i < s.q.Hi; i++ {
		on, ok := p.Longest(i, s.q.Hi, lexicon.On)
		if !ok {
			continue
		}
		at := p.Skip(i+on.Len, s.q.Hi, lexicon.Determiner)
		if noun, ok := p.Longest(at, s.q.Hi, lexicon.PlaceNoun); ok && at+noun.Len < s.q.Hi {
			return true
		}
		if noun, ok := p.FindEnding(at+1, s.q.Hi, lexicon.PlaceNoun); ok && s.q.Hi-noun.Len-at <= parse.MaxPhrase {
			return true
		}
	}
	return false
}
