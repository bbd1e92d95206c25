package web

import (
	"strings"
	"unicode/utf8"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// search is a search while it is read. The query shrinks from both ends to the free
// text.
type search struct {
	p         *Reader
	verb      lexicon.Match
	c         parse.Clause
	q         parse.Span // the query
	end       int        // its end if no politeness at all belongs to it
	site      Site
	siteSpan  parse.Span
	moreSites []Site // searched as well: "on youtube and on google"
	web       bool   // the web at large was named

	choices    []plan.Choice // "youtube or bing" before the query
	choiceSpan parse.Span
}

// siteVerbs search only if a site is named.
var siteVerbs = []lexicon.Kind{lexicon.SearchOn, lexicon.SearchOnGerund, lexicon.SearchAt}

// Search reads the words after a search verb.
func (p *Reader) Search(verb lexicon.Match, at parse.Span, lo, hi int) parse.Clause {
	if q, ok := p.otherCommand(at, lo, hi); ok {
		return parse.Clause{Frame: parse.SearchFrame, Outcome: parse.Asks, Ask: q, Verb: at, VerbKind: verb.Kind, Lang: verb.Lang, Body: lo}
	}
	s := &search{p: p, verb: verb}
	s.c = parse.Clause{Frame: parse.SearchFrame, Verb: at, VerbKind: verb.Kind, Lang: verb.Lang, FreeText: true, Body: lo}
	s.skipPlace(lo, hi)
	s.dropManner(hi)
	if s.fillsField(at) {
		return parse.Clause{Lang: verb.Lang, Reason: "reason.no_form"}
	}
	if n := p.InBrowser(s.q.Lo, s.end); n > 0 && n < s.end-s.q.Lo && !p.IsQuestionWord(s.q.Lo) {
		s.c.Outcome, s.c.Ask = parse.Asks, p.AskUnclear(parse.Span{Lo: s.end - n, Hi: s.end})
		return s.c
	}
	if s.choices == nil {
		s.choices, s.choiceSpan = s.trimPlace()
	}
	if s.choices != nil {
		s.c.Outcome, s.c.Ask = parse.Asks, parse.Question{Code: "question.choice", Choices: s.choices, At: s.choiceSpan, Site: true}
		return s.c
	}
	if s.c.Outcome == parse.Asks {
		return s.c
	}
	s.trimField()
	s.trim()
	if s.isLocal(hi) {
		c := parse.Clause{Lang: verb.Lang}
		if !lexicon.HasKind(siteVerbs, verb.Kind) { // "read the file" is not a search
			c.Reason = "reason.no_local_search"
		}
		return c
	}
	if wantsContents(s) {
		return parse.Clause{Lang: verb.Lang, Reason: "reason.file_contents"}
	}
	c := s.finish()
	if c.Outcome == parse.Understood && c.Frame == parse.SearchFrame {
		s.checkQuery()
		return s.c
	}
	return c
}

// setSite sets the site that the words name.
func (s *search) setSite(from int, where Site) {
	s.site, s.siteSpan = where, parse.Span{Lo: from, Hi: from + where.Len}
	s.c.NamesSite = true
}

// dropManner cuts words off the end that say how to search: politeness, "in a new
// tab", "in the search bar", "not google".
func (s *search) dropManner(hi int) {
	p, lo := s.p, s.q.Lo
	s.q.Hi = p.TrimTail(lo, hi, false)
	s.end = p.TrimTail(lo, hi, true)
	if m, ok := p.FindEnding(lo, s.end, lexicon.AsPlace); ok && m.Len < s.end-lo && !p.IsQuestionWord(lo) {
		if _, _, site := p.TrailingSite(lo, s.end); !site {
			s.end, s.q.Hi = p.TrimTail(lo, s.end-m.Len, true), p.TrimTail(lo, s.end-m.Len, false)
		}
	}
	if m, ok := p.FindEnding(lo+1, s.end, lexicon.There); ok && m.Len > 1 && !s.c.NamesSite { // "search for cats on this site"
		s.end -= m.Len
		s.q.Hi = s.end
		s.c.NeedsPage, s.c.PointsAtPage = true, true
	}
	if s.verb.Kind == lexicon.TypeIn || s.verb.Kind == lexicon.WriteIn {
		s.c.NeedsPage = true
	}
	s.trimField()
	s.end = p.TrimContrast(lo, s.end)
}

// trimField cuts off the field that the words are typed into: "in the search box".
func (s *search) trimField() {
	p := s.p
	if _, types := p.Longest(s.c.Verb.Lo, s.c.Verb.Hi, lexicon.Typing); !types && s.verb.Kind != lexicon.TypeIn {
		return
	}
	if m, ok := p.FindEnding(s.q.Lo, min(s.end, s.q.Hi), lexicon.Field); ok && m.Len < s.q.Hi-s.q.Lo {
		s.q.Hi = min(s.end, s.q.Hi) - m.Len
		s.end, s.c.HasField = s.q.Hi, true
	}
}

// trim drops punctuation around the query and empty words before it ("videos of").
func (s *search) trim() {
	p := s.p
	for s.q.Lo < s.q.Hi && p.Tokens[s.q.Lo].Shape == lexicon.MarkShape && (parse.IsPause(p.Fold(s.q.Lo)) || p.Fold(s.q.Lo) == "\n") {
		s.q.Lo++
	}
	for s.q.Hi-1 > s.q.Lo && p.Tokens[s.q.Hi-1].Shape == lexicon.MarkShape {
		s.q.Hi--
	}
	if m, ok := p.Longest(s.q.Lo, s.q.Hi, lexicon.Carrier, lexicon.CarrierMedia); ok && s.q.Lo+m.Len < s.q.Hi {
		if m.Kind == lexicon.Carrier || s.c.NamesSite && !p.Words.Catalogue.Engine(s.site.ID) {
			s.q.Lo += m.Len
		} else if !s.c.NamesSite {
			s.c.CarrierWords = m.Len
		}
	}
}

// finish decides whether the search is understood.
func (s *search) finish() parse.Clause {
	p, words := s.p, s.q.Hi
	for words > s.q.Lo && p.Tokens[words-1].Shape == lexicon.SymbolShape {
		words--
	}
	politeness := p.IsPhrase(s.q.Lo, words, lexicon.Tail) || words == s.q.Lo && s.q.Lo > s.c.Verb.Hi && p.IsPolite(s.c.Verb.Hi, s.q.Lo)
	empty := s.q.Lo >= s.q.Hi || isEmptyQuote(p.Cut(s.q.Lo, s.q.Hi)) || politeness
	nothing := parse.Clause{Lang: s.verb.Lang, Reason: "reason.no_site"}
	if p.IsPhrase(s.c.Verb.Lo, s.q.Hi, lexicon.Device) {
		return nothing
	}
	switch s.verb.Kind {
	case lexicon.LookUp:
		up, ok := p.FindEnding(s.q.Lo, s.q.Hi, lexicon.Up)
		if !ok {
			return parse.Clause{Lang: s.verb.Lang}
		}
		s.q.Hi -= up.Len
		empty = s.q.Lo >= s.q.Hi
	case lexicon.WriteIn:
		if empty || s.c.NamesSite && !s.c.HasField {
			return nothing
		}
	case lexicon.TypeIn:
		if empty {
			return nothing
		}
	case lexicon.Play:
		if empty && !s.c.NamesSite {
			return nothing
		}
		s.c.NeedsPage = !s.c.NamesSite
		if c, ok := (mediaSearch{s}).open(); ok {
			return c
		}
		if s.c.Media = (mediaSearch{s}).media(); s.c.Media != parse.NoMedia && !s.c.NamesSite {
			mediaSearch{s}.trim()
		} else if s.c.Media != parse.NoMedia {
			mediaSearch{s}.trimAmount()
		}
	case lexicon.SearchOn, lexicon.SearchOnGerund, lexicon.SearchAt:
		if empty || !s.c.NamesSite || s.verb.Kind == lexicon.SearchAt && !s.c.SiteFirst {
			return nothing
		}
	}
	s.c.Outcome = parse.Understood
	if last, ok := p.FindEnding(s.q.Lo+1, s.q.Hi, lexicon.ThereLast); ok && !p.IsQuestionWord(s.q.Lo) {
		s.c.PageWords = last.Len
	}
	if s.c.NeedsPage && p.IsPhrase(s.q.Lo, s.q.Hi, lexicon.Pronoun) {
		return nothing // "put it there"
	}
	end := s.q.Hi
	if up, ok := p.FindEnding(s.q.Lo+1, end, lexicon.Up); ok { // "search it up"
		end -= up.Len
	}
	if empty || p.Skip(s.q.Lo, end, lexicon.Pronoun, lexicon.Nothing) == end { // "it", "it there"
		s.c.Outcome, s.c.Ask = parse.Asks, parse.Question{Code: "question.query", At: parse.Span{Lo: s.q.Lo, Hi: max(s.q.Lo, s.q.Hi)}}
	}
	if s.c.Outcome == parse.Understood || s.c.NamesSite && empty {
		s.c.Drafts = []parse.Draft{s.draft()} // with a site and no query yet: "search youtube and google for cats"
		for _, other := range s.moreSites {
			d := s.draft()
			d.Goal.Platform = other.ID
			s.c.Drafts = append(s.c.Drafts, d)
		}
	}
	return s.c
}

// isEmptyQuote reports whether s is a pair of quotes around nothing.
func isEmptyQuote(s string) bool {
	return utf8.RuneCountInString(s) > 1 && strings.Trim(s, "\"'«»“”„‘’ ") == ""
}

func (s *search) draft() parse.Draft {
	d := parse.Draft{Goal: plan.Goal{GoalType: plan.BrowserSearch, Platform: s.site.ID, Query: s.p.Cut(s.q.Lo, s.q.Hi)}}
	own, named := s.p.Longest(s.c.Verb.Lo, s.c.Verb.Hi, lexicon.OwnSite)
	switch {
	case s.c.NamesSite:
	case named:
		d.Goal.Platform = own.Value
	case s.web: // the web at large is a place too: a site visited before it does not count
		d.Goal.Platform = s.p.Platform
	}
	d.Spans = append(d.Spans, parse.SlotSpan{Slot: "goal_type", Span: s.c.Verb, Fuzzy: false})
	if s.c.NamesSite {
		d.Spans = append(d.Spans, parse.SlotSpan{Slot: "platform", Span: s.siteSpan, Fuzzy: s.site.Fuzzy})
	} else if named {
		d.Spans = append(d.Spans, parse.SlotSpan{Slot: "platform", Span: parse.Span{Lo: s.c.Verb.Lo, Hi: s.c.Verb.Lo + own.Len}, Fuzzy: false})
	}
	d.Spans = append(d.Spans, parse.SlotSpan{Slot: "query", Span: s.q, Fuzzy: false})
	return d
}
