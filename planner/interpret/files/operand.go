package files

import (
	"strings"

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
	if isBulk(p.Text, lo, hi) || p.IsPhrase(p.Skip(lo, hi, lexicon.Determiner, lexicon.Mine), hi, lexicon.Site, lexicon.App, lexicon.AppNoun) {
		return nil
	}
	var it Item
	it.Location = at
	from := p.PlaceAt(&it, lo, hi) // "in downloads report.pdf"
	if from >= hi {
		return nil
	}
	start := from
	noun := p.describe(&it, from, hi)
	end := p.trimPlace(&it, noun, hi)
	end = p.trimBareFolder(&it, noun, end)
	if it.unknown.Lo < it.unknown.Hi || it.Inside || parse.IsOutside(p.Text, it.Location, noun, end) || it.Typed && isIndefinite(p.Text, lo, hi) || it.Plural && it.Object == parse.FolderType && !isOneFolder(p.Text, noun, end) {
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
	if last, object, ok := p.listBefore(name); ok && !it.Typed {
		name.Hi, it.Object, it.Typed, isList = last, object, true, true
	}
	if parse.DropsName(p.Text, start, from) || name.Lo >= name.Hi || p.IsPhrase(from, end, lexicon.AppNoun, lexicon.SiteNoun, lexicon.ThisPage) {
		return nil
	}
	if isList || areFileNames(p.Text, name) {
		var out []operand
		for _, q := range p.SplitNames(name) {
			out = append(out, p.operandAt(it, q))
		}
		return out
	}
	if !endsInFileName(p.Text, name) && !isFileToken(p.Text, name) && (!it.Typed && !it.IsKnown() || !isName(p.Text, name, it.Typed)) {
		return nil
	}
	return []operand{p.operandAt(it, name)}
}

// trimBareFolder cuts "from Projects" off after a file name that has a known folder as well:
// "a.txt from Projects on the desktop".
func (p *actReader) trimBareFolder(it *Item, lo, hi int) int {
	if it.Place == "" || it.Folder != "" || lo >= hi || p.Tokens[lo].Shape != lexicon.FileShape {
		return hi
	}
	m, ok := p.Longest(lo+1, hi, lexicon.Source, lexicon.In)
	if name := (parse.Span{Lo: lo + 1 + m.Len, Hi: hi}); ok && isName(p.Text, name, false) {
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
			return parse.Span{Lo: i, Hi: hi}, isName(p, parse.Span{Lo: i + m.Len, Hi: hi}, false)
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
	if !isName(p.Text, name, false) || isBulk(p.Text, lo, hi) || p.IsPhrase(name.Lo, hi, lexicon.FileKind) {
		return nil // "the zips" are many files of a kind
	}
	return []operand{p.operandAt(Item{}, name)}
}

func (p *actReader) operandAt(it Item, name parse.Span) operand {
	t := operand{object: it.Object, located: it.IsKnown(), untyped: !it.Typed, span: name}
	said := p.fileName(it, name)
	if is := p.Hint(name.Lo).Object; is != "" && t.object == "" {
		t.object = is
	}
	if t.object == "" && (p.Tokens[name.Lo].Shape == lexicon.FileShape || p.Tokens[name.Hi-1].Shape == lexicon.FileShape || lexicon.FileExtension(said) != "" && isFileToken(p.Text, name)) {
		t.object = parse.FileType
	}
	t.path = it.Join(p.ExpandPlace(said))
	return t
}

// notInNames are the kinds that a name without quotes has none of.
var notInNames = append([]lexicon.Kind{
	lexicon.Pronoun, lexicon.Nothing, lexicon.BulkAll, lexicon.Or, lexicon.And, lexicon.Not, lexicon.But, lexicon.If, lexicon.When, lexicon.Manner,
	lexicon.Rest, lexicon.NameMarker, lexicon.FileAction, lexicon.OtherAction, lexicon.In, lexicon.Source, lexicon.Destination, lexicon.On, lexicon.Vague, lexicon.Interrogative,
	lexicon.Place, lexicon.OwnFolder, lexicon.ThisPage, lexicon.Finite, lexicon.Position, lexicon.First, lexicon.TextNoun,
}, lexicon.Verbs...)

// isName reports whether the words can be the name of one file or folder. After "the folder"
// a name may also be a word for many things: "photos".
func isName(p *parse.Text, q parse.Span, typed bool) bool {
	if q.Hi-q.Lo < 1 || q.Hi-q.Lo > parse.MaxNameWords {
		return false
	}
	if p.IsQuoted(q.Lo, q.Hi) || isFileToken(p, q) {
		return true
	}
	if typed && q.Hi == q.Lo+1 && p.IsPhrase(q.Lo, q.Hi, lexicon.FileAction, lexicon.AsArchive) && !p.IsPhrase(q.Lo, q.Hi, lexicon.Pronoun, lexicon.Nothing, lexicon.BulkAll) {
		return true // "the folder archive"
	}
	for i := q.Lo; i < q.Hi; i++ {
		if _, noun := p.Longest(i, q.Hi, lexicon.File, lexicon.Folder); noun && i > q.Lo && i < q.Hi-1 && !typed {
			return false // «начало файла a.txt»
		}
		if shape := p.Tokens[i].Shape; shape == lexicon.MarkShape || shape == lexicon.LinkShape || shape == lexicon.BannedShape || shape == lexicon.PathShape || isShellToken(p, i) {
			return false
		}
		if p.IsFileName(i) || typed && parse.StartsUpper(p, i) {
			continue
		}
		if _, ok := p.Longest(i, q.Hi, notInNames...); ok {
			return false
		}
		if _, ok := p.Longest(i, q.Hi, lexicon.Bulk); ok && !typed {
			return false
		}
	}
	return true
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
