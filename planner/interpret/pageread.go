package interpret

import "errand/planner/plan"

// What a page says: "read example.com", "read the article about otters on
// wikipedia".

// readOut reads "read example.com", "what does example.com say".
func (p *pageReader) readOut(lo, hi int) clause {
	if p.covers(lo, hi, kReadThat) {
		return p.onto(pageDeed{verb: span{lo, hi}, lang: anyLang, key: plan.ReadPage}, hi, hi)
	}
	m, ok := p.longest(lo, hi, kReadOut, kWhatSays, kWhatsOn)
	if !ok {
		return clause{}
	}
	d := pageDeed{verb: span{lo, lo + m.n}, lang: m.lang, key: plan.ReadPage}
	end := hi
	if m.kind == kWhatSays {
		says, ok := p.ending(lo+m.n, hi, kSays)
		if !ok {
			return clause{}
		}
		end = hi - says.n
		d.after = span{end, hi}
	} else {
		end = p.keptAt(lo+m.n, hi, &d.keep)
	}
	if d.keep != (keeping{}) {
		return clause{} // its text is told and kept nowhere
	}
	at := p.skip(p.skip(lo+m.n, end, kFiller), end, kOf)
	if f, ok := p.ending(at+1, end, kFiller, kAloud); ok { // "read it to me"
		end -= f.n
	}
	if at >= end && m.kind == kReadOut && m.n > 1 && p.readsText(lo, m) { // "show the text", of the page before
		return p.onto(d, hi, hi)
	}
	if at >= end || m.kind == kWhatsOn && !p.byAddress(at, end) {
		return clause{} // "read": nobody says what
	}
	if c := p.article(d, at, end); c.outcome == good {
		return c
	}
	return p.onto(d, at, end)
}

// readsText reports whether a phrase of reading names the text: "show the text", and
// not "read me".
func (p *pageReader) readsText(lo int, m match) bool {
	_, shows := p.longest(lo, lo+m.n, kShow)
	return shows
}

// article reads "the article about otters on wikipedia", "the wikipedia article
// about otters": the page that a search for it shows.
func (p *pageReader) article(d pageDeed, lo, hi int) clause {
	at := p.skip(lo, hi, kDet)
	if e, ok := p.web.entityAt(at, hi, false); ok && e.site {
		d.site, lo, at = e, at+e.n, at+e.n
	}
	if _, one := p.longest(at, hi, kOne); !one {
		return clause{} // of several nobody knows which
	}
	for _, from := range []int{lo, at} { // "the" may be part of the phrase
		if m, ok := p.longest(from, hi, kCarrier); ok && from+m.n < hi {
			if c := p.found(d, from+m.n, hi); c.outcome == good && (d.site.n > 0 || c.named) {
				return c
			}
		}
	}
	return clause{}
}

// byAddress reports whether [lo,hi) ends in an address rather than in a name.
func (p *pageReader) byAddress(lo, hi int) bool {
	if p.toks[hi-1].shape == link {
		return true
	}
	_, spoken := p.web.spokenAddress(p.skip(lo, hi, kDet), hi)
	return spoken || p.covers(lo, hi, kThisPage)
}
