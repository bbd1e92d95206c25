package filter

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// readWords reads the words to look for: up to another filter, the folder or the end.
func (f *Reader) readWords(key string, i, hi int) int {
	if !f.ReadsWords {
		return 0
	}
	end := f.endOfWords(i, hi)
	q := parse.Span{Lo: parse.SkipArticles(f.Text, i, end), Hi: end}
	if key == "name" && f.Name.Lo < f.Name.Hi || key == "text" && f.Filter.Text != "" || q.Lo >= q.Hi || q.Hi-q.Lo > parse.MaxNameWords {
		return 0
	}
	for j := q.Lo; j < q.Hi; j++ {
		if shape := f.Tokens[j].Shape; shape == lexicon.MarkShape || shape == lexicon.BannedShape || shape == lexicon.LinkShape {
			return 0
		}
		if _, other := f.Longest(j, q.Hi, lexicon.Or, lexicon.And, lexicon.Not, lexicon.If, lexicon.Pronoun, lexicon.OnSite, lexicon.Web, lexicon.Site); other && !f.IsQuoted(q.Lo, q.Hi) {
			return 0
		}
	}
	if key == "name" {
		f.Name = q
		return end
	}
	f.Filter.Text = lexicon.WithoutQuotes(f.Cut(q.Lo, q.Hi))
	return end
}

// endOfWords is where the words that begin at token i end: before another filter or a folder.
func (f *Reader) endOfWords(i, hi int) int {
	for j := i + 1; j < hi; j++ {
		if f.folder(j, hi) > j {
			return j
		}
		again := f.nested()
		if m, ok := f.Longest(j, hi, lexicon.FileFilter); ok && m.Value == "text:" || again.Read(j, hi) > j && again.Filter.Order == "" {
			return j
		}
	}
	return hi
}

// saysInName reports whether words at token i end in "in the name".
func (f *Reader) saysInName(i, hi int) bool {
	for j := i + 1; j < hi; j++ {
		if _, ok := f.Longest(j, hi, lexicon.InName); ok {
			return true
		}
	}
	return false
}

// EndOfName is where a name that begins at token i ends: before a filter or a folder.
func (f *Reader) EndOfName(i, hi int) int {
	for ; i < hi; i++ {
		if f.folder(i, hi) > i {
			return i
		}
		if m, ok := f.Longest(i, hi, lexicon.FileFilter); ok && (m.Value == "text:" || m.Value == "name:" || m.Value == "named:" && f.saysInName(i, hi)) {
			return i
		}
		if again := f.nested(); again.Read(i, hi) > i {
			return i
		}
	}
	return hi
}
