package item

import (
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// WorkingFolder is the place of "here".
const WorkingFolder = "./"

// PlaceAt passes over a known folder, "in it", "here" or an unknown place at token i.
func (p *Reader) PlaceAt(it *Item, i, hi int) int {
	for i < hi {
		m, ok := p.Longest(i, hi, lexicon.Place, lexicon.InIt, lexicon.Here, lexicon.Elsewhere)
		if !ok || m.Kind == lexicon.Here && !endsPlace(p.Text, i+m.Len, hi) {
			return i
		}
		if m.Kind == lexicon.InIt && it.Typed && p.isInsideNamed(i, hi) {
			return i
		}
		if m.Kind == lexicon.Place {
			m.Len -= p.nounLength(i, i+m.Len, hi)
		}
		if !setPlace(p.Text, it, m, i) {
			return i
		}
		i += m.Len
	}
	return i
}

// isInsideNamed reports whether "inside" at token i is followed by the name of a folder and then by
// the announced name of something: "inside Work Stuff called x".
func (p *Reader) isInsideNamed(i, hi int) bool {
	in, ok := p.Longest(i, hi, lexicon.Inside)
	if !ok {
		return false
	}
	lo := p.Skip(i+in.Len, hi, lexicon.Determiner)
	for k := lo; k < hi; k++ {
		if _, named := p.Longest(k, hi, lexicon.NameMarker); named {
			_, ok := p.Container(lo, k, true)
			return ok
		}
	}
	return false
}

// folderFirst passes over a folder that stands before what is in it: "in the folder Work a folder
// Drafts". It returns the first token after it, or lo.
func (p *Reader) folderFirst(it *Item, lo, hi int) int {
	in, ok := p.Longest(lo, hi, lexicon.In, lexicon.Inside)
	at := p.Skip(lo+in.Len, hi, lexicon.Determiner)
	noun, folder := p.Longest(at, hi, lexicon.Folder)
	if !ok || !folder || it.IsKnown() {
		return lo
	}
	for i := at + noun.Len + 1; i < hi; i++ {
		if _, thing := p.Longest(p.Skip(i, hi, lexicon.Determiner, lexicon.Empty, lexicon.Extension), hi, lexicon.Folder, lexicon.File); !thing {
			continue
		}
		var of Item // the place of the folder
		end := p.TrimPlace(&of, at, i)
		dir, ok := p.Container(at, end, false)
		if !ok || of.Unknown.Lo < of.Unknown.Hi {
			return lo
		}
		if it.Folder = dir; of.IsKnown() {
			it.Folder = of.Join(parse.WithoutFolder(p.Text, at, end))
		}
		return i
	}
	return lo
}

// placeBeforeName reads a place between the noun and the announced name of something new: "in
// documents/old" in "a folder in documents/old called x". It returns the first token after it.
func (p *Reader) placeBeforeName(it *Item, at, hi int) int {
	in, ok := p.Longest(at, hi, lexicon.In, lexicon.Inside)
	if !ok || !it.Typed || it.IsKnown() {
		return at
	}
	for i := at + in.Len + 1; i < hi; i++ {
		if _, named := p.Longest(i, hi, lexicon.NameMarker); !named {
			continue
		}
		if setAnswer(p.Text, it, at) {
			return i
		}
		if dir, ok := p.Container(p.Skip(at+in.Len, i, lexicon.Determiner), i, in.Kind == lexicon.Inside); ok {
			it.Folder = dir
		} else {
			it.Unknown = parse.Span{Lo: at, Hi: i}
		}
		return i
	}
	return at
}

// setPlace sets the place that a phrase at token i names. It returns false if the phrase
// does not name a place here, or if the item has one already.
func setPlace(p *parse.Text, it *Item, m lexicon.Match, i int) bool {
	switch {
	case m.Kind == lexicon.Place && m.Len > 1 && it.Place == "": // without a preposition "desktop" may be a name
		it.Place = m.Value
	case m.Kind == lexicon.InIt && !it.Inside:
		it.Inside = true
	case m.Kind == lexicon.Here && !it.IsKnown():
		it.Place = WorkingFolder
	case m.Kind == lexicon.Elsewhere && m.Len > 1 && !it.IsKnown():
		if !setAnswer(p, it, i) {
			it.Unknown, it.isElsewhere = parse.Span{Lo: i, Hi: i + m.Len}, true
		}
	default:
		return false
	}
	return true
}

// setAnswer sets the place that an answer gave for the unknown one at token i.
func setAnswer(p *parse.Text, it *Item, i int) bool {
	switch folder := p.Hint(i).Folder; {
	case folder == "" || it.Folder != "":
		return false
	case strings.HasSuffix(folder, "/") && it.Place == "":
		it.Place = folder
	default:
		it.Folder = folder
	}
	return true
}

// endsPlace reports whether "here" before token i is a place: a noun, "called", a verb or
// nothing follows. "here comes the sun" is a name.
func endsPlace(p *parse.Text, i, hi int) bool {
	i = p.Skip(p.SkipMarks(i, hi), hi, lexicon.Determiner, lexicon.Empty, lexicon.Extension, lexicon.Number, lexicon.Lead)
	_, ok := p.Longest(i, hi, append([]lexicon.Kind{lexicon.Folder, lexicon.Folders, lexicon.File, lexicon.Files, lexicon.NameMarker, lexicon.Place}, lexicon.FileVerbs...)...)
	return ok || i >= hi
}

// nounLength is the length of a noun at the end of the place [i,end) that rather
// begins the thing: "in documents folder a", but not "in the documents folder a".
func (p *Reader) nounLength(i, end, hi int) int {
	noun, ok := p.FindEnding(i+1, end, lexicon.Folder)
	if !ok || !p.IsPhrase(i, end-noun.Len, lexicon.Place) || end >= hi || p.IsFileName(end) {
		return 0
	}
	for j := i; j < end; j++ {
		if _, det := p.Longest(j, end, lexicon.Determiner); det {
			return 0
		}
	}
	if _, more := p.Longest(p.Skip(end, hi, lexicon.Determiner, lexicon.Empty, lexicon.Extension), hi, lexicon.Folder, lexicon.File, lexicon.Folders, lexicon.Files, lexicon.NameMarker); more {
		return 0
	}
	return noun.Len
}

// TrimPlace cuts "on my desktop", "in it", "here", "in google drive", "in /tmp" and "in the
// src folder" off the end, as long as something is left. Places may be nested: "in the src
// folder on my desktop".
func (p *Reader) TrimPlace(it *Item, lo, hi int) int {
	for {
		end := hi
		for end > lo && p.Tokens[end-1].Shape == lexicon.MarkShape {
			end--
		}
		from := p.placeBefore(it, lo, end)
		if from == end {
			return hi
		}
		hi = from
	}
}

// placeBefore takes one place that ends at token end, and returns where it begins.
func (p *Reader) placeBefore(it *Item, lo, end int) int {
	for _, kind := range []lexicon.Kind{lexicon.Place, lexicon.InIt, lexicon.Here, lexicon.Elsewhere} {
		m, ok := p.FindEnding(lo, end, kind)
		from := end - m.Len
		if ok && (kind == lexicon.Here || kind == lexicon.Elsewhere) && (from == lo || p.IsPhrase(lo, from, lexicon.NameMarker)) {
			continue // "called here"
		}
		if ok && setPlace(p.Text, it, m, from) {
			return from
		}
	}
	if it.Folder != "" || it.Inside {
		return end
	}
	for i := end - 2; i > lo; i-- {
		if _, in := p.Longest(i, end, lexicon.In, lexicon.Inside, lexicon.From); in && setAnswer(p.Text, it, i) {
			return i
		}
	}
	if from, dir, ok := p.matchFolder(lo, end); ok && !(it.Place != "" && lexicon.IsPath(dir)) {
		it.Folder = dir
		return from
	}
	return end
}

// matchFolder finds a containing folder at the end: "in /tmp", "in the src folder",
// "inside folder src", "in documents/src", "inside src".
func (p *Reader) matchFolder(lo, hi int) (from int, dir string, ok bool) {
	for i := hi - 2; i > lo && i >= hi-parse.MaxPhrase; i-- {
		m, is := p.Longest(i, hi, lexicon.In, lexicon.Inside, lexicon.From)
		if !is {
			continue
		}
		j := p.Skip(i+m.Len, hi, lexicon.Determiner)
		if SaysNew(p.Text, i+m.Len, j) {
			continue // "in a new folder": one that is to be created as well
		}
		if dir, ok = p.Container(j, hi, m.Kind == lexicon.Inside); ok {
			return i, dir, true
		}
	}
	return 0, "", false
}

// Container reads [j,hi) as a folder: it says that it is one, or looks like a
// path. With bare a name is enough.
func (p *Reader) Container(j, hi int, bare bool) (dir string, ok bool) {
	if j >= hi {
		return "", false
	}
	if n, ok := p.Longest(j, hi, lexicon.Folder); ok && j+n.Len < hi {
		k := j + n.Len
		if named, ok := p.Longest(k, hi, lexicon.NameMarker); ok {
			k += named.Len
		}
		return p.ExpandPlace(AsFolder(p.Cut(k, hi))), k < hi && !containsPlace(p.Text, k, hi)
	}
	if n, ok := p.FindEnding(j+1, hi, lexicon.Folder); ok {
		hi -= n.Len
		return p.ExpandPlace(p.Cut(j, hi)), !containsPlace(p.Text, j, hi)
	}
	if j+1 != hi {
		if dir, ok := knownPath(p.Text, j, hi); ok {
			return dir, true
		}
		if bare && isPlainName(p.Text, j, hi) {
			return p.Cut(j, hi), true
		}
		return slashedFolder(p.Text, j, hi)
	}
	slashed := p.Tokens[j].Shape == lexicon.PathShape || p.Tokens[j].Shape == lexicon.WordShape && strings.Contains(strings.Trim(p.Fold(j), "/"), "/")
	bare = bare && (p.Tokens[j].Shape == lexicon.WordShape || p.Tokens[j].Shape == lexicon.QuotedShape) && !p.IsPhrase(j, hi, lexicon.Pronoun, lexicon.Nothing, lexicon.Number)
	return p.ExpandPlace(p.Cut(j, hi)), slashed || bare
}

// slashedFolder reads a path of several words: "documents/old letters".
func slashedFolder(p *parse.Text, lo, hi int) (string, bool) {
	first := p.Cut(lo, lo+1)
	if p.Tokens[lo].Shape != lexicon.PathShape && p.Tokens[lo].Shape != lexicon.WordShape || !strings.Contains(strings.Trim(first, "/"), "/") || lexicon.FileExtension(first) != "" || hi-lo > maxPathWords {
		return "", false
	}
	for i := lo + 1; i < hi; i++ {
		if p.Tokens[i].Shape != lexicon.WordShape {
			return "", false
		}
		if _, ok := p.Longest(i, hi, notInNames...); ok {
			return "", false
		}
		if _, ok := p.Longest(i, hi, lexicon.With, lexicon.Content, lexicon.AsName, lexicon.Folder, lexicon.File, lexicon.InIt, lexicon.Adverb, lexicon.Hurry, lexicon.TailNow, lexicon.Tail); ok {
			return "", false
		}
	}
	return p.ExpandPlace(p.Cut(lo, hi)), true
}

// knownPath reads a path that begins with a known folder of several words: «рабочий стол/отчёты».
func knownPath(p *parse.Text, lo, hi int) (string, bool) {
	path := p.Cut(lo, hi)
	dir := p.ExpandPlace(path)
	return dir, dir != path && !strings.Contains(p.Cut(lo, lo+1), "/") && hi-lo <= maxPathWords && strings.Contains(p.Cut(hi-1, hi), "/")
}

// isPlainName reports whether [lo,hi) are a few words that can be the name of a folder: "Work Stuff".
func isPlainName(p *parse.Text, lo, hi int) bool {
	for i := lo; i < hi; i++ {
		if p.Tokens[i].Shape != lexicon.WordShape || strings.Contains(p.Fold(i), "/") {
			return false
		}
	}
	return hi-lo <= maxPathWords && IsName(p, parse.Span{Lo: lo, Hi: hi}, true)
}

// maxPathWords is the longest path without quotes, in words.
const maxPathWords = 4

// SaysNew reports whether a determiner says "new".
func SaysNew(p *parse.Text, lo, hi int) bool {
	for i := lo; i < hi; i++ {
		if _, ok := p.Longest(i, hi, lexicon.Empty); ok {
			return true
		}
	}
	return false
}

// containsPlace reports whether a name tells of a place within itself.
func containsPlace(p *parse.Text, lo, hi int) bool {
	for i := lo; i < hi-1; i++ {
		if _, in := p.Longest(i, hi, lexicon.In, lexicon.Inside); in {
			return true
		}
	}
	return false
}

// AsFolder is a path with a separator at its end.
func AsFolder(path string) string {
	if strings.HasSuffix(path, "/") || strings.HasSuffix(path, `\`) {
		return path
	}
	return path + "/"
}
