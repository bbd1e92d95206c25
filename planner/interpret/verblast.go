package interpret

// verbLast reads commands whose verb stands at the end, as in Russian «ютуб
// открой» and «котиков на ютубе найди», or before the site: «котиков найди на
// ютубе».
func (p *commandReader) verbLast(lo, hi int) clause {
	hi = p.tail(lo, hi, true)
	if from, s, ok := p.web.trailingSite(lo+2, hi); ok && !s.fuzzy {
		v, ok := p.ending(lo+1, from, kSearch)
		if ok && p.spokenOf(lo, from-v.n) {
			if c := p.web.search(v, span{from - v.n, from}, lo, from-v.n); c.outcome == good && !c.named && !c.needNav {
				setSite(&c, s, hi-s.n)
				return c
			}
		}
	}
	m, ok := p.ending(lo+1, hi, kSearch, kOpen, kDelete, kCreate)
	if !ok {
		return clause{lang: anyLang}
	}
	verb := span{hi - m.n, hi}
	switch m.kind {
	case kSearch:
		if c := p.web.search(m, verb, lo, verb.lo); c.named && c.outcome == good {
			return c
		}
	case kOpen:
		if c := p.web.open(m, verb, lo, verb.lo); c.outcome == good {
			return c
		}
	default:
		if p.files.spoken(lo, verb.lo) {
			return p.files.files(m, verb, lo, verb.lo)
		}
	}
	return clause{lang: anyLang}
}

// spokenOf reports whether [lo,hi) may be what a command after it is about, and
// tells neither who says it nor when.
func (p *commandReader) spokenOf(lo, hi int) bool {
	if _, tells := p.longest(lo, hi, kSubject, kWhen, kIf, kOn, kForeign, kNot); tells {
		return false
	}
	if _, says := p.ending(lo, hi, kBe); says {
		return false
	}
	for i := lo; i < hi; i++ {
		if p.toks[i].shape == mark {
			return false
		}
	}
	return true
}
