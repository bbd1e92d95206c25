package interpret

import "errand/planner/plan"

const (
	folderType = "folder"
	fileType   = "file"
)

// item is one file or folder as the words describe it.
type item struct {
	object string // folder, file or ""
	ext    string // ".py", from "python file"
	where
	front   bool // the words say where before they say what
	plural  bool
	named   bool // "called …": whatever follows is the name
	typed   bool // the type was said
	name    span
	problem string // key of a question
	doubt   span   // what the question is about
	at      span   // the words that an answer to it stands for
	rest    span   // all of the description but the place
	// What stands for the name may say only the kind: "a pdf file".
	kindOnly  bool
	described bool   // what stands before the noun tells of it and names nothing: "the biggest file"
	refused   string // reason
}

// files reads what follows a verb of creating or deleting.
func (p *fileReader) files(verb match, at span, lo, hi int) clause {
	c := clause{frame: fileFrame, verb: at, verbKind: verb.kind, lang: verb.lang, body: lo}
	it := p.item(&c, lo, hi)
	p.addItem(&c, it)
	return c
}

// action of the verb.
func (c *clause) action() string {
	if has(deleteVerbs, c.verbKind) {
		return "delete"
	}
	return "create"
}

// item reads one description: adjectives, type, place, "called", name, place,
// in any of the orders that people use.
func (p *fileReader) item(c *clause, lo, hi int) item {
	it := item{}
	deleting := c.action() == "delete"
	switch c.verbKind {
	case kMkdir, kRmdir:
		it.object, it.typed = folderType, true
	case kTouch:
		it.object, it.typed = fileType, true
	}
	whole := hi
	hi, here := p.unhurried(lo, p.undecorated(lo, p.fileTail(lo, hi)))
	if at := p.placeAt(&it, lo, hi); at < hi { // «там» is a small word elsewhere
		lo = at
	} else {
		it.where = where{}
	}
	if here && deleting { // nobody knows where that is
		it.inside = true
	}
	end, emoji := hi, hi > lo && p.toks[hi-1].shape == symbol
	lo = p.fillers(lo, hi)
	if lo >= hi {
		it.problem, it.at, it.rest = "ask_name", span{lo, lo}, span{lo, lo}
		return it
	}
	it.rest = span{lo, p.trailingPlace(&item{}, lo, hi)}
	if deleting && p.bulk(lo, hi) {
		it.problem, it.at = "ask_bulk", it.rest
		return it
	}
	lo = p.placeAt(&it, lo, hi)
	it.front = it.said()

	// Adjectives and the type.
	noun := p.describe(&it, lo, hi)
	rest := noun
	if noun == lo && !it.typed {
		rest = p.skip(lo, hi, kDet, kEmpty)
		if rest >= hi {
			rest = lo
		}
	}
	at := p.placeAt(&it, rest, hi)
	it.front = it.said()
	hi = p.trailingPlace(&it, at, hi)
	rest = at
	if _, vague := p.longest(rest, hi, kVague); !deleting || !vague { // "a file like a.txt"
		rest = p.fillers(rest, hi)
	}
	if m, ok := p.longest(rest, hi, kNamed); ok && rest+m.n <= hi && (it.typed || rest+m.n < hi) {
		it.named = true
		rest = p.skipColon(rest+m.n, hi)
	}
	it.name = span{rest, hi}
	if rest >= hi && rest < whole && p.toks[rest].shape == symbol {
		it.name.hi = rest + 1 // a name may be an emoji
	}

	if !it.typed {
		p.guessType(&it, deleting)
	}
	if it.object == "" && rest < len(p.toks) {
		it.object = p.told(rest).object
		it.typed = it.object != ""
	}
	it.at = span{it.name.lo, max(it.name.lo, it.name.hi)}
	switch {
	case it.name.lo >= it.name.hi || p.onlyMarks(it.name), it.kindOnly && p.anyFile(lo, it.name.lo), it.described:
		it.problem = "ask_name"
	case p.placeholder(it):
		it.problem = "ask_name"
	case deleting && p.covers(it.name.lo, it.name.hi, kPlace) && !it.named:
		it.problem = "ask_delete" // the desktop itself
	case deleting && p.bulk(it.name.lo, it.name.hi) && (!it.typed || it.plural || p.globbed(it.name)):
		it.problem = "ask_bulk"
	case !it.named && (p.vague(it.name) || p.adverbial(it.name, deleting)):
		it.problem = "ask_name"
	case p.openChoice(&it, deleting):
		it.problem = "ask_choice"
	case it.object == "" && !(deleting && p.remarksOn(&it)):
		it.problem = "ask_type"
	case deleting && emoji && (it.name.hi > it.name.lo+1 || it.within != ""):
		it.problem, it.doubt, it.at = "ask_partial", span{end - 1, end}, it.name // it may be decoration
	case p.overrun(&it, deleting):
		it.problem, it.at = "ask_partial", it.unclear(deleting)
	}
	if it.problem == "ask_name" && it.kindOnly {
		it.at.lo = it.at.hi // "a pdf file": the name follows
	}
	if deleting && it.problem == "ask_name" {
		it.problem = "ask_delete"
	}
	p.guard(c, &it)
	return it
}

// describe passes over "a new empty python file" and notes what it says.
func (p *fileReader) describe(it *item, lo, hi int) int {
	i := lo
	ext := ""
	for i < hi {
		m, ok := p.longest(i, hi, kFolder, kFolders, kFile, kFiles, kDet, kEmpty, kNumber, kExtension, kAnother)
		if !ok {
			return lo
		}
		i += m.n
		switch m.kind {
		case kExtension:
			ext = m.value
			continue
		case kNumber:
			it.plural = true
			continue
		case kFolder, kFolders:
			it.object, it.typed = folderType, true
		case kFile, kFiles:
			it.object, it.typed, it.ext = fileType, true, ext
		case kAnother:
			if it.object == "" { // the type is that of the item before
				it.typed = false
			}
			continue
		default:
			continue
		}
		it.plural = it.plural || m.kind == kFolders || m.kind == kFiles
		for _, other := range p.marks[i-m.n] { // папки is one folder's genitive and many folders
			if other.n == m.n && (other.kind == kFolders || other.kind == kFiles) {
				it.plural = true
			}
		}
		return i
	}
	return lo
}

// fileTail drops politeness at the end. A name may end in any single word
// ("never again"), so that only longer phrases are dropped.
func (p *fileReader) fileTail(lo, hi int) int {
	for {
		hi = p.tail(lo, hi, false)
		m, ok := p.ending(lo, hi, kTailNow)
		if !ok || m.n < 2 || m.n == hi-lo {
			return hi
		}
		hi -= m.n
	}
}

// addItem turns an item into goals of c, or its question.
func (p *fileReader) addItem(c *clause, it item) {
	c.object, c.plural, c.ext = it.object, it.plural, it.ext
	c.free = !it.plural
	switch {
	case it.refused != "":
		c.outcome, c.reason = unknown, it.refused
		return
	case c.verbKind == kPut && !p.newThing(c, it):
		c.outcome, c.reason = unknown, "why_no_type"
		return
	case it.problem == "ask_type" && !namesFiles(c.verbKind) && !it.named:
		c.outcome, c.reason = unknown, "why_no_type"
		return
	case it.problem == "" && it.inside && (it.place != "" || it.within != ""):
		c.outcome, c.ask = asks, question{key: "ask_partial", arg: p.cut(c.body, c.hi), at: span{c.body, c.hi}}
		return
	case it.problem != "":
		if it.problem == "ask_name" && !it.typed && !namesFiles(c.verbKind) {
			c.outcome, c.reason = unknown, "why_no_type"
			return
		}
		c.outcome, c.ask = asks, question{key: it.problem, arg: p.cut(it.doubt.lo, it.doubt.hi), at: it.at, rest: it.rest}
		c.ask.optional, c.ask.name = it.problem == "ask_partial", it.problem == "ask_partial"
		if word := p.cut(it.name.lo, it.name.hi); it.kindOnly && fileExtensions[word] {
			c.ask.ext = "." + word
		}
		if it.problem == "ask_choice" {
			c.ask.choices = p.orThings(it.name.lo, it.name.hi)
		}
		if it.problem == "ask_type" {
			name := p.cut(it.name.lo, it.name.hi)
			if _, article := p.longest(c.body, c.hi, kForeign); article || p.foreignThing(c, it) {
				c.outcome, c.reason = unknown, "why_no_type"
				return
			}
			c.ask.arg = name
			c.ask.choices = []plan.Choice{{Label: p.words.message(c.lang, folderType), Value: folderType}, {Label: p.words.message(c.lang, fileType), Value: fileType}}
		}
		return
	}
	c.outcome = good
	it.plural = it.plural || p.fileTokens(it.name)
	if it.plural {
		c.drafts = nil
		for _, q := range p.names(it.name) {
			p.addFile(c, it, q)
		}
		return
	}
	p.addFile(c, it, it.name)
}
