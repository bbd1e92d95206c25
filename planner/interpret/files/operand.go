package files

import (
	"strings"

	"errand/planner/interpret/files/item"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// operand is a file or folder that exists, as the words name it.
type operand struct {
	object  string // folder, file or "": the words don't say
	path    string // with its place, if the words name one; of many files, their folder
	value   string // of many files: which
	query   string // of many files: what their names have in them
	located bool   // the words name its place
	untyped bool   // the words don't say "file" or "folder"
	span    parse.Span
	limit   int // of many files: how many of them, in the order that the value says; 0: all
}

// operands reads [lo,hi) as one file or folder, or as a list of file names. It returns nil
// unless the words are certainly that: a file name, a path, "the file …", or a name in a
// known place. at is where they are if they don't say.
func (p *actReader) operands(lo, hi int, at parse.Location) []operand {
	if item.IsBulk(p.Text, lo, hi) || p.IsPhrase(p.Skip(lo, hi, lexicon.Determiner, lexicon.Mine), hi, lexicon.Site, lexicon.App, lexicon.AppNoun) {
		return nil
	}
	var it item.Item
	it.Location = at
	from := p.PlaceAt(&it, lo, hi) // "in downloads report.pdf"
	if from >= hi {
		return nil
	}
	start := from
	noun := p.Describe(&it, from, hi)
	end := p.TrimPlace(&it, noun, hi)
	end = p.trimBareFolder(&it, noun, end)
	if it.Unknown.Lo < it.Unknown.Hi || it.Inside || parse.IsOutside(p.Text, it.Location, noun, end) || it.Typed && item.IsIndefinite(p.Text, lo, hi) || it.Plural && it.Object == parse.FolderType && !isOneFolder(p.Text, noun, end) {
		return nil
	}
	if from = noun; noun == start { // after "the folder", "my" belongs to the name
		from = parse.SkipArticles(p.Text, noun, end)
	}
	if m, ok := p.Longest(from, end, lexicon.NameMarker); ok && it.Typed {
		from += m.Len
	} else if m, ok := p.FindEnding(from+1, end, lexicon.Folder, lexicon.File); ok && !it.Typed { // "the invoices folder"
		end -= m.Len
		if it.Object, it.Typed = parse.FileType, true; m.Kind == lexicon.Folder {
			it.Object = parse.FolderType
		}
	}
	name := parse.Span{Lo: from, Hi: end}
	var isList bool
	if last, object, ok := p.ListBefore(name); ok && !it.Typed {
		name.Hi, it.Object, it.Typed, isList = last, object, true, true
	}
	if parse.DropsName(p.Text, start, from) || name.Lo >= name.Hi || p.IsPhrase(from, end, lexicon.AppNoun, lexicon.SiteNoun, lexicon.ThisPage) {
		return nil
	}
	if isList || item.AreFileNames(p.Text, name) {
		var out []operand
		for _, q := range p.SplitNames(name) {
			out = append(out, p.operandAt(it, q))
		}
		return out
	}
	if !item.EndsInFileName(p.Text, name) && !item.IsFileToken(p.Text, name) && (!it.Typed && !it.IsKnown() || !item.IsName(p.Text, name, it.Typed)) {
		return nil
	}
	return []operand{p.operandAt(it, name)}
}

// trimBareFolder cuts "from Projects" off after a file name that has a known folder as well:
// "a.txt from Projects on the desktop".
func (p *actReader) trimBareFolder(it *item.Item, lo, hi int) int {
	if it.Place == "" || it.Folder != "" || lo >= hi || p.Tokens[lo].Shape != lexicon.FileShape {
		return hi
	}
	m, ok := p.Longest(lo+1, hi, lexicon.Source, lexicon.In)
	if name := (parse.Span{Lo: lo + 1 + m.Len, Hi: hi}); ok && item.IsName(p.Text, name, false) {
		it.Folder = p.Cut(name.Lo, name.Hi)
		return lo + 1
	}
	return hi
}

// unknownSource is a place after a file name that is not known: "from downlods" in "a.txt from
// downlods".
func unknownSource(p *parse.Text, lo, hi int) (parse.Span, bool) {
	for i := lo + 1; i < hi-1; i++ {
		if m, ok := p.Longest(i, hi, lexicon.Source); ok && p.Tokens[i-1].Shape == lexicon.FileShape {
			return parse.Span{Lo: i, Hi: hi}, item.IsName(p, parse.Span{Lo: i + m.Len, Hi: hi}, false)
		}
	}
	return parse.Span{}, false
}

// isOneFolder reports whether a noun before token at may also be in the singular, and one name
// follows: the genitive «папки».
func isOneFolder(p *parse.Text, at, end int) bool {
	_, ok := p.FindEnding(0, at, lexicon.Folder)
	return ok && len(p.SplitNames(parse.Span{Lo: at, Hi: end})) == 1
}

// bareOperand reads [lo,hi) as a name that only its command makes a file or folder: "report"
// in "move report to documents".
func (p *actReader) bareOperand(lo, hi int) []operand {
	name := parse.Span{Lo: p.Skip(lo, hi, lexicon.Determiner), Hi: hi}
	if !item.IsName(p.Text, name, false) || item.IsBulk(p.Text, lo, hi) || p.IsPhrase(name.Lo, hi, lexicon.FileKind) {
		return nil // "the zips" are many files of a kind
	}
	return []operand{p.operandAt(item.Item{}, name)}
}

func (p *actReader) operandAt(it item.Item, name parse.Span) operand {
	t := operand{object: it.Object, located: it.IsKnown(), untyped: !it.Typed, span: name}
	said := p.FileName(it, name)
	if is := p.Hint(name.Lo).Object; is != "" && t.object == "" {
		t.object = is
	}
	if t.object == "" && (p.Tokens[name.Lo].Shape == lexicon.FileShape || p.Tokens[name.Hi-1].Shape == lexicon.FileShape || lexicon.FileExtension(said) != "" && item.IsFileToken(p.Text, name)) {
		t.object = parse.FileType
	}
	t.path = it.Join(p.ExpandPlace(said))
	return t
}

// objects reads what is copied, moved or packed. A known folder of the user may only be packed.
func (p *actReader) objects(action string, lo, hi int) []operand {
	if at, ok := p.ownFolder(lo, hi); ok && action == plan.ZipAction {
		return []operand{{object: parse.FolderType, path: strings.TrimSuffix(at, "/"), span: parse.Span{Lo: lo, Hi: hi}}}
	}
	if m, all := p.Longest(lo, hi, lexicon.BulkAll); all && action == plan.ZipAction { // "everything on the desktop"
		if at, ok := p.folderAt(lo+m.Len, hi); ok {
			return []operand{{object: parse.FolderType, path: strings.TrimSuffix(at, "/"), span: parse.Span{Lo: lo, Hi: hi}}}
		}
	}
	return p.operands(lo, hi, parse.Location{})
}
