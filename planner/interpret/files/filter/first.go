package filter

import (
	"slices"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// ReadFirst reads words that choose files by their order: "the newest", "the 3 biggest", "the last …
// i downloaded". The limit is how many the words say, or 0. Words that only describe, such as "big",
// choose none.
func (f *Reader) ReadFirst(lo, hi int) (limit, end int, ok bool) {
	was := *f
	for i := lo; ; {
		from, next := f.Skip(i, hi, lexicon.Determiner, lexicon.Mine), i
		if _, loose := f.Longest(from, hi, lexicon.LooseOrder); loose || hasOrdinal(f.Text, i, from) { // "the second newest"
			break
		}
		if n, after := CountAt(f.Text, from, hi); limit == 0 && n > 1 {
			limit, next = n, after
		} else if try := *f; try.Filter.Order == "" {
			if after := try.Read(from, hi); try.Filter.Order != "" {
				*f, next = try, after
			}
		}
		if next == i {
			return limit, i, f.Filter.Order != ""
		}
		i = next
	}
	*f = was
	return 0, lo, false
}

// hasOrdinal reports whether words have a number of a place: "the second".
func hasOrdinal(p *parse.Text, lo, hi int) bool {
	for i := lo; i < hi; i++ {
		if m, ok := p.Longest(i, hi, lexicon.Ordinal); ok && m.Value != "1" {
			return true
		}
	}
	return false
}

// ReadOneKind reads [lo,hi) as a word for one file of a kind: "photo", "pdf", "file".
func ReadOneKind(p *parse.Text, lo, hi int) (kind plan.FileFilter, ok bool) {
	if k, one := OneKindAt(p, lo, hi); one && k.Rest == hi {
		return plan.FileFilter{Extensions: k.Extensions, Names: k.Names}, true
	}
	return ReadKind(p, lo, hi)
}

// OneKindAt reads a word for one file of a kind at token i: "photo".
func OneKindAt(p *parse.Text, i, hi int) (k Kinds, ok bool) {
	m, ok := p.Longest(i, hi, lexicon.OneFileKind)
	said := plan.ParseFileFilter(m.Value)
	slices.Sort(said.Extensions)
	return Kinds{Object: parse.FileType, Extensions: said.Extensions, Names: said.Names, Rest: i + m.Len}, ok
}

// endOfDeed is the end of the first words in [i,hi) for what the user did: "i downloaded".
func (f *Reader) endOfDeed(i, hi int) int {
	for ; i < hi; i++ {
		if m, ok := f.Longest(i, hi, lexicon.OwnDeed); ok {
			return i + m.Len
		}
	}
	return 0
}

// SaysDownloaded reports whether words say that the user downloaded something.
func SaysDownloaded(p *parse.Text, lo, hi int) bool {
	for i := lo; i < hi; i++ {
		if _, ok := p.Longest(i, hi, lexicon.Downloaded); ok {
			return true
		}
	}
	return false
}

// HasOnly reports whether words say "only".
func HasOnly(p *parse.Text, lo, hi int) bool {
	for i := lo; i < hi; i++ {
		if _, ok := p.Longest(i, hi, lexicon.Only); ok {
			return true
		}
	}
	return false
}

// SaysWhich reports whether words before a kind of files mean all of the user's: "all", and with
// mine "my". To list "my pictures" is to list a folder.
func SaysWhich(p *parse.Text, lo, hi int, mine bool) bool {
	kind, _ := p.FindEnding(lo, hi, lexicon.FileKind)
	if m, folder := p.FindEnding(lo, hi, lexicon.OwnFolder, lexicon.Place); folder && m.Len >= kind.Len { // "my documents"
		return false
	}
	for i := lo; i < hi; i++ {
		if m, ok := p.Longest(i, hi, lexicon.BulkAll, lexicon.Mine); ok && (mine || m.Kind == lexicon.BulkAll) {
			return true
		}
		if _, kind := p.Longest(i, hi, lexicon.FileKind); kind {
			break
		}
	}
	return false
}

// FindDeed finds what the user did to the files meant, where no other noun stands for them:
// "everything [i changed this week]", "what [i wrote today]". Without it, it returns i.
func FindDeed(p *parse.Text, i, hi int) (at int, ok bool) {
	at = p.Skip(p.SkipMarks(i, hi), hi, lexicon.Relative)
	if _, ok = p.Longest(at, hi, lexicon.OwnDeed); !ok {
		return i, false
	}
	return at, true
}

// BeginsText reports whether nothing but politeness stands before token i. After another command, a
// folder that it names may be meant.
func BeginsText(p *parse.Text, i int) bool {
	at, _ := p.SkipLead(0, len(p.Tokens))
	return at == i
}

// ReadsFilter reports whether words at token i say which files are meant.
func ReadsFilter(p *parse.Text, i, hi int) bool {
	m, ok := p.Longest(i, hi, lexicon.FileFilter)
	return ok && m.Value != ""
}

// IsFinding reports whether a command looks for files, and doesn't only list some.
func IsFinding(p *parse.Text, c *parse.Clause) bool {
	for _, m := range p.Matches[c.Verb.Lo] {
		if m.Kind == lexicon.FileAction && m.Value == plan.FindAction && m.Len == c.Verb.Hi-c.Verb.Lo {
			return true
		}
	}
	return false
}

// IsArchive reports whether a file is an archive, which has no text.
func IsArchive(path string) bool {
	return slices.Contains([]string{"zip", "tar", "gz", "tgz", "7z", "rar"}, lexicon.FileExtension(path))
}
