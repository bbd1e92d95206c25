package interpret

import (
	"slices"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// segment is a range of tokens between two possible ends of a clause.
type segment struct {
	lo, hi       int
	joint        parse.Span // the conjunction or punctuation before it
	beforeVerb   bool       // "… to search": only after an opening clause
	hasFileAfter bool       // "… with a file": the file lies in the folder before
	repair       bool       // "no wait" stands before it
	afterBut     bool       // "but" stands before it
	pause        bool       // there was punctuation before it
	contrasts    bool       // the verb that was forbidden stands again, without a conjunction
	unmarked     bool       // there was nothing before it: "open youtube search for cats"
}

// splitPieces splits a text where a clause may end: at conjunctions and punctuation
// outside quotes, but not inside a longer phrase ("go ahead and").
func (p *parser) splitPieces() []segment {
	var out []segment
	cur := segment{}
	hi := len(p.Tokens)
	for i := 0; i < hi; {
		n, next := p.matchJoint(i, hi)
		if contrasts := n == 0 && p.repeatsForbiddenVerb(i, hi); contrasts || n == 0 && p.hasCommandAt(i, hi) {
			next.unmarked, next.contrasts = true, contrasts
		} else if n == 0 {
			i += max(1, p.phraseLength(i, hi))
			continue
		}
		j := i + n
		for {
			m, more := p.matchJoint(j, hi)
			if m == 0 || more.beforeVerb || more.hasFileAfter {
				break
			}
			j += m
			next.pause = next.pause || more.pause
			next.repair = next.repair || more.repair
			next.afterBut = next.afterBut || more.afterBut
		}
		cur.hi = i
		out = append(out, cur)
		next.joint, next.lo = parse.Span{Lo: i, Hi: j}, j
		cur = next
		if i = j; next.unmarked {
			i += max(1, p.phraseLength(i, hi))
		}
	}
	cur.hi = hi
	return append(out, cur)
}

// hasCommandAt reports whether a command starts at token i right after the site or
// app that the command before it opens, without a conjunction: "open youtube search
// nvidia". Speech recognisers write like that.
func (p *parser) hasCommandAt(i, hi int) bool {
	at := p.Skip(i, hi, lexicon.Lead, lexicon.Step)
	v, ok := p.Longest(at, hi, lexicon.Search, lexicon.SearchIn, lexicon.Open, lexicon.Go, lexicon.Create)
	if _, or := p.Longest(i, at, lexicon.Or); or {
		return false
	}
	e, named := p.FindEnding(0, i, lexicon.Site, lexicon.App)
	if !ok || !named || at+v.Len >= hi {
		return false
	}
	if m, ok := p.Longest(i-e.Len, hi, lexicon.Site, lexicon.App); ok && m.Len > e.Len {
		return false // "google search"
	}
	_, opened := p.FindEnding(0, i-e.Len, lexicon.Open, lexicon.Start, lexicon.Go)
	return opened
}

// repeatsForbiddenVerb reports whether the verb of a command that is forbidden stands again at
// token i, after a file name: "don't delete a.txt delete b.txt".
func (p *parser) repeatsForbiddenVerb(i, hi int) bool {
	verb, ok := p.Longest(i, hi, slices.Concat(lexicon.DeleteVerbs, []lexicon.Kind{lexicon.FileAction})...)
	if !ok || i < 2 || i+verb.Len >= hi || p.Tokens[i-1].Shape != lexicon.FileShape {
		return false
	}
	at, _ := p.SkipLead(0, i)
	at, negated := p.SkipNegation(at, i)
	_, same := p.Longest(at, i, verb.Kind)
	return negated && same
}

// matchJoint is the length of a possible boundary between clauses at token i; 0:
// none.
func (p *parser) matchJoint(i, hi int) (int, segment) {
	if i >= hi {
		return 0, segment{}
	}
	if t := p.Tokens[i]; t.Shape == lexicon.MarkShape && t.Fold != ":" {
		return 1, segment{pause: true}
	}
	if m, ok := p.Longest(i, hi, lexicon.Repair, lexicon.RepairSoft); ok && i > 0 && (p.Tokens[i-1].Shape == lexicon.MarkShape || m.Kind == lexicon.Repair && m.Len > 1) {
		lead, _ := p.Longest(i, hi, lexicon.Lead)
		not, _ := p.Longest(i, hi, lexicon.Not)
		if lead.Len <= m.Len && not.Len < m.Len {
			return m.Len, segment{repair: true}
		}
	}
	m, ok := p.Longest(i, hi, lexicon.And, lexicon.But, lexicon.To, lexicon.With)
	if ok && m.Kind == lexicon.With && i > 0 {
		j := p.Skip(i+m.Len, hi, lexicon.Determiner, lexicon.Empty, lexicon.Extension)
		if _, noun := p.Longest(j, hi, lexicon.File, lexicon.Folder, lexicon.Files, lexicon.Folders); noun && p.phraseLength(i, hi) <= m.Len {
			return m.Len, segment{hasFileAfter: true}
		}
		m, ok = p.Longest(i, hi, lexicon.And, lexicon.But, lexicon.To)
	}
	if !ok || p.phraseLength(i, hi) > m.Len && !p.startsRows(i+m.Len, hi) {
		return 0, segment{}
	}
	if _, asks := p.Longest(i, hi, lexicon.OtherThing); i == 0 && asks {
		return 0, segment{} // Russian «где» joins, but begins a question
	}
	if verb, ok := p.Longest(i, hi, lexicon.FileAction); ok && verb.Len > m.Len {
		return 0, segment{} // «где лежит a.txt»
	}
	switch {
	case m.Kind == lexicon.And:
		return m.Len, segment{}
	case m.Kind == lexicon.But:
		return m.Len, segment{afterBut: true}
	case m.Kind == lexicon.To:
		v, ok := p.Longest(p.Skip(i+m.Len, hi, lexicon.Lead), hi, lexicon.Search, lexicon.SearchIn, lexicon.SearchOn, lexicon.Play)
		if ok && i > 0 && v.Len > 0 {
			return m.Len, segment{beforeVerb: true}
		}
	}
	return 0, segment{}
}

// startsRows reports whether a command to list a number of rows starts at token i:
// «и назови первые пять».
func (p *parser) startsRows(i, hi int) bool {
	m, ok := p.Longest(i, hi, lexicon.List, lexicon.ListCounted)
	at := p.Skip(i+m.Len, hi, lexicon.Filler, lexicon.Determiner)
	_, first := p.Longest(at, hi, lexicon.First)
	_, words := p.Page.Number(at, hi)
	return ok && (first || words > 0)
}

// phraseLength is the length of the longest phrase at token i that a boundary must
// not split.
func (p *parser) phraseLength(i, hi int) int {
	m, _ := p.Longest(i, hi, lexicon.Lead, lexicon.LeadGerund, lexicon.LeadAsk, lexicon.Not, lexicon.Cancel, lexicon.Referent, lexicon.Repair, lexicon.NameMarker, lexicon.Search, lexicon.SearchIn, lexicon.SearchAt, lexicon.SearchOn, lexicon.Play, lexicon.TypeIn, lexicon.WriteIn,
		lexicon.Open, lexicon.Start, lexicon.Go, lexicon.Show, lexicon.Create, lexicon.Make, lexicon.Put, lexicon.Delete, lexicon.OtherAction, lexicon.Device, lexicon.Site, lexicon.App, lexicon.Carrier, lexicon.CarrierMedia, lexicon.SystemKey, lexicon.ReadThat, lexicon.ReadOut, lexicon.TopicOf, lexicon.TopicNoun)
	return m.Len
}
