package interpret

import (
	"strings"

	"errand/planner/plan"
)

// parser reads one text. It never outlives the call of Read that made it.
type parser struct {
	in    *Interpreter
	text  string
	toks  []token
	marks [][]match
}

// frame is the kind of command that a clause is.
type frame uint8

const (
	noFrame frame = iota
	searchFrame
	openFrame
	fileFrame
	systemFrame
)

// outcome is what became of a clause.
type outcome uint8

const (
	unknown outcome = iota // no command that can be carried out
	good                   // understood to the last word
	asks                   // a command that needs an answer
	wrapper                // only politeness
	cancels                // takes back what was said before
)

// clause is one command as read so far.
type clause struct {
	lo, hi  int // tokens
	frame   frame
	outcome outcome
	negated bool
	free    bool // its slot is free text, which may hold anything
	foreign bool // a deed outside the five kinds
	drafts  []draft
	ask     question
	reason  string

	verb     span
	verbKind kind
	lang     uint8
	body     int    // first token after the verb
	named    bool   // search: the words name a site
	fronted  bool   // search: the site is named before the query
	needNav  bool   // typing into a page needs a page
	plural   bool   // files: a list of names follows
	object   string // files: type of the last item, which the next may share
	fuzzy    bool

	shorthand bool // "<site> <query>" without a verb
	reversed  bool // the verb stands at the end
	dirty     bool // took up more text since it was read
	listed    bool // has items that a new reading would lose
}

// draft is a goal with the words that caused each of its slots.
type draft struct {
	goal   plan.Goal
	spans  []slotSpan
	inside bool // lies in the folder created before it
	needs  int  // number of that folder's goal, once it is known
}

type slotSpan struct {
	slot string
	span
	fuzzy bool
}

// span is a range of tokens.
type span struct{ lo, hi int }

// question is an [plan.Question] before it is worded in a language.
type question struct {
	key     string // of the language's messages
	arg     string
	choices []plan.Choice
}

// longest finds the longest phrase of one of kinds at token i that ends by hi.
func (p *parser) longest(i, hi int, kinds ...kind) (match, bool) {
	var best match
	if i >= hi {
		return best, false
	}
	for _, m := range p.marks[i] {
		if m.n > best.n && i+m.n <= hi && has(kinds, m.kind) {
			best = m
		}
	}
	return best, best.n > 0
}

// ending finds the longest phrase of one of kinds that ends at hi and starts
// at or after lo.
func (p *parser) ending(lo, hi int, kinds ...kind) (match, bool) {
	for i := max(lo, hi-maxPhrase); i < hi; i++ {
		for _, m := range p.marks[i] {
			if i+m.n == hi && has(kinds, m.kind) {
				return m, true
			}
		}
	}
	return match{}, false
}

// maxPhrase is the length in words of the longest phrase looked for backwards.
const maxPhrase = 10

// covers reports whether one phrase of kinds is exactly [lo,hi).
func (p *parser) covers(lo, hi int, kinds ...kind) bool {
	m, ok := p.longest(lo, hi, kinds...)
	return ok && m.n == hi-lo
}

// skip passes over phrases of kinds.
func (p *parser) skip(i, hi int, kinds ...kind) int {
	for {
		m, ok := p.longest(i, hi, kinds...)
		if !ok {
			return i
		}
		i += m.n
	}
}

// skipMarks passes over punctuation and emoji.
func (p *parser) skipMarks(i, hi int) int {
	for i < hi && (p.toks[i].shape == mark || p.toks[i].shape == symbol) {
		i++
	}
	return i
}

// fillers passes over small words and pauses between a verb and its object,
// unless nothing else is left.
func (p *parser) fillers(i, hi int) int {
	j := i
	for {
		next := p.skip(p.skipColon(j, hi), hi, kFiller)
		if next == j {
			break
		}
		j = next
	}
	if j >= hi && p.skipColon(i, hi) < hi {
		return p.skipColon(i, hi)
	}
	return j
}

// polite reports whether [lo,hi) is nothing but politeness.
func (p *parser) polite(lo, hi int) bool {
	for lo < hi {
		next := p.skip(p.skipMarks(lo, hi), hi, kTail, kTailNow, kLead, kFiller)
		if next == lo {
			return false
		}
		lo = next
	}
	return true
}

// lead passes over the wrappers before a command and reports whether the last
// one wants a gerund ("would you mind opening").
func (p *parser) lead(lo, hi int) (int, bool) {
	gerund := false
	for {
		lo = p.skipMarks(lo, hi)
		m, ok := p.longest(lo, hi, kLead, kLeadMind, kStepping)
		if !ok {
			return lo, gerund
		}
		if v, ok := p.longest(lo, hi, verbs...); ok && v.n >= m.n {
			return lo, gerund // "new folder", "start by": the verb wins
		}
		gerund = m.kind == kLeadMind
		lo += m.n
	}
}

// tail drops punctuation and politeness after a command. Emoji are dropped
// only where no free text can end (closed).
func (p *parser) tail(lo, hi int, closed bool) int {
	for hi > lo {
		t := p.toks[hi-1]
		if t.shape == mark || closed && t.shape == symbol {
			hi--
			continue
		}
		kinds := []kind{kTail}
		if closed {
			kinds = append(kinds, kTailNow)
		}
		m, ok := p.ending(lo, hi, kinds...)
		if !ok || m.n == hi-lo {
			return hi
		}
		if prev := hi - m.n - 1; !closed && prev >= lo && p.toks[prev].fold == p.toks[hi-1].fold {
			return hi // "please please please" is a song
		}
		hi -= m.n
	}
	return hi
}

// cut returns the original text of tokens [lo,hi) as a slot value: without the
// quotes when it is one quoted span.
func (p *parser) cut(lo, hi int) string {
	if lo >= hi {
		return ""
	}
	if hi == lo+1 && p.toks[lo].shape == quoted {
		return tidy(p.toks[lo].value)
	}
	return tidy(p.text[p.toks[lo].start:p.toks[hi-1].end])
}

var (
	searchVerbs = []kind{kSearch, kSearchIn, kSearchAt, kSearchOn, kPlay, kLookUp, kTypeIn, kSearchIng, kSearchInIng, kSearchOnIng}
	openVerbs   = []kind{kOpen, kStart, kGo, kShow, kOpenIng, kGoIng}
	createVerbs = []kind{kCreate, kMake, kMkdir, kTouch, kCreateIng}
	deleteVerbs = []kind{kDelete, kRm, kDeleteIng}
	verbs       = concat(searchVerbs, openVerbs, createVerbs, deleteVerbs)
)

func concat(lists ...[]kind) []kind {
	var out []kind
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}

// gerund kinds count only after a wrapper that wants one.
func gerund(k kind) bool {
	switch k {
	case kSearchIng, kSearchInIng, kSearchOnIng, kOpenIng, kGoIng, kCreateIng, kDeleteIng:
		return true
	}
	return false
}

// read reads tokens [lo,hi) as one command, wrappers included.
func (p *parser) read(lo, hi int) clause {
	c := clause{lo: lo, hi: hi, lang: anyLang}
	if s := p.system(lo, hi, true); s.outcome == good { // before "computer" is taken for a wake word
		s.lo, s.hi = lo, hi
		return s
	}
	if p.covers(p.skipMarks(lo, hi), p.tail(lo, hi, false), kReferent) && !p.startsCommand(lo, hi) {
		c.outcome, c.ask = asks, question{key: "ask_referent"}
		return c
	}
	at, ing := p.lead(lo, hi)
	if at == hi {
		c.outcome = wrapper
		return c
	}
	end := p.tail(at, hi, true)
	if p.covers(at, end, kCancel) {
		c.outcome, c.negated = cancels, true
		return c
	}
	if at = p.negation(at, hi, &c, &ing); at >= end {
		c.outcome = cancels
		return c
	}
	if p.covers(at, end, kReferent) && !p.startsCommand(at, end) {
		c.outcome, c.ask = asks, question{key: "ask_referent"}
		return c
	}
	best := p.command(at, hi, ing)
	if c.negated && best.outcome != good && p.thing(at, end) { // "…, not youtube"
		best = clause{frame: openFrame, lang: best.lang}
		p.openItem(&best, at, end)
	}
	best.lo, best.hi, best.negated = lo, hi, c.negated
	return best
}

// negation passes over negators and the wrappers around them. What follows a
// negator may be a gerund: "avoid opening".
func (p *parser) negation(at, hi int, c *clause, ing *bool) int {
	for {
		m, ok := p.longest(at, hi, kNot)
		if lead, is := p.longest(at, hi, kLead); ok && is && lead.n > m.n {
			ok = false // "don't forget to"
		}
		if !ok {
			return at
		}
		c.negated = true
		var g bool
		at, g = p.lead(at+m.n, hi)
		*ing = *ing || g || true
	}
}

// startsCommand reports whether a whole referent is also a command without
// its object ("go"), which asks more precisely.
func (p *parser) startsCommand(lo, hi int) bool {
	m, ok := p.longest(lo, hi, kOpen, kSearch, kDelete, kCreate)
	return ok && m.n <= hi-lo
}

// command tries every frame and keeps the first that understands, else the
// first that has a question.
func (p *parser) command(lo, hi int, ing bool) clause {
	if c := p.system(lo, hi, true); c.outcome == good {
		return c // after "please" and the like
	}
	if c := p.fronted(lo, hi); c.outcome != unknown {
		return c
	}
	best := clause{lang: anyLang}
	var typing clause // good only if a page was opened before
	consider := func(c clause) bool {
		if c.outcome == good && c.needNav && !c.named {
			if typing.outcome != good {
				typing = c
			}
			return false
		}
		if c.outcome == good {
			best = c
			return true
		}
		if best.outcome == unknown && (c.outcome == asks || best.reason == "" && c.reason != "") {
			best = c
		}
		return false
	}
	tried := 0
	for n := min(maxPhrase, hi-lo); n > 0; n-- {
		for _, m := range p.marks[lo] {
			if m.n != n || !has(verbs, m.kind) || gerund(m.kind) && !ing {
				continue
			}
			tried++
			if consider(p.withVerb(m, lo, hi)) {
				return best
			}
		}
		if best.outcome == asks && lo+n >= p.tail(lo, hi, true) {
			break // the verb is all there is: no shorter verb with the rest as its object
		}
	}
	if typing.outcome == good && (best.outcome == unknown || best.ask.key == "ask_unknown") {
		return typing
	}
	if _, deed := p.longest(lo, hi, kDeed); best.outcome == asks && !(deed && best.ask.key == "ask_unknown") {
		return best
	}
	if m, ok := p.longest(lo, hi, kDeed, kForeign); ok {
		best.outcome = unknown
		best.foreign, best.lang = true, m.lang
		return best
	}
	if tried == 0 {
		if e, ok := p.in.lex.nearest(p.toks[lo].fold, true, kSearch, kSearchIn, kOpen, kStart, kCreate, kDelete); ok && p.toks[lo].shape == word {
			c := p.withVerb(match{e, 1}, lo, hi)
			c.fuzzy = true
			if c.outcome == good && e.kind == kDelete {
				c.outcome, c.ask = asks, question{key: "ask_typo", arg: e.value}
			}
			if consider(c) {
				return best
			}
		}
		if c := p.verbLast(lo, hi); c.outcome == good {
			c.reversed = true
			return c
		}
	}
	short := p.shorthand(lo, hi)
	short.shorthand = true
	consider(short)
	return best
}

// withVerb reads [lo,hi) as the command that starts with verb m.
func (p *parser) withVerb(m match, lo, hi int) clause {
	verb := span{lo, lo + m.n}
	switch {
	case has(searchVerbs, m.kind):
		return p.search(m, verb, verb.hi, hi)
	case has(openVerbs, m.kind):
		return p.open(m, verb, verb.hi, hi)
	default:
		return p.files(m, verb, verb.hi, hi)
	}
}

// verbLast reads commands whose verb stands at the end, as in Russian «ютуб
// открой» and «котиков на ютубе найди».
func (p *parser) verbLast(lo, hi int) clause {
	hi = p.tail(lo, hi, true)
	m, ok := p.ending(lo+1, hi, kSearch, kOpen, kDelete)
	if !ok {
		return clause{lang: anyLang}
	}
	verb := span{hi - m.n, hi}
	switch m.kind {
	case kSearch:
		if c := p.search(m, verb, lo, verb.lo); c.named && c.outcome == good {
			return c
		}
	case kOpen:
		if c := p.open(m, verb, lo, verb.lo); c.outcome == good {
			return c
		}
	}
	return clause{lang: anyLang}
}

func (p *parser) fold(i int) string { return p.toks[i].fold }

// quotedAlone reports whether [lo,hi) is one quoted span.
func (p *parser) quotedAlone(lo, hi int) bool {
	return hi == lo+1 && p.toks[lo].shape == quoted
}

func joinPath(dir, name string) string {
	sep := "/"
	if strings.Contains(dir, `\`) {
		sep = `\`
	}
	return strings.TrimRight(dir, `/\`) + sep + name
}
