package interpret

import "errand/planner/plan"

const (
	folderType = "folder"
	fileType   = "file"
)

// item is one file or folder as the words describe it.
type item struct {
	object  string // folder, file or ""
	ext     string // ".py", from "python file"
	place   string // "~/Desktop/"
	within  string // the folder it is to lie in
	inside  bool   // in the folder created just before
	plural  bool
	named   bool // "called …": whatever follows is the name
	typed   bool // the type was said
	name    span
	problem string // key of a question
	doubt   span   // what the question is about
	// What stands for the name may say only the kind: "a pdf file".
	kindOnly bool
	refused  string // reason
}

// files reads what follows a verb of creating or deleting.
func (p *parser) files(verb match, at span, lo, hi int) clause {
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
func (p *parser) item(c *clause, lo, hi int) item {
	it := item{}
	deleting := c.action() == "delete"
	switch c.verbKind {
	case kMkdir, kRmdir:
		it.object, it.typed = folderType, true
	case kTouch:
		it.object, it.typed = fileType, true
	}
	whole := hi
	hi = p.unhurried(lo, p.fileTail(lo, hi))
	lo = p.fillers(lo, hi)
	if lo >= hi {
		it.problem = "ask_name"
		return it
	}
	if deleting && p.bulk(lo, hi) {
		it.problem = "ask_bulk"
		return it
	}
	lo = p.placeAt(&it, lo, hi)

	// Adjectives and the type.
	noun := p.describe(&it, lo, hi)
	rest := noun
	if noun == lo && !it.typed {
		rest = p.skip(lo, hi, kDet, kEmpty)
		if rest >= hi {
			rest = lo
		}
	}
	hi = p.trailingPlace(&it, rest, hi)
	rest = p.placeAt(&it, rest, hi)
	rest = p.fillers(rest, hi)
	if m, ok := p.longest(rest, hi, kNamed); ok && rest+m.n <= hi && (it.typed || rest+m.n < hi) {
		it.named = true
		rest = p.skipColon(rest+m.n, hi)
	}
	it.name = span{rest, hi}
	if rest >= hi && rest < whole && p.toks[rest].shape == symbol {
		it.name.hi = rest + 1 // a name may be an emoji
	}

	if !it.typed {
		p.guessType(&it, lo)
	}
	switch {
	case it.name.lo >= it.name.hi || p.onlyMarks(it.name), it.kindOnly && p.anyFile(lo, it.name.lo):
		it.problem = "ask_name"
	case p.placeholder(it):
		it.problem = "ask_name"
	case deleting && p.covers(it.name.lo, it.name.hi, kPlace) && !it.named:
		it.problem = "ask_delete" // the desktop itself
	case deleting && p.bulk(it.name.lo, it.name.hi) && (!it.typed || it.plural || p.globbed(it.name)):
		it.problem = "ask_bulk"
	case !it.named && p.vague(it.name):
		it.problem = "ask_name"
	case p.openChoice(&it, deleting):
		it.problem = "ask_choice"
	case it.object == "":
		it.problem = "ask_type"
	case p.overrun(&it, deleting):
		it.problem = "ask_partial"
	}
	if deleting && it.problem == "ask_name" {
		it.problem = "ask_delete"
	}
	p.guard(c, &it)
	return it
}

// describe passes over "a new empty python file" and notes what it says.
func (p *parser) describe(it *item, lo, hi int) int {
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
func (p *parser) fileTail(lo, hi int) int {
	for {
		hi = p.tail(lo, hi, false)
		m, ok := p.ending(lo, hi, kTailNow)
		if !ok || m.n < 2 || m.n == hi-lo {
			return hi
		}
		hi -= m.n
	}
}

// guessType finds the type where no noun stands before the name: a file name,
// "the drafts folder", a spelled extension.
func (p *parser) guessType(it *item, lo int) {
	q := it.name
	if q.lo >= q.hi {
		return
	}
	if m, ok := p.ending(q.lo+1, q.hi, kFolder, kFile); ok && !it.named && m.n < q.hi-q.lo {
		it.name.hi -= m.n
		it.object, it.typed = folderType, true
		if m.kind == kFile {
			it.object, it.kindOnly = fileType, true
		}
		return
	}
	if q.hi == q.lo+1 && (p.toks[q.lo].shape == file || p.toks[q.lo].shape == link && extension(p.toks[q.lo].value) != "") {
		it.object = fileType
		return
	}
	last := p.toks[q.hi-1]
	if p.toks[q.lo].shape == path || last.shape == file {
		if ext := extension(p.cut(q.hi-1, q.hi)); ext != "" {
			it.object = fileType
		}
		return
	}
	if p.quotedAlone(q.lo, q.hi) && extension(p.toks[q.lo].value) != "" {
		it.object = fileType
		return
	}
	if name := p.spokenName(q.lo, q.hi); extension(name) != "" && fileExtensions[extension(name)] {
		it.object = fileType
	}
}

// anyFile reports whether the words before a name speak of any file at all:
// "a", but not "the".
func (p *parser) anyFile(lo, hi int) bool {
	det, ok := p.longest(lo, hi, kDet)
	known, _ := p.longest(lo, hi, kKnown)
	return ok && det.n > known.n
}

// addItem turns an item into goals of c, or its question.
func (p *parser) addItem(c *clause, it item) {
	c.object, c.plural = it.object, it.plural
	c.free = !it.plural
	switch {
	case it.refused != "":
		c.outcome, c.reason = unknown, it.refused
		return
	case c.verbKind == kPut && !p.newThing(c, it):
		c.outcome, c.reason = unknown, "why_no_type"
		return
	case it.problem == "ask_type" && !p.fileVerb(c) && !it.named:
		c.outcome, c.reason = unknown, "why_no_type"
		return
	case it.problem == "" && it.inside && (it.place != "" || it.within != ""):
		c.outcome, c.ask = asks, question{key: "ask_partial", arg: p.cut(c.body, c.hi)}
		return
	case it.problem != "":
		if it.problem == "ask_name" && !it.typed && !p.fileVerb(c) {
			c.outcome, c.reason = unknown, "why_no_type"
			return
		}
		c.outcome, c.ask = asks, question{key: it.problem, arg: p.cut(it.doubt.lo, it.doubt.hi)}
		if it.problem == "ask_type" {
			name := p.cut(it.name.lo, it.name.hi)
			if _, article := p.longest(c.body, c.hi, kForeign); article || p.foreignThing(c, it) {
				c.outcome, c.reason = unknown, "why_no_type"
				return
			}
			c.ask.arg = name
			c.ask.choices = []plan.Choice{{Label: p.in.message(c.lang, folderType), Value: folderType}, {Label: p.in.message(c.lang, fileType), Value: fileType}}
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

// fileVerb reports whether the verb by itself is about files.
func (p *parser) fileVerb(c *clause) bool {
	return c.verbKind == kCreate || c.verbKind == kCreateIng || has(deleteVerbs, c.verbKind) || c.verbKind == kMkdir || c.verbKind == kTouch
}

// newThing reports whether the words speak of a file or folder that is not
// there yet: "a file", not "the file".
func (p *parser) newThing(c *clause, it item) bool {
	noun := false
	for i := c.body; i < it.name.lo; i++ {
		if _, known := p.longest(i, it.name.lo, kKnown); known {
			return false
		}
		_, is := p.longest(i, it.name.lo, kFile, kFolder, kFiles, kFolders)
		noun = noun || is
	}
	return noun
}

// foreignThing: "create a playlist" has an article and no type, which makes it
// some other thing; "create backup" may be a name.
func (p *parser) foreignThing(c *clause, it item) bool {
	m, ok := p.longest(c.body, it.name.hi, kDet)
	return ok && m.n > 0 && c.action() == "create" && !it.named
}
