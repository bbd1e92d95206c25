package files

import (
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// findFiltered reads files to find by more than their kind and folder: "files modified today in
// documents", "the newest pdf in downloads", "in documents files about taxes". Every word must
// be used. It reports false if the words are something else.
func (p *actReader) findFiltered(c *parse.Clause, lo, hi int) bool {
	f := &filterReader{actReader: p, isNested: true}
	at, i, located := f.folderBefore(p.Skip(lo, hi, lexicon.BulkAll), hi)
	for {
		from := p.Skip(i, hi, lexicon.BulkAll, lexicon.Determiner, lexicon.Mine)
		next := f.read(from, hi)
		if next == from {
			break
		}
		i = next
	}
	k, typed := p.readKinds(i, hi)
	if !typed || k.rest >= hi && !f.isSaid() {
		return false
	}
	noun := parse.Span{Lo: i, Hi: k.rest}
	name := parse.Span{Lo: k.rest, Hi: f.endOfName(k.rest, hi)}
	f.isNested = false
	for i = name.Hi; i < hi; {
		i = p.SkipPauses(i, hi)
		next := f.read(i, hi)
		if path, end, ok := p.folderWithin(i, hi); next == i && ok && !located {
			at, next, located = path, end, true
		}
		if and, ok := p.Longest(i, hi, lexicon.And); next == i && ok && i > name.Hi {
			next = i + and.Len
		}
		if next == i {
			return false
		}
		i = next
	}
	isOne := f.filter.Order != "" && !p.isPlural(noun.Hi-1)
	switch {
	case !f.isSaid(), isOne && !located, name.Lo < name.Hi && (!p.isName(name, true) || f.name.Lo < f.name.Hi), !located && !f.isLocal(k, noun):
		return false
	}
	if name.Lo >= name.Hi {
		name = f.name
	}
	if at == "" {
		at = everywhere
	}
	f.filter.Extensions = k.extensions
	p.addDraft(c, plan.FindAction, operand{object: k.object, path: at, span: parse.Span{Lo: lo, Hi: hi}, value: f.filter.String()}, place{})
	goal := &c.Drafts[len(c.Drafts)-1].Goal
	goal.Query = lexicon.WithoutQuotes(p.Cut(name.Lo, name.Hi))
	if isOne {
		goal.Limit = 1
	}
	return true
}

// FindWithoutVerb reads a text that only describes files to find: "the newest pdf in downloads".
// It must say more than their kind and folder.
func (p *Reader) FindWithoutVerb(lo, hi int) parse.Clause {
	c := parse.Clause{Frame: parse.ActFrame, Verb: parse.Span{Lo: lo, Hi: lo}, VerbKind: lexicon.FileAction, Lang: lexicon.AnyLang, Body: lo}
	if m, ok := p.Longest(lo, hi, lexicon.FileFilter, lexicon.FileKind, lexicon.Files); ok {
		c.Lang = m.Lang
	}
	if !(&actReader{p}).findFiltered(&c, lo, hi) {
		return parse.Clause{Lang: lexicon.AnyLang}
	}
	return c
}

// folderBefore reads a folder in front of what is to be found there: "in documents files about
// taxes".
func (p *filterReader) folderBefore(lo, hi int) (at string, i int, located bool) {
	if path, end, ok := p.folderWithin(lo, hi); ok && end < hi {
		f, _ := p.Longest(end, hi, lexicon.For)
		return path, end + f.Len, true
	}
	return "", lo, false
}

// endOfName is where a name that begins at token i ends: before a filter or a folder.
func (f *filterReader) endOfName(i, hi int) int {
	for ; i < hi; i++ {
		if _, end, ok := f.folderWithin(i, hi); ok && end > i {
			return i
		}
		if m, ok := f.Longest(i, hi, lexicon.FileFilter); ok && (m.Value == "text:" || m.Value == "name:") {
			return i
		}
		if again := (filterReader{actReader: f.actReader, isNested: true}); again.read(i, hi) > i {
			return i
		}
	}
	return hi
}

// isLocal reports whether the words mean files of the user although they name no folder: they
// say "files" or a format, or they say when the user changed them or what is in them.
func (f *filterReader) isLocal(k kinds, noun parse.Span) bool {
	isRelative := strings.Trim(f.filter.After+f.filter.Before, "0123456789") != ""
	if len(k.extensions) <= 2 || isRelative || f.filter.Text != "" || f.filter.Larger > 0 || f.filter.Smaller > 0 {
		return true
	}
	_, ok := f.FindEnding(noun.Lo, noun.Hi, lexicon.File, lexicon.Files)
	return ok
}
