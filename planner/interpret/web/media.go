package web

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// mediaSearch is a search by a verb of playing.
type mediaSearch struct{ *search }

// trim drops words before the title that belong to no title: "some", "the song".
func (s mediaSearch) trim() {
	p := s.p
	s.trimAmount()
	noun, ok := p.Longest(p.SkipDeterminer(s.q.Lo, s.q.Hi), s.q.Hi, lexicon.MediaNoun)
	if at := p.SkipDeterminer(s.q.Lo, s.q.Hi) + noun.Len; ok && at < s.q.Hi && (at > s.q.Lo+noun.Len || !p.Words.Packs[s.verb.Lang].NameFirst) {
		if named, ok := p.Longest(at, s.q.Hi, lexicon.NameMarker); ok {
			at += named.Len
		}
		if at < s.q.Hi && p.Tokens[at].Shape == lexicon.MarkShape {
			return // "music. Sort it": the rest is asked about
		}
		if _, more := p.Longest(at, s.q.Hi, lexicon.On, lexicon.For, lexicon.Of, lexicon.With, lexicon.From, lexicon.Vague, lexicon.By, lexicon.MediaNoun); !more && at < s.q.Hi {
			s.q.Lo = at
		}
	}
}

// trimAmount drops "some" and "something by" before a title.
func (s mediaSearch) trimAmount() {
	if m, ok := s.p.Longest(s.q.Lo, s.q.Hi, lexicon.MediaAmount); ok && s.q.Lo+m.Len < s.q.Hi {
		s.q.Lo += m.Len
	}
}

// open opens the site or app that is all there is to play: "watch netflix".
func (s mediaSearch) open() (parse.Clause, bool) {
	p := s.p
	e, ok := p.EntityAt(s.q.Lo, s.q.Hi, false)
	if !ok || s.q.Lo+e.Len != s.q.Hi || s.c.NamesSite || s.site.ID != "" || e.Len == 1 && p.Words.IsOrdinary(p.Fold(s.q.Lo)) || !p.Words.PlaysMedia(e.ID) {
		return parse.Clause{}, false
	}
	c := parse.Clause{Frame: parse.OpenFrame, Outcome: parse.Understood, Verb: s.c.Verb, VerbKind: lexicon.Open, Lang: s.c.Lang, Body: s.c.Body}
	p.OpenEntity(&c, e, s.q, false)
	return c, true
}

// tail finds words after a title that say how, where or when to play it: "jazz on repeat".
func (s mediaSearch) tail() (parse.Span, bool) {
	p := s.p
	for i := s.q.Lo + 1; i < s.q.Hi; i++ {
		if m, ok := p.Longest(i, s.q.Hi, lexicon.PlayTail, lexicon.When, lexicon.Elsewhere); ok && i+m.Len == s.q.Hi {
			return parse.Span{Lo: i, Hi: s.q.Hi}, true
		}
	}
	return parse.Span{}, false
}

// media says how sure it is that the words ask to play something. Words about the user's own
// things, files and what was played before do not.
func (s mediaSearch) media() parse.Media {
	p := s.p
	_, plays := p.Longest(s.c.Verb.Lo, s.c.Verb.Hi, lexicon.PlayVerb)
	_, puts := p.Longest(s.c.Verb.Lo, s.c.Verb.Hi, lexicon.PutOn)
	if !plays && !puts {
		return parse.NoMedia
	}
	if _, other := p.Longest(s.q.Lo, s.q.Hi, lexicon.NotMedia, lexicon.Pronoun, lexicon.Mine, lexicon.Private, lexicon.ThisPage); other {
		return parse.NoMedia
	}
	if m, vague := p.Longest(s.q.Lo, s.q.Hi, lexicon.Nothing); vague {
		if s.q.Lo+m.Len < s.q.Hi && plays { // "something relaxing"
			return parse.CertainMedia
		}
		return parse.MaybeMedia
	}
	found := false
	for i := s.q.Lo; i < s.q.Hi; i++ {
		switch p.Tokens[i].Shape {
		case lexicon.FileShape, lexicon.PathShape, lexicon.LinkShape:
			return parse.NoMedia
		}
		if m, own := p.Longest(i, s.q.Hi, lexicon.Mine, lexicon.Place, lexicon.Elsewhere, lexicon.Local); own && (m.Kind != lexicon.Place || m.Len > 1) {
			return parse.NoMedia
		}
		_, is := p.Longest(i, s.q.Hi, lexicon.MediaNoun, lexicon.MediaStyle)
		found = found || is
	}
	if plays || found {
		return parse.CertainMedia
	}
	if _, device := p.Longest(p.SkipDeterminer(s.q.Lo, s.q.Hi), s.q.Hi, lexicon.ControlThing); device {
		return parse.NoMedia
	}
	return parse.MaybeMedia
}

// PlaysElsewhere returns the query and the site of a search that asks to play something on a site which
// has other things: "play dota on steam".
func PlaysElsewhere(p *Reader, c *parse.Clause) (query, site string) {
	_, plays := p.Longest(c.Verb.Lo, c.Verb.Hi, lexicon.PlayVerb)
	if !plays || c.Outcome != parse.Understood || len(c.Drafts) != 1 {
		return "", ""
	}
	g := c.Drafts[0].Goal
	if g.GoalType != plan.BrowserSearch || g.Platform == "" || p.Words.PlaysMedia(g.Platform) || p.Words.Catalogue.Engine(g.Platform) || p.Words.Catalogue.Posts(g.Platform) {
		return "", ""
	}
	return g.Query, p.Words.SiteName(g.Platform)
}
