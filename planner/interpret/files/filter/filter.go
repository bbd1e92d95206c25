// Package filter reads which files a command means beside their names: their kind, when they were
// changed, their size, the words in them, and their order.
package filter

import (
	"strconv"
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// Reader reads what the words say of files beside their kind and folder: "modified today",
// "bigger than 100 mb", "about taxes".
type Reader struct {
	*parse.Text
	Filter plan.FileFilter
	Name   parse.Span // what the name has in it: "taxes" in "about taxes"
	// ReadsWords is set to read words to look for as well. They end before another filter or a folder.
	ReadsWords bool
	inName     bool // the words say that Name is in the name
	folder     func(i, hi int) int
}

// New returns a reader of a text that has said nothing yet. The function folder returns where a
// description of a folder ends that begins at token i, or i.
func New(t *parse.Text, folder func(i, hi int) int) *Reader {
	return &Reader{Text: t, folder: folder}
}

// nested is a reader that looks for the end of the words of another. It reads no words itself,
// because they would be read again at each of them.
func (f *Reader) nested() Reader { return Reader{Text: f.Text, folder: f.folder} }

// IsSaid reports whether the words said something.
func (f *Reader) IsSaid() bool {
	return f.Filter.After != "" || f.Filter.Before != "" || f.Filter.Larger > 0 || f.Filter.Smaller > 0 || f.Filter.Order != "" || f.Filter.Text != "" || f.Name.Lo < f.Name.Hi
}

// Read reads the phrase at token i, and returns the token after it, or i.
func (f *Reader) Read(i, hi int) int {
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
func (f *Reader) readEntry(value string, i, hi int) int {
	key, open := strings.CutSuffix(value, ":")
	if !open {
		next := plan.ParseFileFilter(value)
		switch {
		case next.Order != "" && f.Filter.Order == "":
			f.Filter.Order = next.Order
		case next.Order != "" || !f.setTimes(next.After, next.Before):
			return 0
		}
		return i
	}
	switch key {
	case "done":
		if f.Filter.Order != "" || f.endOfDeed(i, hi) == 0 {
			return 0
		}
		f.Filter.Order = "newest"
		return i
	case "named":
		for j := i + 1; j < hi; j++ { // "with tax in the name"
			if m, ok := f.Longest(j, hi, lexicon.InName); ok && f.readWords("name", i, j) == j {
				f.inName = true
				return j + m.Len
			}
		}
		return 0
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

func (f *Reader) setTimes(after, before string) bool {
	if after != "" && f.Filter.After != "" || before != "" && f.Filter.Before != "" {
		return false
	}
	if after != "" {
		f.Filter.After = after
	}
	if before != "" {
		f.Filter.Before = before
	}
	return true
}

// ReadEnd reads the filters at the end of [lo,hi), and returns where they begin: "older than a
// year". It reads no order, because all files are meant.
func (f *Reader) ReadEnd(lo, hi int) int {
	for i := max(lo+1, hi-parse.MaxPhrase); i < hi; i++ {
		try := *f
		if end := try.Read(i, hi); end == hi && try.Filter.Order == f.Filter.Order {
			*f = try
			return f.ReadEnd(lo, i)
		}
	}
	return hi
}

// IsLocal reports whether the words mean files of the user although they name no folder: they
// say "files" or a format, or they say when the user changed them or what is in them.
func (f *Reader) IsLocal(k Kinds, noun parse.Span) bool {
	isRelative := strings.Trim(f.Filter.After+f.Filter.Before, "0123456789") != ""
	if len(k.Extensions) <= 2 || isRelative || f.Filter.Text != "" || f.Filter.Larger > 0 || f.Filter.Smaller > 0 || f.inName {
		return true
	}
	_, ok := f.FindEnding(noun.Lo, noun.Hi, lexicon.File, lexicon.Files)
	return ok
}
