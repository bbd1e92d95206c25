package interpret

// placeAt passes over a known folder or "in it" at token i.
func (p *parser) placeAt(it *item, i, hi int) int {
	for i < hi {
		m, ok := p.longest(i, hi, kPlace, kInIt)
		if !ok || m.kind == kPlace && !p.prepositional(i, m) {
			return i
		}
		if m.kind == kPlace {
			it.place = m.value
		} else {
			it.inside = true
		}
		i += m.n
	}
	return i
}

// prepositional reports whether a place has its preposition: "desktop" alone
// may be a name.
func (p *parser) prepositional(i int, m match) bool { return m.n > 1 }

// trailingPlace cuts "on my desktop", "in it", "in /tmp" and "in the src
// folder" off the end, as long as something is left.
func (p *parser) trailingPlace(it *item, lo, hi int) int {
	for {
		end := hi
		for end > lo && p.toks[end-1].shape == mark {
			end--
		}
		if m, ok := p.ending(lo, end, kPlace); ok && m.n > 1 && it.place == "" {
			it.place = m.value
			hi = end - m.n
			continue
		}
		if m, ok := p.ending(lo, end, kInIt); ok && !it.inside {
			it.inside = true
			hi = end - m.n
			continue
		}
		if it.within == "" && it.place == "" && !it.inside {
			if from, dir, ok := p.within(lo, end); ok {
				it.within = dir
				hi = from
				continue
			}
		}
		return hi
	}
}

// within finds a containing folder at the end: "in /tmp", "in the src folder",
// "inside folder src".
func (p *parser) within(lo, hi int) (from int, dir string, ok bool) {
	for i := hi - 2; i > lo && i >= hi-maxPhrase; i-- {
		m, is := p.longest(i, hi, kIn)
		if !is {
			continue
		}
		j := p.skip(i+m.n, hi, kDet)
		if j >= hi {
			continue
		}
		if p.toks[j].shape == path && j+1 == hi {
			return i, p.cut(j, hi), true
		}
		if n, ok := p.longest(j, hi, kFolder); ok && j+n.n < hi {
			k := j + n.n
			if named, ok := p.longest(k, hi, kNamed); ok {
				k += named.n
			}
			if k < hi {
				return i, p.cut(k, hi), true
			}
		}
		if n, ok := p.ending(j+1, hi, kFolder); ok && hi-n.n > j {
			return i, p.cut(j, hi-n.n), true
		}
	}
	return 0, "", false
}
