package web

import (
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// Topic is a question that a search answers: "what is the weather like in paris".
type Topic struct {
	Verb      parse.Span // the words that ask
	Noun      parse.Span // the topic: "weather"; may be empty
	Rest      parse.Span // the rest of the query: "in paris"; ends the command
	SiteQuery parse.Span // what a site of its own is searched for; empty: the whole query
	Site      string     // the site of its own; empty: the default site
	Lang      uint8
}

// SearchTopic makes a search of a topic. The site at the end of the words wins over the topic's
// own site. It asks about words like those of any query.
func (p *Reader) SearchTopic(t Topic) parse.Clause {
	s := &search{p: p, verb: lexicon.Match{Entry: lexicon.Entry{Kind: lexicon.Search, Lang: t.Lang}}}
	s.c = parse.Clause{Frame: parse.SearchFrame, Outcome: parse.Understood, Verb: t.Verb, VerbKind: lexicon.Search, Lang: t.Lang, FreeText: true, IsTopic: true, Body: t.Noun.Lo}
	s.q, s.end = parse.Span{Lo: t.Noun.Lo, Hi: max(t.Noun.Hi, t.Rest.Hi)}, max(t.Noun.Hi, t.Rest.Hi)
	if choices, at := s.trimPlace(); choices != nil {
		s.c.Outcome, s.c.Ask = parse.Asks, parse.Question{Code: "question.choice", Choices: choices, At: at, Site: true}
		return s.c
	}
	if s.c.Outcome == parse.Asks {
		return s.c
	}
	if s.isLocal(s.end) {
		return parse.Clause{Lang: t.Lang}
	}
	rest := parse.Span{Lo: t.Rest.Lo, Hi: min(t.Rest.Hi, s.q.Hi)}
	own := s.c.NamesSite && !p.Words.Catalogue.Engine(s.site.ID) || !s.c.NamesSite && t.Site != "" && t.Site != p.Platform
	if own && t.SiteQuery.Lo < min(t.SiteQuery.Hi, s.q.Hi) {
		s.q = parse.Span{Lo: t.SiteQuery.Lo, Hi: min(t.SiteQuery.Hi, s.q.Hi)}
	}
	d := s.draft()
	d.Goal.Query = p.Cut(s.q.Lo, s.q.Hi)
	if s.q.Lo == t.Noun.Lo && t.Noun.Lo < t.Noun.Hi { // without the words between: "weather [like] in paris"
		d.Goal.Query = strings.TrimSpace(p.Cut(t.Noun.Lo, t.Noun.Hi) + " " + p.Cut(rest.Lo, rest.Hi))
	}
	if !s.c.NamesSite {
		d.Goal.Platform = p.Platform // a site that was opened before doesn't count
		if t.Site != "" {
			d.Goal.Platform = t.Site
		}
	}
	s.c.Drafts = []parse.Draft{d}
	s.checkQuery()
	return s.c
}
