package interpret

import (
	"strings"

	"errand/planner/plan"
)

// Text is a row of tokens with the phrases that start at each of them.
type Text struct {
	words    *vocabulary
	platform string // the site that searches "the web"
	source   string // with the answers in it
	language string // by its script and phrases
	toks     []token
	marks    [][]match
	edits    []edit // by which the source differs from what was said
}

// commander reads tokens [lo,hi) as one command of any kind. With gerund a verb
// may be a gerund: "avoid opening".
type commander interface {
	command(lo, hi int, gerund bool) clause
}

// webReader reads commands that open sites and apps or search.
type webReader struct {
	*Text
	commands commander
	choosing bool // it is reading the right side of an "or"
}

// fileReader reads commands that create or delete files and folders.
type fileReader struct{ *Text }

// pageReader reads commands about the content of a page.
type pageReader struct {
	*Text
	web      *webReader
	commands commander
}

// commandReader reads one command.
type commandReader struct {
	*Text
	web   *webReader
	files *fileReader
	page  *pageReader
}

// parser splits a text into clauses and reads each of them.
type parser struct{ *commandReader }

func newParser(t *Text) *parser {
	c := &commandReader{Text: t, web: &webReader{Text: t}, files: &fileReader{t}}
	c.page = &pageReader{Text: t, web: c.web, commands: c}
	c.web.commands = c
	return &parser{c}
}

// frame is the kind of command that a clause is.
type frame uint8

const (
	noFrame frame = iota
	searchFrame
	openFrame
	fileFrame
	systemFrame
	pageFrame
	frames
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
	onPage   int    // search: so many words at the query's end point at a page, if one was opened
	plural   bool   // files: a list of names follows
	object   string // files: type of the last item, which the next may share
	ext      string // files: the extension that it implies
	fuzzy    bool   // the spelling of the verb was corrected

	keeps     *keeping // pages: it only says that and where what the clause before it makes is kept
	shorthand bool     // "<site> <query>" without a verb
	reversed  bool     // the verb stands at the end
	dirty     bool     // took up more text since it was read
	reads     int      // how often it was read again
	listed    bool     // has items that a new reading would lose
}

// draft is a goal with the words that caused each of its slots.
type draft struct {
	goal  plan.Goal
	spans []slotSpan
	where      // files: where the target lies, which is a name till then
	that  bool // pages: it is about the page that stands before it, and its goal has no page yet
	rows  span // pages: rows of it that no tool tells from the others: "the first 5 videos"
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
func (p *Text) longest(i, hi int, kinds ...kind) (match, bool) {
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
func (p *Text) ending(lo, hi int, kinds ...kind) (match, bool) {
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
func (p *Text) covers(lo, hi int, kinds ...kind) bool {
	m, ok := p.longest(lo, hi, kinds...)
	return ok && m.n == hi-lo
}

// skip passes over phrases of kinds.
func (p *Text) skip(i, hi int, kinds ...kind) int {
	for {
		m, ok := p.longest(i, hi, kinds...)
		if !ok {
			return i
		}
		i += m.n
	}
}

// cut returns the original text of tokens [lo,hi) as a slot value: without the
// quotes when it is one quoted span.
func (p *Text) cut(lo, hi int) string {
	if lo >= hi {
		return ""
	}
	if hi == lo+1 && p.toks[lo].shape == quoted {
		return tidy(p.toks[lo].value)
	}
	return tidy(p.source[p.toks[lo].start:p.toks[hi-1].end])
}

func (p *Text) fold(i int) string { return p.toks[i].fold }

// quotedAlone reports whether [lo,hi) is one quoted span.
func (p *Text) quotedAlone(lo, hi int) bool {
	return hi == lo+1 && p.toks[lo].shape == quoted
}

func joinPath(dir, name string) string {
	sep := "/"
	if strings.Contains(dir, `\`) {
		sep = `\`
	}
	return strings.TrimRight(dir, `/\`) + sep + name
}
