package web

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// maxFieldName is how many words name a field: "into the new password field".
const maxFieldName = 4

// fillsField reports whether the words after a verb of typing go into a field of a form other
// than that for searching: "type ann into the user name field". Its words may be secret, so
// that they are never a query.
func (s *search) fillsField(verb parse.Span) bool {
	if _, ok := s.p.Longest(verb.Lo, verb.Hi, lexicon.Typing); !ok {
		return false
	}
	for i := verb.Hi; i < s.end; i++ {
		if s.isField(i) {
			return true
		}
	}
	return false
}

// isField reports whether the place of a field begins at token i.
func (s *search) isField(i int) bool {
	p, end := s.p, s.end
	into, ok := p.Longest(i, end, lexicon.IntoField)
	if !ok {
		return false
	}
	if _, named := p.Longest(i, end, lexicon.FieldNoun); named { // "into the password"
		return true
	}
	searching, _ := p.Longest(i, end, lexicon.Field)
	for at := i + into.Len; at < min(end, i+into.Len+maxFieldName); at++ {
		if noun, ok := p.Longest(at, end, lexicon.FieldNoun); ok {
			return searching.Len == 0 || i+searching.Len < at+noun.Len || s.isNamed(i+searching.Len)
		}
	}
	return false
}

// isNamed reports whether the name of a field begins at token i: «в поле пароль».
func (s *search) isNamed(i int) bool {
	p := s.p
	if i >= s.end || p.Tokens[i].Shape != lexicon.WordShape && p.Tokens[i].Shape != lexicon.QuotedShape {
		return false
	}
	_, goes := p.Longest(i, s.end, lexicon.On, lexicon.OnSite, lexicon.For, lexicon.And)
	return !goes
}
