package interpret

// piece is a stretch of tokens between two places where a clause may end.
type piece struct {
	lo, hi int
	joint  span // the conjunction or punctuation before it
	to     bool // "… to search": only after an opening clause
	with   bool // "… with a file": the file lies in the folder before
	repair bool // "no wait" stands before it
	but    bool // "but" stands before it
	pause  bool // there was punctuation before it
	bare   bool // there was nothing before it: "open youtube search for cats"
}

// pieces proposes places where a clause may end: conjunctions and punctuation
// outside quotes, but not inside a longer phrase ("go ahead and").
func (p *parser) pieces() []piece {
	var out []piece
	cur := piece{}
	hi := len(p.toks)
	for i := 0; i < hi; {
		n, next := p.joint(i, hi)
		if n == 0 && p.unparted(i, hi) {
			next.bare = true
		} else if n == 0 {
			i += max(1, p.phrase(i, hi))
			continue
		}
		j := i + n
		for {
			m, more := p.joint(j, hi)
			if m == 0 || more.to || more.with {
				break
			}
			j += m
			next.pause = next.pause || more.pause
			next.repair = next.repair || more.repair
			next.but = next.but || more.but
		}
		cur.hi = i
		out = append(out, cur)
		next.joint, next.lo = span{i, j}, j
		cur = next
		if i = j; next.bare {
			i += max(1, p.phrase(i, hi))
		}
	}
	cur.hi = hi
	return append(out, cur)
}

// unparted reports whether a verb follows at once on what a command before it
// opens, as a recogniser of speech writes: "open youtube search nvidia".
func (p *parser) unparted(i, hi int) bool {
	at := p.skip(i, hi, kLead, kStepping)
	v, ok := p.longest(at, hi, kSearch, kSearchIn, kOpen, kGo, kCreate)
	if _, or := p.longest(i, at, kOr); or {
		return false
	}
	e, named := p.ending(0, i, kSite, kApp)
	if !ok || !named || at+v.n >= hi {
		return false
	}
	if m, ok := p.longest(i-e.n, hi, kSite, kApp); ok && m.n > e.n {
		return false // "google search"
	}
	_, opened := p.ending(0, i-e.n, kOpen, kStart, kGo)
	return opened
}

// joint is the length of a possible clause boundary at token i.
func (p *parser) joint(i, hi int) (int, piece) {
	if i >= hi {
		return 0, piece{}
	}
	if t := p.toks[i]; t.shape == mark && t.fold != ":" {
		return 1, piece{pause: true}
	}
	if m, ok := p.longest(i, hi, kRepair, kRepairSoft); ok && i > 0 && (p.toks[i-1].shape == mark || m.kind == kRepair && m.n > 1) {
		lead, _ := p.longest(i, hi, kLead)
		not, _ := p.longest(i, hi, kNot)
		if lead.n <= m.n && not.n < m.n {
			return m.n, piece{repair: true}
		}
	}
	m, ok := p.longest(i, hi, kAnd, kBut, kTo, kWith)
	if ok && m.kind == kWith && i > 0 {
		j := p.skip(i+m.n, hi, kDet, kEmpty, kExtension)
		if _, noun := p.longest(j, hi, kFile, kFolder, kFiles, kFolders); noun && p.phrase(i, hi) <= m.n {
			return m.n, piece{with: true}
		}
		m, ok = p.longest(i, hi, kAnd, kBut, kTo)
	}
	if !ok || p.phrase(i, hi) > m.n && !p.tellsRows(i+m.n, hi) {
		return 0, piece{}
	}
	if _, asks := p.longest(i, hi, kForeign); i == 0 && asks {
		return 0, piece{} // Russian «где» joins, but begins a question
	}
	switch {
	case m.kind == kAnd:
		return m.n, piece{}
	case m.kind == kBut:
		return m.n, piece{but: true}
	case m.kind == kTo:
		v, ok := p.longest(p.skip(i+m.n, hi, kLead), hi, kSearch, kSearchIn, kSearchOn, kPlay)
		if ok && i > 0 && v.n > 0 {
			return m.n, piece{to: true}
		}
	}
	return 0, piece{}
}

// tellsRows reports whether a deed begins that tells so many rows: «и назови первые
// пять» names nothing.
func (p *parser) tellsRows(i, hi int) bool {
	m, ok := p.longest(i, hi, kList, kTell)
	at := p.skip(i+m.n, hi, kFiller, kDet)
	_, first := p.longest(at, hi, kFirst)
	_, words := p.page.number(at, hi)
	return ok && (first || words > 0)
}

// phrase is the length of the longest phrase at token i that a boundary may
// not cut.
func (p *parser) phrase(i, hi int) int {
	m, _ := p.longest(i, hi, kLead, kLeadMind, kLeadAsk, kNot, kCancel, kReferent, kRepair, kNamed, kSearch, kSearchIn, kSearchAt, kSearchOn, kPlay, kTypeIn, kWriteIn,
		kOpen, kStart, kGo, kShow, kCreate, kMake, kPut, kDelete, kDeed, kDevice, kSite, kApp, kCarrier, kSysKey, kReadThat, kReadOut)
	return m.n
}
