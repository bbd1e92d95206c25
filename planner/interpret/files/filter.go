package files

import (
	"strconv"
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// filterReader reads what the words say of files beside their kind and folder: "modified
// today", "bigger than 100 mb", "about taxes". The zero value of the fields means nothing said.
type filterReader struct {
	*actReader
	filter plan.FileFilter
	name   parse.Span // what the name has in it: "taxes" in "about taxes"
	// Words to look for are not read: they would be read again at each of them.
	isNested bool
}

// isSaid reports whether the words said something.
func (f *filterReader) isSaid() bool {
	return f.filter.After != "" || f.filter.Before != "" || f.filter.Larger > 0 || f.filter.Smaller > 0 || f.filter.Order != "" || f.filter.Text != "" || f.name.Lo < f.name.Hi
}

// read reads the phrase at token i, and returns the token after it, or i.
func (f *filterReader) read(i, hi int) int {
	best, words, was := i, 0, *f
	if i >= hi {
		return i
	}
	for _, m := range f.Matches[i] {
		if m.Kind != lexicon.FileFilter || i+m.Len > hi {
			continue
		}
		try := was
		if end := try.readEntry(m.Value, i+m.Len, hi); end > best || end == best && m.Len > words {
			best, words, *f = end, m.Len, try
		}
	}
	return best
}

// readEntry reads the rest of an entry that ends at token i. It returns 0 if the words don't
// complete it, or contradict what was said before.
func (f *filterReader) readEntry(value string, i, hi int) int {
	key, open := strings.CutSuffix(value, ":")
	if !open {
		next := plan.ParseFileFilter(value)
		switch {
		case next.Order != "" && f.filter.Order == "":
			f.filter.Order = next.Order
		case next.Order != "" || !f.setTimes(next.After, next.Before):
			return 0
		}
		return i
	}
	switch key {
	case "text", "name":
		return f.readWords(key, i, hi)
	case "larger", "smaller":
		return f.readSize(key, i, hi)
	case "in":
		if i >= hi || !isYear(f.Fold(i)) {
			return 0
		}
		year, _ := strconv.Atoi(f.Fold(i))
		if !f.setTimes(strconv.Itoa(year), strconv.Itoa(year+1)) {
			return 0
		}
		return f.Skip(i+1, hi, lexicon.Unit) // «2024 год»
	}
	age, end := f.readAge(i, hi)
	if end == 0 {
		return 0
	}
	if ok := key == "before" && f.setTimes("", age) || key != "before" && f.setTimes(age, ""); !ok {
		return 0
	}
	return end
}

func (f *filterReader) setTimes(after, before string) bool {
	if after != "" && f.filter.After != "" || before != "" && f.filter.Before != "" {
		return false
	}
	if after != "" {
		f.filter.After = after
	}
	if before != "" {
		f.filter.Before = before
	}
	return true
}

func isYear(s string) bool {
	return len(s) == 4 && (strings.HasPrefix(s, "19") || strings.HasPrefix(s, "20")) && strings.Trim(s, "0123456789") == ""
}

// readAge reads "a year", "3 days", "yesterday", "2024" as a time of a filter.
func (f *filterReader) readAge(i, hi int) (string, int) {
	if m, ok := f.Longest(i, hi, lexicon.FileFilter); ok {
		if then := plan.ParseFileFilter(m.Value); then.After != "" {
			return then.After, i + m.Len
		}
	}
	if i < hi && isYear(f.Fold(i)) {
		return f.Fold(i), i + 1
	}
	n, at := f.readNumber(i, hi)
	m, ok := f.Longest(at, hi, lexicon.Unit)
	if !ok || len(m.Value) != 1 || n < 1 || n > 999 || n != float64(int(n)) {
		return "", 0
	}
	return strconv.Itoa(int(n)) + m.Value, at + m.Len
}

// readNumber reads a number, or none as 1: "3", "a", "2.5".
func (f *filterReader) readNumber(i, hi int) (float64, int) {
	if m, ok := f.Longest(i, hi, lexicon.Count); ok {
		n, _ := strconv.Atoi(m.Value)
		return float64(n), i + m.Len
	}
	if i < hi {
		if n, err := strconv.ParseFloat(strings.Replace(f.Fold(i), ",", ".", 1), 64); err == nil {
			return n, i + 1
		}
	}
	return 1, skipArticles(f.Text, i, hi)
}

// bytesOf are the sizes of the units.
var bytesOf = map[string]float64{"kb": 1e3, "mb": 1e6, "gb": 1e9, "кб": 1e3, "мб": 1e6, "гб": 1e9}

// readSize reads "100 mb" and "100mb".
func (f *filterReader) readSize(key string, i, hi int) int {
	if i >= hi {
		return 0
	}
	n, at := f.readNumber(i, hi)
	unit := 0.0
	if m, ok := f.Longest(at, hi, lexicon.Unit); ok {
		unit, at = bytesOf[m.Value], at+m.Len
	} else {
		word := f.Fold(i)
		digits := strings.TrimRight(word, "abcdefghijklmnopqrstuvwxyzабгкм")
		n, _ = strconv.ParseFloat(strings.Replace(digits, ",", ".", 1), 64)
		unit, at = bytesOf[word[len(digits):]], i+1
	}
	size := n * unit
	switch {
	case size < 1 || size > 1e15:
		return 0
	case key == "larger" && f.filter.Larger == 0:
		f.filter.Larger = int64(size)
	case key == "smaller" && f.filter.Smaller == 0:
		f.filter.Smaller = int64(size)
	default:
		return 0
	}
	return at
}

// readWords reads the words to look for: up to another filter, the folder or the end.
func (f *filterReader) readWords(key string, i, hi int) int {
	if f.isNested {
		return 0
	}
	end := f.endOfWords(i, hi)
	q := parse.Span{Lo: skipArticles(f.Text, i, end), Hi: end}
	if key == "name" && f.name.Lo < f.name.Hi || key == "text" && f.filter.Text != "" || q.Lo >= q.Hi || q.Hi-q.Lo > maxNameWords {
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
		f.name = q
		return end
	}
	f.filter.Text = lexicon.WithoutQuotes(f.Cut(q.Lo, q.Hi))
	return end
}

// endOfWords is where the words that begin at token i end: before another filter or a folder.
func (f *filterReader) endOfWords(i, hi int) int {
	for j := i + 1; j < hi; j++ {
		if _, end, ok := f.folderWithin(j, hi); ok && end > j {
			return j
		}
		again := filterReader{actReader: f.actReader, isNested: true}
		if m, ok := f.Longest(j, hi, lexicon.FileFilter); ok && m.Value == "text:" || again.read(j, hi) > j && again.filter.Order == "" {
			return j
		}
	}
	return hi
}

// maxFolderWords is the longest description of a folder that other words follow, in words.
const maxFolderWords = 6

// folderWithin reads the longest description of a folder that begins at token i.
func (p *actReader) folderWithin(i, hi int) (path string, end int, ok bool) {
	for end = hi; end > i; end-- {
		if end < hi && end > i+maxFolderWords {
			end = i + maxFolderWords
		}
		if path, ok = p.folderAt(i, end); ok {
			return path, end, true
		}
	}
	return "", i, false
}
