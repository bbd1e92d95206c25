package interpret

import (
	"strings"

	"errand/planner/plan"
)

// parser reads one text. It never outlives the call of Read that made it.
type parser struct {
	in       *Interpreter
	text     string // with the answers in it
	language string // by its script
	toks     []token
	marks    [][]match
	edits    []edit // by which the text differs from what was said
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
	joined  bool // by "and" to the clause before, whose negation it shares
	free    bool // its slot is free text, which may hold anything
	foreign bool // a deed outside the five kinds
	drafts  []draft
	ask     question
	reason  string // key of the language's messages: why it is not understood

	verb     span
	verbKind kind
	lang     uint8
	body     int    // first token after the verb
	named    bool   // search: the words name a site
	fronted  bool   // search: the site is named before the query
	bare     bool   // … and nothing stands between them: "on youtube cats"
	needNav  bool   // typing into a page needs a page
	there    bool   // … which the words point at
	plural   bool   // files: a list of names follows
	object   string // files: type of the last item, which the next may share
	ext      string // files: the extension that it implies
	fuzzy    bool   // the spelling of the verb was corrected

	shorthand bool // "<site> <query>" without a verb
	reversed  bool // the verb stands at the end
	dirty     bool // took up more text since it was read
	reads     int  // how often it was read again
	listed    bool // has items that a new reading would lose
}

// draft is a goal with the words that caused each of its slots.
type draft struct {
	goal  plan.Goal
	spans []slotSpan
	where      // files: where the target lies, which is a name till then
	front bool // files: the words said where before the name
	needs int  // number of the goal of the folder that it lies in, once it is known
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

	at       span   // the words that an answer stands for; empty: where it goes
	whole    span   // the command that the question is about
	rest     span   // all of what is described, where only its name is asked for
	optional bool   // of ask_partial: it may be left out
	name     bool   // of ask_partial: it stands in a name
	ext      string // of ask_name: that of the kind which was said
	site     bool   // the choices are ids of sites
	thing    entity // of ask_verb
	inside   bool   // of ask_referent: "in it", and not a whole command
	clash    *clash // of ask_conflict
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
		m, ok := p.longest(lo, hi, kLead, kLeadMind, kLeadAsk, kStepping)
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

// questioned reports whether the wrappers of [lo,hi) may be a real question.
func (p *parser) questioned(lo, hi int) bool {
	for lo < hi {
		m, ok := p.longest(lo, hi, kLead, kLeadMind, kLeadAsk, kStepping)
		if ok && m.kind == kLeadAsk {
			return true
		}
		lo += max(1, m.n)
	}
	return false
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
		if _, spoken := p.ending(lo, hi-m.n, kSpoken); spoken && m.kind == kTailNow {
			return hi // "dot com slash today"
		}
		if prev := hi - m.n - 1; !closed && m.n == 1 && prev >= lo && p.toks[prev].fold == p.toks[hi-1].fold {
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
