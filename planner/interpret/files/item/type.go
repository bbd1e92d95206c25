package item

import (
	"slices"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// guessType finds the type if no noun stands before the name: by a file name, "the
// drafts folder", a spoken extension.
func (p *Reader) guessType(it *Item, deleting bool) {
	q := it.Name
	if q.Lo >= q.Hi {
		return
	}
	if end, object, ok := p.ListBefore(q); ok && !it.named {
		it.Name.Hi, it.Object, it.Typed, it.Plural = end, object, true, true
		return
	}
	if m, ok := p.FindEnding(q.Lo+1, q.Hi, lexicon.Folder, lexicon.File); ok && !it.named && m.Len < q.Hi-q.Lo {
		it.Name.Hi -= m.Len
		it.Object, it.Typed = parse.FolderType, true
		if m.Kind == lexicon.File {
			it.Object, it.hasKindOnly = parse.FileType, true
			if e, ok := p.FindEnding(q.Lo+1, it.Name.Hi, lexicon.Extension); ok { // "a notes text file"
				it.Ext, it.Name.Hi = e.Value, it.Name.Hi-e.Len
			}
		}
		it.isDescribed = isDescriptive(p.Text, it.Name, m, deleting)
		return
	}
	if q.Hi == q.Lo+1 && (p.Tokens[q.Lo].Shape == lexicon.FileShape || p.Tokens[q.Lo].Shape == lexicon.LinkShape && lexicon.FileExtension(p.Tokens[q.Lo].Value) != "") {
		it.Object = parse.FileType
		return
	}
	last := p.Tokens[q.Hi-1]
	if p.Tokens[q.Lo].Shape == lexicon.PathShape || last.Shape == lexicon.FileShape {
		if ext := lexicon.FileExtension(p.Cut(q.Hi-1, q.Hi)); ext != "" {
			it.Object = parse.FileType
		}
		return
	}
	if p.IsQuoted(q.Lo, q.Hi) && lexicon.FileExtension(p.Tokens[q.Lo].Value) != "" {
		it.Object = parse.FileType
		return
	}
	if deleting && p.Tokens[q.Lo].Shape == lexicon.FileShape && lexicon.FileExtension(p.Cut(q.Lo, q.Lo+1)) != "" {
		it.Object = parse.FileType // the words after it are unclear: "a.txt tomorrow"
		return
	}
	if name := parse.SpokenName(p.Text, q.Lo, q.Hi); lexicon.FileExtension(name) != "" && lexicon.IsFileExtension(lexicon.FileExtension(name)) {
		it.Object = parse.FileType
	}
}

// ListBefore finds the end of several names before a noun for all: "the old and new folders".
func (p *Reader) ListBefore(q parse.Span) (end int, object string, ok bool) {
	m, ok := p.FindEnding(q.Lo+1, q.Hi, lexicon.Folders, lexicon.Files)
	if end = q.Hi - m.Len; !ok || !areListed(p.Text, parse.Span{Lo: q.Lo, Hi: end}) && !areReal(p.Text, parse.Span{Lo: q.Lo, Hi: end}) {
		return q.Hi, "", false
	}
	if m.Kind == lexicon.Folders {
		return end, parse.FolderType, true
	}
	isKind := func(n parse.Span) bool { return lexicon.IsFileExtension(p.Cut(n.Lo, n.Hi)) } // "tmp and log files"
	return end, parse.FileType, !slices.ContainsFunc(p.SplitNames(parse.Span{Lo: q.Lo, Hi: end}), isKind)
}

// areReal reports whether words are several names that stand for paths which are there.
func areReal(p *parse.Text, q parse.Span) bool {
	names := p.SplitNames(q)
	return len(names) > 1 && !slices.ContainsFunc(names, func(n parse.Span) bool {
		return n.Hi != n.Lo+1 || p.Tokens[n.Lo].Shape != lexicon.PathShape || p.Hint(n.Lo).Object == ""
	})
}

// isDescriptive reports whether the words before a noun describe the thing instead
// of naming it: "the biggest file". In a language that puts names after nouns they
// always do. The name of a file to delete must not look like a description.
func isDescriptive(p *parse.Text, q parse.Span, noun lexicon.Match, deleting bool) bool {
	last := p.Tokens[q.Hi-1]
	switch {
	case last.Shape != lexicon.WordShape:
		return false // a quoted name, a file name, a path
	case deleting && noun.Kind == lexicon.File, !p.Words.Packs[noun.Lang].NameFirst:
		return true
	}
	return p.Skip(q.Lo, q.Hi, lexicon.Quality, lexicon.Determiner, lexicon.Empty, lexicon.Place) == q.Hi
}

// IsIndefinite reports whether the words before a name mean any file: "a", but not
// "the".
func IsIndefinite(p *parse.Text, lo, hi int) bool {
	det, ok := p.Longest(lo, hi, lexicon.Determiner)
	known, _ := p.Longest(lo, hi, lexicon.Definite)
	return ok && det.Len > known.Len
}

// isFileVerb reports whether a verb by itself is about files.
func isFileVerb(verb lexicon.Kind) bool {
	return verb == lexicon.Create || verb == lexicon.CreateGerund || lexicon.HasKind(lexicon.DeleteVerbs, verb) || verb == lexicon.Mkdir || verb == lexicon.Touch
}

// isNewThing reports whether the words mean a file or folder that does not exist
// yet: "a file", not "the file".
func isNewThing(p *parse.Text, c *parse.Clause, it Item) bool {
	noun := false
	for i := c.Body; i < it.Name.Lo; i++ {
		if _, named := p.Longest(i, it.Name.Lo, lexicon.NameMarker); named {
			break
		}
		if _, known := p.Longest(i, it.Name.Lo, lexicon.Definite); known {
			return false
		}
		_, is := p.Longest(i, it.Name.Lo, lexicon.File, lexicon.Folder, lexicon.Files, lexicon.Folders)
		noun = noun || is
	}
	return noun
}

// isOtherThing reports whether the words mean something other than a file. "create a
// playlist" has an article and no type; "create backup" may be a name.
func isOtherThing(p *parse.Text, c *parse.Clause, it Item) bool {
	m, ok := p.Longest(c.Body, it.Name.Hi, lexicon.Determiner)
	return ok && m.Len > 0 && c.Action() == "create" && !it.named
}
