package command

import "errand/planner/interpret/lexicon"

// findForbiddenVerb finds a forbidden verb after its object, as in Russian «гугл не
// открывай». It returns the end of the object, too.
func (p *Reader) findForbiddenVerb(lo, hi int) (int, lexicon.Match, bool) {
	v, ok := p.FindEnding(lo+1, hi, lexicon.Open, lexicon.Start, lexicon.Show, lexicon.Search, lexicon.Delete, lexicon.Create, lexicon.OpenGerund, lexicon.SearchGerund, lexicon.DeleteGerund, lexicon.CreateGerund)
	if !ok {
		return 0, v, false
	}
	not, ok := p.FindEnding(lo+1, hi-v.Len, lexicon.Not)
	end := hi - v.Len - not.Len
	return end, v, ok && (p.Web.IsEntity(lo, end) || p.Files.IsFile(lo, end))
}

// findVoid finds a negation of a noun for an action: «поиск на ютубе не нужен»,
// «гугл не работает».
func (p *Reader) findVoid(lo, hi int) (lexicon.Match, bool) {
	m, ok := p.FindEnding(lo+1, hi, lexicon.Void)
	if !ok || p.searchesQuestion(lo, hi-m.Len) {
		return lexicon.Match{}, false
	}
	_, action := p.Longest(lo, hi, lexicon.ActionNoun)
	return m, action || p.IsPhrase(lo, hi-m.Len, lexicon.Site)
}

// searchesQuestion reports whether a search of [lo,hi) has a question as its query.
// Such a query may end like a negation: "why it is forbidden".
func (p *Reader) searchesQuestion(lo, hi int) bool {
	v, ok := p.Longest(lo, hi, lexicon.SearchVerbs...)
	for i := lo + v.Len; ok && i < hi; i++ {
		if p.IsQuestionWord(i) {
			return true
		}
	}
	return false
}

// skipInstead skips a contrast before a command: "instead of youtube open google".
func (p *Reader) skipInstead(at, hi int) int {
	m, ok := p.Longest(at, hi, lexicon.InsteadOf)
	if !ok {
		return at
	}
	e, ok := p.Web.EntityAt(at+m.Len, hi, false)
	if !ok {
		return at
	}
	next, _ := p.SkipLead(at+m.Len+e.Len, hi)
	if v, ok := p.Longest(next, hi, lexicon.Verbs...); !ok || lexicon.IsGerund(v.Kind) {
		return at
	}
	return next
}
