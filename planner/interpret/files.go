package interpret

import (
	"strings"

	"errand/planner/plan"
)

const (
	folderType = "folder"
	fileType   = "file"
)

// item is one file or folder as the words describe it.
type item struct {
	object   string // folder, file or ""
	ext      string // ".py", from "python file"
	place    string // "~/Desktop/"
	within   string // the folder it is to lie in
	inside   bool   // in the folder created just before
	plural   bool
	named    bool // "called …": whatever follows is the name
	typed    bool // the type was said
	name     span
	problem  string // key of a question
	refused  string // reason
	fullPath bool
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
	case kMkdir:
		it.object, it.typed = folderType, true
	case kTouch:
		it.object, it.typed = fileType, true
	}
	whole := hi
	hi = p.fileTail(lo, hi)
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
	case it.name.lo >= it.name.hi || p.onlyMarks(it.name):
		it.problem = "ask_name"
	case p.covers(it.name.lo, it.name.hi, kPronoun, kNothing) && !p.quotedAlone(it.name.lo, it.name.hi):
		it.problem = "ask_name"
	case deleting && p.covers(it.name.lo, it.name.hi, kPlace) && !it.named:
		it.problem = "ask_delete" // the desktop itself
	case deleting && p.bulk(it.name.lo, it.name.hi) && (!it.typed || it.plural || p.globbed(it.name)):
		it.problem = "ask_bulk"
	case !it.named && p.vague(it.name):
		it.problem = "ask_name"
	case it.object == "":
		it.problem = "ask_type"
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
			it.object = fileType
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

// bulk reports whether the words mean more than one named thing.
func (p *parser) bulk(lo, hi int) bool {
	if p.quotedAlone(lo, hi) {
		return false
	}
	if _, all := p.longest(lo, hi, kBulkAll); all {
		return true
	}
	start := p.skip(lo, hi, kDet)
	if m, ok := p.longest(start, hi, kBulk); ok {
		_, more := p.longest(start+m.n, hi, kVague, kPlace, kIn)
		return start+m.n == hi || more
	}
	return p.globbed(span{lo, hi})
}

// globbed reports whether the words hold a wildcard.
func (p *parser) globbed(q span) bool {
	for i := q.lo; i < q.hi; i++ {
		if p.toks[i].shape != quoted && strings.ContainsAny(p.text[p.toks[i].start:p.toks[i].end], "*?") {
			return true
		}
	}
	return false
}

func (p *parser) onlyMarks(q span) bool {
	for i := q.lo; i < q.hi; i++ {
		if p.toks[i].shape != mark {
			return false
		}
	}
	return true
}

// vague reports whether an unannounced name begins like a description rather
// than a name: "the file that I made yesterday".
func (p *parser) vague(q span) bool {
	if p.quotedAlone(q.lo, q.hi) {
		return false
	}
	_, ok := p.longest(q.lo, q.hi, kVague)
	return ok
}

// guard refuses what is never a goal: deleting a root, flags of shell commands.
func (p *parser) guard(c *clause, it *item) {
	if it.name.lo >= it.name.hi {
		return
	}
	name := p.cut(it.name.lo, it.name.hi)
	first := p.text[p.toks[it.name.lo].start:p.toks[it.name.lo].end]
	switch {
	case c.verbKind == kRm && strings.HasPrefix(first, "-"), isRoot(name):
		it.refused = "a whole tree or root is never touched"
	case (c.verbKind == kTouch || c.verbKind == kMkdir) && strings.HasPrefix(first, "-"):
		it.refused = "shell flags are not understood"
	case strings.ContainsRune(name, 0):
		it.refused = "a name can't hold a zero byte"
	}
}

func isRoot(name string) bool {
	trimmed := strings.Trim(name, `/\.~`)
	return trimmed == "" || len(trimmed) == 2 && trimmed[1] == ':'
}

// addItem turns an item into goals of c, or its question.
func (p *parser) addItem(c *clause, it item) {
	c.object, c.plural = it.object, it.plural
	c.free = !it.plural
	switch {
	case it.refused != "":
		c.outcome, c.reason = unknown, it.refused
		return
	case it.problem == "ask_type" && !p.fileVerb(c) && !it.named:
		c.outcome, c.reason = unknown, "names neither a file nor a folder"
		return
	case it.problem != "":
		if it.problem == "ask_name" && !it.typed && !p.fileVerb(c) && !p.covers(it.name.lo, it.name.hi, kNothing, kPronoun) {
			c.outcome, c.reason = unknown, "names neither a file nor a folder"
			return
		}
		c.outcome, c.ask = asks, question{key: it.problem}
		if it.problem == "ask_type" {
			name := p.cut(it.name.lo, it.name.hi)
			if _, article := p.longest(c.body, c.hi, kForeign); article || p.foreignThing(c, it) {
				c.outcome, c.reason = unknown, "names neither a file nor a folder"
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

// foreignThing: "create a playlist" has an article and no type, which makes it
// some other thing; "create backup" may be a name.
func (p *parser) foreignThing(c *clause, it item) bool {
	m, ok := p.longest(c.body, it.name.hi, kDet)
	return ok && m.n > 0 && c.action() == "create" && !it.named
}

// fileTokens reports whether the words are several file names in a row.
func (p *parser) fileTokens(q span) bool {
	for i := q.lo; i < q.hi; i++ {
		if s := p.toks[i].shape; s != file && s != quoted {
			return false
		}
	}
	return q.hi > q.lo+1
}

// names cuts a list of names at its commas and conjunctions.
func (p *parser) names(q span) []span {
	var out []span
	from := q.lo
	for i := q.lo; i < q.hi; {
		n := 0
		if p.toks[i].shape == mark && (p.fold(i) == "," || p.fold(i) == ";" || p.fold(i) == "\n") {
			n = 1
		} else if m, ok := p.longest(i, q.hi, kAnd); ok {
			n = m.n
		}
		if n == 0 {
			i++
			if i < q.hi && p.toks[i-1].shape == file && p.toks[i].shape == file {
				out = append(out, span{from, i})
				from = i
			}
			continue
		}
		if from < i {
			out = append(out, span{from, i})
		}
		i += n
		from = i
	}
	if from < q.hi {
		out = append(out, span{from, q.hi})
	}
	return out
}

func (p *parser) addFile(c *clause, it item, q span) {
	name := p.fileName(it, q)
	switch {
	case it.within != "":
		name = joinPath(it.within, name)
	case it.place != "" && !isPath(name):
		name = it.place + name
	}
	c.drafts = append(c.drafts, draft{
		goal:   plan.Goal{GoalType: plan.FileOperation, Action: c.action(), ObjectType: it.object, Target: name},
		inside: it.inside,
		spans: []slotSpan{
			{"goal_type", c.verb, false}, {"action", c.verb, c.fuzzy},
			{"target", q, false},
		},
	})
}

// fileName is the name as it was said, with "dot t x t" spelled out and the
// extension that the type implies.
func (p *parser) fileName(it item, q span) string {
	name := p.cut(q.lo, q.hi)
	if !p.quotedAlone(q.lo, q.hi) && it.object == fileType {
		name = p.spokenName(q.lo, q.hi)
	}
	if it.ext != "" && it.object == fileType && extension(name) == "" {
		name += it.ext
	}
	return name
}

// spokenName is the text of [lo,hi) with a spoken extension at its end written
// out: "notes dot t x t" is "notes.txt", "my_file dot md" is "my_file.md".
func (p *parser) spokenName(lo, hi int) string {
	for i := hi - 2; i > lo && i >= hi-6; i-- {
		m, ok := p.longest(i, hi, kSpoken)
		if !ok || m.value != "." || i+m.n >= hi {
			continue
		}
		ext := ""
		for j := i + m.n; j < hi; j++ {
			ext += latinLetter(p.fold(j))
		}
		if fileExtensions[ext] {
			return p.joined(lo, i) + "." + ext
		}
	}
	return p.cut(lo, hi)
}

// joined is the text of [lo,hi) with spoken underscores and dashes written.
func (p *parser) joined(lo, hi int) string {
	var b strings.Builder
	glue := true
	for i := lo; i < hi; {
		if m, ok := p.longest(i, hi, kSpoken); ok && i > lo && i+m.n < hi {
			b.WriteString(m.value)
			i, glue = i+m.n, true
			continue
		}
		if !glue {
			b.WriteByte(' ')
		}
		b.WriteString(p.cut(i, i+1))
		i, glue = i+1, false
	}
	return b.String()
}

// latinLetter turns spelled Russian names of Latin letters and extensions into
// what they mean.
func latinLetter(s string) string {
	if l, ok := spelled[s]; ok {
		return l
	}
	return s
}

var spelled = map[string]string{
	"тэ": "t", "ти": "t", "икс": "x", "тхт": "txt", "пдф": "pdf", "пи": "p", "ди": "d", "эф": "f", "эм": "m", "док": "doc", "тиэксти": "txt",
}
