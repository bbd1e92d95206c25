package filename

import (
	"path"
	"slices"
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// span is a row of words in the text that may be a name.
type span struct {
	parse.Span
	words    []string
	roots    []string
	ext      string // the extension that the words say, with its dot
	isObject bool   // no verb or noun for files begins it
}

// notNames are the kinds of phrases that are something else than a name if they are all of it.
var notNames = []lexicon.Kind{
	lexicon.Site, lexicon.App, lexicon.Place, lexicon.OwnFolder, lexicon.Pronoun, lexicon.Nothing, lexicon.Bulk, lexicon.BulkAll, lexicon.AppNoun, lexicon.SiteNoun, lexicon.ThisPage,
	lexicon.Article, lexicon.Mine, lexicon.Determiner, lexicon.File, lexicon.Folder, lexicon.Files, lexicon.Folders, lexicon.FileKind,
	lexicon.And, lexicon.Or, lexicon.In, lexicon.Of, lexicon.From, lexicon.Destination, lexicon.Filler, lexicon.Lead,
}

// notFirst are the kinds that a name in a text does not begin with.
var notFirst = []lexicon.Kind{lexicon.Article, lexicon.Mine, lexicon.Determiner, lexicon.And, lexicon.Or}

// otherWords are the kinds that begin a part of a command which is not one object.
var otherWords = slices.Concat(lexicon.Verbs, []lexicon.Kind{lexicon.FileAction, lexicon.BulkAll, lexicon.File, lexicon.Folder, lexicon.Files, lexicon.Folders})

// spans lists the rows of words that may be names.
func (f *finder) spans() []span {
	var out []span
	hi := len(f.Tokens)
	for i := range hi {
		if _, ok := f.Longest(i, hi, notFirst...); ok && !f.IsQuoted(i, i+1) {
			continue
		}
		var words []string
		for j := i; j < min(hi, i+parse.MaxNameWords); j++ {
			t := f.Tokens[j]
			if t.Shape == lexicon.FileShape && j > i { // "war and peace.pdf"
				name := f.Source[t.Start:t.End]
				s := f.newSpan(i, j+1, append(words[:len(words):len(words)], splitWords(stemOf(name))...))
				s.ext = path.Ext(name)
				out = append(out, s)
			}
			if t.Shape != lexicon.WordShape && !(t.Shape == lexicon.QuotedShape && j == i) {
				break
			}
			said := f.Source[t.Start:t.End]
			if t.Shape == lexicon.QuotedShape {
				said = t.Value
			}
			words = append(words[:len(words):len(words)], splitWords(said)...)
			if len(words) > 0 && (t.Shape == lexicon.QuotedShape || f.canBeName(i, j+1)) {
				out = append(out, f.newSpan(i, j+1, words))
			}
			if t.Shape == lexicon.QuotedShape {
				break
			}
		}
	}
	return out
}

// canBeName reports whether [lo,hi) can name something that is there. A known site, app or folder
// comes first, unless a noun says what is meant.
func (f *finder) canBeName(lo, hi int) bool {
	if _, ok := f.FindEnding(0, lo, lexicon.File, lexicon.Folder); ok {
		return true
	}
	if _, ok := f.Longest(hi, len(f.Tokens), lexicon.File, lexicon.Folder); ok {
		return true
	}
	return !f.IsPhrase(lo, hi, notNames...) && !f.isPacked(lo, hi)
}

// isPacked reports whether the words stand for the archive of the command before them: "zip the folder
// and move the archive".
func (f *finder) isPacked(lo, hi int) bool {
	if m, ok := f.FindEnding(0, hi, lexicon.Archive); !ok || m.Len < hi-lo {
		return false
	}
	for i := range lo {
		if m, ok := f.Longest(i, lo, lexicon.FileAction); ok && (m.Value == plan.ZipAction || m.Value == plan.UnzipAction) {
			return true
		}
	}
	return false
}

func (f *finder) newSpan(lo, hi int, words []string) span {
	s := span{Span: parse.Span{Lo: lo, Hi: hi}, words: words}
	_, other := f.Longest(lo, hi, otherWords...)
	s.isObject = !other
	for _, w := range words {
		s.roots = append(s.roots, root(w, f.endings))
	}
	return s
}

func (s span) key() string { return strings.Join(s.roots, " ") }

// isFolder returns what a noun beside the words says: a folder, a file, or neither (said is false).
func (f *finder) isFolder(s parse.Span) (folder, said bool) {
	m, ok := f.FindEnding(0, s.Lo, lexicon.File, lexicon.Folder)
	if !ok {
		m, ok = f.Longest(s.Hi, len(f.Tokens), lexicon.File, lexicon.Folder)
	}
	return m.Kind == lexicon.Folder, ok
}

// withNoun extends a name by a noun for its kind: "the photo of the beach", "the contract pdf".
// The extensions of the kind are empty if they are not known.
func (f *finder) withNoun(s parse.Span) (wide parse.Span, extensions []string, ok bool) {
	if m, ok := f.Longest(s.Hi, len(f.Tokens), lexicon.FileKind, lexicon.FileNoun); ok {
		return parse.Span{Lo: s.Lo, Hi: s.Hi + m.Len}, extensionsOf(m), true
	}
	lo := s.Lo
	for n := 0; n < 3 && lo > 0; n++ {
		if m, ok := f.FindEnding(0, lo, lexicon.FileKind, lexicon.FileNoun); ok {
			return parse.Span{Lo: lo - m.Len, Hi: s.Hi}, extensionsOf(m), true
		}
		m, ok := f.FindEnding(0, lo, lexicon.Article, lexicon.Mine, lexicon.Of, lexicon.NameMarker)
		if !ok {
			break
		}
		lo -= m.Len
	}
	return s, nil, false
}

func extensionsOf(m lexicon.Match) []string {
	if m.Kind != lexicon.FileKind {
		return nil
	}
	return strings.Split(m.Value, ",")
}

// withFolder extends a name by the folder that the words name after it: "the old draft in work".
func (f *finder) withFolder(s parse.Span) (wide parse.Span, folder string, ok bool) {
	hi := len(f.Tokens)
	m, ok := f.Longest(s.Hi, hi, lexicon.In, lexicon.Inside, lexicon.From, lexicon.Source)
	if !ok {
		return s, "", false
	}
	at := f.Skip(s.Hi+m.Len, hi, lexicon.Article, lexicon.Mine, lexicon.Determiner, lexicon.Folder)
	for end := min(hi, at+parse.MaxNameWords); end > at; end-- {
		var words []string
		for i := at; i < end; i++ {
			words = append(words, splitWords(f.Source[f.Tokens[i].Start:f.Tokens[i].End])...)
		}
		if key := joinRoots(words, f.endings); f.folders[key] {
			return parse.Span{Lo: s.Lo, Hi: f.Skip(end, hi, lexicon.Folder)}, key, true
		}
	}
	return s, "", false
}
