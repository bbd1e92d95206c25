package interpret

import (
	"errand/planner/interpret/lexicon"
)

// findForbiddenVerb finds a forbidden verb after the thing it is about, as in
// Russian «гугл не открывай», and where the thing ends.
func (p *commandReader) findForbiddenVerb(lo, hi int) (int, lexicon.Match, bool) {
	v, ok := p.Ending(lo+1, hi, lexicon.Open, lexicon.Start, lexicon.Show, lexicon.Search, lexicon.Delete, lexicon.Create, lexicon.OpenGerund, lexicon.SearchGerund, lexicon.DeleteGerund, lexicon.CreateGerund)
	if !ok {
		return 0, v, false
	}
	not, ok := p.Ending(lo+1, hi-v.Len, lexicon.Not)
	end := hi - v.Len - not.Len
	return end, v, ok && (p.web.IsEntity(lo, end) || p.files.IsFile(lo, end))
}

// findVoid finds what a deed that is a noun is said not to be: «поиск на ютубе не
// нужен», «гугл не работает».
func (p *commandReader) findVoid(lo, hi int) (lexicon.Match, bool) {
	m, ok := p.Ending(lo+1, hi, lexicon.Void)
	if !ok || p.searchesQuestion(lo, hi-m.Len) {
		return lexicon.Match{}, false
	}
	_, deed := p.Longest(lo, hi, lexicon.ActionNoun)
	return m, deed || p.Covers(lo, hi-m.Len, lexicon.Site)
}

// searchesQuestion reports whether a search of [lo,hi) looks for the answer to a question,
// which may well end like a prohibition: "why it is forbidden".
func (p *commandReader) searchesQuestion(lo, hi int) bool {
	v, ok := p.Longest(lo, hi, lexicon.SearchVerbs...)
	for i := lo + v.Len; ok && i < hi; i++ {
		if p.IsQuestionWord(i) {
			return true
		}
	}
	return false
}

// skipInstead passes over a contrast in front of a command: "instead of youtube
// open google".
func (p *commandReader) skipInstead(at, hi int) int {
	m, ok := p.Longest(at, hi, lexicon.InsteadOf)
	if !ok {
		return at
	}
	e, ok := p.web.EntityAt(at+m.Len, hi, false)
	if !ok {
		return at
	}
	next, _ := p.SkipLead(at+m.Len+e.Len, hi)
	if v, ok := p.Longest(next, hi, lexicon.Verbs...); !ok || lexicon.IsGerund(v.Kind) {
		return at
	}
	return next
}
