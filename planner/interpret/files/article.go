package files

import (
	"unicode"
	"unicode/utf8"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// besideNames are the kinds of the words that stand beside a name and are no part of it.
var besideNames = []lexicon.Kind{
	lexicon.Article, lexicon.BulkAll, lexicon.Number, lexicon.Folder, lexicon.Folders, lexicon.File, lexicon.Files, lexicon.Extension, lexicon.FileNoun, lexicon.NameMarker,
	lexicon.Place, lexicon.InIt, lexicon.Here, lexicon.Elsewhere, lexicon.Filler,
}

// skipArticles skips words such as "the" and a possessive that is not written as a name.
func skipArticles(p *parse.Text, lo, hi int) int {
	for lo < hi {
		m, ok := p.Longest(lo, hi, lexicon.Article)
		if !ok && !isCapital(p, lo) {
			m, ok = p.Longest(lo, hi, lexicon.Mine)
		}
		if !ok {
			return lo
		}
		lo += m.Len
	}
	return lo
}

// dropsName reports whether words before a name may be a part of it: "Old" in "the Old
// Projects folder", "old" in "the old notes.txt". An adjective before its noun is not one:
// "the empty folder x".
func dropsName(p *parse.Text, lo, name int) bool {
	for i := lo; i < name; {
		if next := skipArticles(p, i, name); next > i {
			i = next
			continue
		}
		if m, ok := p.Longest(i, name, besideNames...); ok {
			i += m.Len
			continue
		}
		noun := false
		for j := i + 1; j < name; j++ {
			_, is := p.Longest(j, name, lexicon.Folder, lexicon.Folders, lexicon.File, lexicon.Files)
			noun = noun || is
		}
		if !noun || isCapital(p, i) {
			return true
		}
		i++
	}
	return false
}

// isCapital reports whether a token begins with a capital letter and has a small one after it.
func isCapital(p *parse.Text, i int) bool {
	word := p.Source[p.Tokens[i].Start:p.Tokens[i].End]
	_, size := utf8.DecodeRuneInString(word)
	second, _ := utf8.DecodeRuneInString(word[size:])
	return startsUpper(word) && unicode.IsLower(second)
}

func startsUpper(word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(first)
}
