package filename

import (
	"cmp"
	"iter"
	"path"
	"slices"
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// Bounds of a search.
const (
	maxEntries = 8  // of one mention
	maxTokens  = 60 // of a text with mentions
)

// Mention is a part of a text that names entries.
type Mention struct {
	Start, End int     // bytes of the text, half open
	Entries    []Entry // by depth and path
	IsSimilar  bool    // no entry has exactly this name
}

// finder finds mentions in a text.
type finder struct {
	*parse.Text
	endings  []string
	articles map[string]bool
	folders  map[string]bool // keys of the names of folders with entries
}

// found are the entries of one span.
type found struct {
	span
	equal, similar []candidate
}

type candidate struct {
	Entry
	name
	folder string // key of the name of its folder
}

// Find returns the parts of a text that name entries, the best first: equal names before similar
// ones, then the longest. Names are equal if their words are, but for case, «ё», articles at the
// beginning and the endings of cases. Time is linear in the number of entries. Parts may overlap.
func Find(t *parse.Text, entries iter.Seq[Entry]) []Mention {
	if len(t.Tokens) > maxTokens {
		return nil
	}
	f := &finder{Text: t, articles: map[string]bool{}, folders: map[string]bool{}}
	for _, p := range t.Words.Packs {
		f.endings = append(f.endings, p.Endings...)
	}
	spans := f.spans()
	all := make([]found, len(spans))
	byKey, starts := map[string][]int{}, map[string]bool{}
	for i, s := range spans {
		all[i].span = s
		byKey[s.key()] = append(byKey[s.key()], i)
		for _, r := range s.roots {
			starts[firstLetters(r)] = true
		}
	}
	for e := range entries {
		s := candidate{Entry: e, name: f.nameOf(e)}
		equal := byKey[s.key]
		if len(equal) == 0 && !slices.ContainsFunc(s.roots, func(r string) bool { return starts[firstLetters(r)] }) {
			continue
		}
		s.folder = joinRoots(f.withoutArticle(splitWords(path.Base(path.Dir(e.Path)))), f.endings)
		f.folders[s.folder] = true
		for _, i := range equal {
			if all[i].hasExtension(e) {
				all[i].equal = append(all[i].equal, s)
			}
		}
		for i := range all {
			if n := &all[i]; n.isObject && n.hasExtension(e) && isPart(n.span, s.name) {
				n.similar = append(n.similar, s)
			}
		}
	}
	var out []Mention
	for _, n := range all {
		out = append(out, f.mentions(n)...)
	}
	slices.SortStableFunc(out, func(a, b Mention) int {
		return cmp.Or(compareBool(a.IsSimilar, b.IsSimilar), cmp.Compare(b.End-b.Start, a.End-a.Start), cmp.Compare(a.Start, b.Start))
	})
	return out
}

// hasExtension reports whether an entry has the extension that the words say, if they say one.
func (s span) hasExtension(e Entry) bool {
	return s.ext == "" || !e.Folder && strings.EqualFold(path.Ext(e.Path), s.ext)
}

// firstLetters are the letters by which near words agree.
func firstLetters(word string) string {
	n := 0
	for i := range word {
		if n == nearLength {
			return word[:i]
		}
		n++
	}
	return word
}

// isPart reports whether the words of a span are near to the name of an entry: all of them are
// words of it, or all but one of them are the name.
func isPart(s span, n name) bool {
	within := func(a, b []string) bool {
		return !slices.ContainsFunc(a, func(x string) bool { return !slices.ContainsFunc(b, func(y string) bool { return isNear(x, y) }) })
	}
	switch {
	case !slices.ContainsFunc(s.roots, func(r string) bool { return len([]rune(r)) >= minRoot }):
		return false
	case len(s.roots) <= len(n.roots):
		return within(s.roots, n.roots) && s.key() != n.key
	}
	return len(s.roots) == len(n.roots)+1 && within(n.roots, s.roots)
}

// mentions are those of a span: as it is, with a noun beside it, and with a folder after it.
func (f *finder) mentions(n found) []Mention {
	var out []Mention
	folder, said := f.isFolder(n.Span)
	fits := func(s candidate) bool { return !said || s.Folder == folder }
	add := func(at parse.Span, list []candidate, similar bool, fits func(candidate) bool) {
		list = slices.DeleteFunc(slices.Clone(list), func(s candidate) bool { return !fits(s) })
		if len(list) > 0 {
			out = append(out, f.newMention(n.span, at, list, similar))
		}
	}
	for _, similar := range []bool{false, true} {
		list := n.equal
		if similar {
			list = n.similar
		}
		add(n.Span, list, similar, fits)
		if wide, extensions, ok := f.withNoun(n.Span); ok {
			add(wide, list, similar || len(extensions) == 0, func(s candidate) bool {
				return !s.Folder && (len(extensions) == 0 || slices.Contains(extensions, strings.ToLower(path.Ext(s.Path))))
			})
		}
		if wide, in, ok := f.withFolder(n.Span); ok {
			add(wide, list, similar, func(s candidate) bool { return fits(s) && s.folder == in })
		}
	}
	return out
}

// newMention keeps the entries that are nearest to the words.
func (f *finder) newMention(s span, at parse.Span, list []candidate, similar bool) Mention {
	if !similar {
		list = f.keepSpelled(s, list)
	}
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(compareBool(len(a.roots) < len(s.roots), len(b.roots) < len(s.roots)), cmp.Compare(a.Depth, b.Depth), cmp.Compare(len(a.roots), len(b.roots)), strings.Compare(a.Path, b.Path))
	})
	m := Mention{IsSimilar: similar}
	m.Start, m.End = f.Bounds(at)
	for _, e := range list[:min(len(list), maxEntries)] {
		m.Entries = append(m.Entries, e.Entry)
	}
	return m
}

// keepSpelled keeps the entries that are spelled as the words, with the article before them if
// there is one, and all of them if none is.
func (f *finder) keepSpelled(s span, list []candidate) []candidate {
	said := s.words
	if m, ok := f.FindEnding(0, s.Lo, lexicon.Article, lexicon.Mine); ok {
		said = append(splitWords(f.Cut(s.Lo-m.Len, s.Lo)), s.words...)
	}
	for _, words := range [][]string{said, s.words} {
		if same := slices.DeleteFunc(slices.Clone(list), func(e candidate) bool { return !slices.Equal(e.words, words) }); len(same) > 0 {
			return same
		}
	}
	return list
}

// compareBool orders false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
