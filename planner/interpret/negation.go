package interpret

import "errand/planner/plan"

// What is not to be done: by a negator before or after a command, by a contrast
// with what is, or by pointing back at it.

// negation passes over negators and the wrappers around them, and reports
// whether there were any.
func (p *Text) negation(at, hi int) (int, bool) {
	negated := false
	for {
		m, ok := p.longest(at, hi, kNot)
		if lead, is := p.longest(at, hi, kLead); !ok || is && lead.n > m.n { // "don't forget to"
			return at, negated
		}
		negated = true
		at, _ = p.lead(at+m.n, hi)
	}
}

// forbiddenLast finds a forbidden verb after the thing it is about, as in
// Russian «гугл не открывай», and where the thing ends.
func (p *commandReader) forbiddenLast(lo, hi int) (int, match, bool) {
	v, ok := p.ending(lo+1, hi, kOpen, kStart, kShow, kSearch, kDelete, kCreate, kOpenIng, kSearchIng, kDeleteIng, kCreateIng)
	if !ok {
		return 0, v, false
	}
	not, ok := p.ending(lo+1, hi-v.n, kNot)
	end := hi - v.n - not.n
	return end, v, ok && (p.web.thing(lo, end) || p.files.spoken(lo, end))
}

// void finds what a deed that is a noun is said not to be: «поиск на ютубе не
// нужен», «гугл не работает».
func (p *commandReader) void(lo, hi int) (match, bool) {
	m, ok := p.ending(lo+1, hi, kVoid)
	if !ok || p.asked(lo, hi-m.n) {
		return match{}, false
	}
	_, deed := p.longest(lo, hi, kDeedNoun)
	return m, deed || p.covers(lo, hi-m.n, kSite)
}

// spoken reports whether [lo,hi) begins with the noun of a file or folder, or
// is the name of a file.
func (p *fileReader) spoken(lo, hi int) bool {
	_, noun := p.longest(lo, hi, kFile, kFolder)
	return noun || lo+1 == hi && p.whole(lo)
}

// asked reports whether a search of [lo,hi) looks for the answer to a question,
// which may well end like a prohibition: "why it is forbidden".
func (p *commandReader) asked(lo, hi int) bool {
	v, ok := p.longest(lo, hi, searchVerbs...)
	for i := lo + v.n; ok && i < hi; i++ {
		if p.questionWord(i) {
			return true
		}
	}
	return false
}

// insteadOf passes over a contrast in front of a command: "instead of youtube
// open google".
func (p *commandReader) insteadOf(at, hi int) int {
	m, ok := p.longest(at, hi, kReplacing)
	if !ok {
		return at
	}
	e, ok := p.web.entityAt(at+m.n, hi, false)
	if !ok {
		return at
	}
	next, _ := p.lead(at+m.n+e.n, hi)
	if v, ok := p.longest(next, hi, verbs...); !ok || gerund(v.kind) {
		return at
	}
	return next
}

// notThis reports whether a piece names a file that is not meant: "delete b.txt,
// not a.txt".
func (p *parser) notThis(cur clause, pc piece) bool {
	not, ok := p.longest(pc.lo, pc.hi, kNot, kInstead)
	return ok && !cur.negated && p.files.spoken(pc.lo+not.n, p.tail(pc.lo, pc.hi, true))
}

// contrast cuts "instead of google", "not google", "(not google)" off the end.
func (p *webReader) contrast(lo, hi int) int {
	if at := p.asideNot(lo, hi); at < hi {
		return at
	}
	for i := hi - 1; i > lo && i >= hi-maxPhrase; i-- {
		m, ok := p.longest(i, hi, kInstead)
		if !ok {
			continue
		}
		j := i + m.n
		if on, ok := p.longest(j, hi, kOn); ok {
			j += on.n
		}
		if p.meant(j, hi) {
			end := i
			for end > lo && p.toks[end-1].shape == mark {
				end--
			}
			return end
		}
	}
	return hi
}

// meant reports whether [lo,hi) is just the name of a site or app, or an address.
func (p *webReader) meant(lo, hi int) bool {
	e, ok := p.entityAt(lo, hi, false)
	return ok && lo+e.n == hi || lo+1 == hi && p.toks[lo].shape == link
}

// contrasted reports whether [lo,hi) only says where not: "not on google".
func (p *parser) contrasted(lo, hi int) bool {
	m, ok := p.longest(lo, hi, kInstead)
	if !ok {
		return false
	}
	on, _ := p.longest(lo+m.n, hi, kOn)
	e, ok := p.web.entityAt(lo+m.n+on.n, hi, false)
	return ok && lo+m.n+on.n+e.n == p.tail(lo, hi, true)
}

// pointsBack reports whether [lo,hi) stands for what was said before: "it",
// "that folder".
func (p *parser) pointsBack(lo, hi int) bool {
	if p.covers(lo, hi, kPronoun) {
		return true
	}
	at := p.skip(lo, hi, kKnown, kDet)
	return at > lo && p.covers(at, hi, kFolder, kFile, kFolders, kFiles, kSiteNoun, kAppNoun)
}

// pointedAt is what a forbidden command means if it only points back, or names
// nothing: all of its kind before it. "Delete a.txt but don't delete it".
func (p *parser) pointedAt(c *clause, before []draft) []draft {
	end := p.tail(c.body, c.hi, true)
	if c.outcome != asks || c.frame == noFrame || c.body < end && !p.pointsBack(c.body, end) {
		return nil
	}
	var out []draft
	for _, d := range before {
		file := d.goal.GoalType == plan.FileOperation
		search := d.goal.GoalType == plan.BrowserSearch
		if file != (c.frame == fileFrame) || search != (c.frame == searchFrame) || file && d.goal.Action != c.action() {
			continue
		}
		out = append(out, draft{goal: d.goal, spans: []slotSpan{{"goal_type", span{c.lo, c.hi}, false}}})
	}
	return out
}
