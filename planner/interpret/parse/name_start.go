package parse

import "errand/planner/interpret/lexicon"

// besideNames are the kinds of the words that stand beside a name and are no part of it.
var besideNames = []lexicon.Kind{
	lexicon.Article, lexicon.BulkAll, lexicon.Number, lexicon.Folder, lexicon.Folders, lexicon.File, lexicon.Files, lexicon.Extension, lexicon.FileNoun, lexicon.NameMarker,
	lexicon.Place, lexicon.InIt, lexicon.Here, lexicon.Elsewhere, lexicon.Filler,
}

// DropsName reports whether words before a name may be a part of it: "Old" in "the Old
// Projects folder", "old" in "the old notes.txt". An adjective before its noun is not one:
// "the empty folder x".
func DropsName(p *Text, lo, name int) bool {
	for i := lo; i < name; {
		if next := SkipArticles(p, i, name); next > i {
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
		if !noun || IsCapital(p, i) {
			return true
		}
		i++
	}
	return false
}
