package web

import (
	"unicode"
	"unicode/utf8"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// findRest finds where a query ends and the rest of the words begins, which no rule used: after
// a full stop, at another request ("and tell me …"), or after a site that the search would
// ignore.
func (s *search) findRest() (parse.Span, bool) {
	p := s.p
	question := s.isQuestion(s.q.Lo)
	if in, ok := p.Longest(s.q.Lo, s.q.Hi, lexicon.In); ok && s.c.NamesSite { // "wikipedia [in german for] berlin"
		for i := s.q.Lo + in.Len + 1; i < min(s.q.Hi-1, s.q.Lo+in.Len+3); i++ {
			if end, ok := p.Longest(i, s.q.Hi, lexicon.For); ok {
				return parse.Span{Lo: s.q.Lo, Hi: i + end.Len}, true
			}
		}
	}
	for i := s.q.Lo + 1; i < s.q.Hi; i++ {
		switch t := p.Tokens[i]; {
		case t.Shape == lexicon.MarkShape && i+1 < s.q.Hi && s.endsSentence(i):
			return parse.Span{Lo: i + 1, Hi: s.q.Hi}, true
		case t.Shape == lexicon.MarkShape && (t.Fold == "," || t.Fold == ";"), s.isJoint(i):
			at := p.Skip(p.SkipMarks(i, s.q.Hi), s.q.Hi, lexicon.And, lexicon.Step)
			if s.startsRequest(at, question) {
				return parse.Span{Lo: at, Hi: s.q.Hi}, true
			}
		}
		if then, ok := s.laterThing(i); ok && !question {
			return then, true
		}
		if end, ok := s.siteInside(i); ok && !question {
			return parse.Span{Lo: end, Hi: s.q.Hi}, true
		}
	}
	return parse.Span{}, false
}

// laterThing finds what is to be searched for next: "cats [then dogs]", "mars [and then venus]".
func (s *search) laterThing(i int) (parse.Span, bool) {
	then, ok := s.p.Longest(i, s.q.Hi, lexicon.Then)
	if !ok || i+then.Len >= s.q.Hi {
		return parse.Span{}, false
	}
	and, _ := s.p.FindEnding(s.q.Lo, i, lexicon.And)
	for before := s.q.Lo; before < i; before++ {
		if _, condition := s.p.Longest(before, i, lexicon.If); condition { // "if then else"
			return parse.Span{}, false
		}
	}
	return parse.Span{Lo: i - and.Len, Hi: s.q.Hi}, i-and.Len > s.q.Lo
}

// isQuestion reports whether a question starts at token i.
func (s *search) isQuestion(i int) bool {
	_, ok := s.p.Longest(i, s.q.Hi, lexicon.Interrogative)
	return ok
}

// isJoint reports whether a conjunction stands at token i.
func (s *search) isJoint(i int) bool {
	_, ok := s.p.Longest(i, s.q.Hi, lexicon.And)
	return ok
}

// endsSentence reports whether the mark at token i ends a sentence. A full stop after an
// abbreviation or an initial doesn't, nor does an exclamation mark inside a name ("Yahoo!
// answers").
func (s *search) endsSentence(i int) bool {
	p := s.p
	next, size := utf8.DecodeRuneInString(p.Source[p.Tokens[i+1].Start:])
	second, _ := utf8.DecodeRuneInString(p.Source[p.Tokens[i+1].Start+size:])
	switch p.Fold(i) {
	case "?":
		return true
	case "!", "…":
		return unicode.IsUpper(next) && unicode.IsLower(second)
	case ".":
		first, size := utf8.DecodeRuneInString(p.Fold(i - 1))
		said, _ := utf8.DecodeRuneInString(p.Source[p.Tokens[i-1].Start:])
		initial := unicode.IsLetter(first) && size == len(p.Fold(i-1)) && (unicode.IsUpper(said) || unicode.IsLower(next)) // "J. Smith"
		_, short := p.Longest(i-1, i, lexicon.Abbreviation)
		return !short && !initial && p.Tokens[i].Start == p.Tokens[i-1].End
	}
	return false
}

// startsRequest reports whether another request begins at token i. In a query that is a
// question only words to the speaker begin one: "how to take a photo and save it" is one
// question.
func (s *search) startsRequest(i int, question bool) bool {
	p := s.p
	if _, ok := p.Longest(i, s.q.Hi, lexicon.RequestMe); ok {
		return true
	}
	if question {
		return false
	}
	if _, paused := p.FindEnding(s.q.Lo, i, lexicon.And); !paused && s.isQuestion(i) {
		return true // "the paper 'X', when was it published"
	}
	if _, ok := p.Longest(i, s.q.Hi, lexicon.Request); ok {
		return true
	}
	m, ok := p.Longest(i, s.q.Hi, lexicon.RequestNoun) // "sort" may be a noun
	if !ok {
		return false
	}
	_, object := p.Longest(i+m.Len, s.q.Hi, lexicon.Determiner, lexicon.Back, lexicon.Pronoun, lexicon.BulkAll, lexicon.Number, lexicon.Count, lexicon.First, lexicon.If, lexicon.On, lexicon.Use, lexicon.From, lexicon.Interrogative)
	return object || i+m.Len == s.q.Hi && !s.isFree() // "stop and search" may be searched for
}

// siteInside reports whether "on <site>" stands at token i with more words after it, and where
// it ends.
func (s *search) siteInside(i int) (end int, ok bool) {
	if s.c.NamesSite || s.web {
		return 0, false
	}
	on, ok := s.p.Longest(i, s.q.Hi, lexicon.OnSite)
	if !ok {
		return 0, false
	}
	where, ok := s.p.SiteAt(i+on.Len, s.q.Hi, false)
	end = i + on.Len + where.Len
	return end, ok && end < s.q.Hi
}
