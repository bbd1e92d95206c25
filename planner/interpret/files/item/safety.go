package item

import (
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// isPlaceholder reports whether the name is only a placeholder: "it", "something".
// After "called" only "something" is, because a folder may be called "stuff" or
// "this".
func isPlaceholder(p *parse.Text, it Item) bool {
	lo, hi := it.Name.Lo, it.Name.Hi
	if strings.Trim(p.Cut(lo, hi), "\"'«»“” ") == "" {
		return true
	}
	if it.named {
		return p.IsPhrase(lo, hi, lexicon.Nothing) && !p.IsPhrase(lo, hi, lexicon.Bulk)
	}
	return p.IsPhrase(lo, hi, lexicon.Pronoun, lexicon.Nothing) && !p.IsQuoted(lo, hi)
}

// IsBulk reports whether the words mean more than one named thing.
func IsBulk(p *parse.Text, lo, hi int) bool {
	if p.IsQuoted(lo, hi) {
		return false
	}
	if _, all := p.Longest(lo, hi, lexicon.BulkAll); all {
		return true
	}
	start := p.Skip(lo, hi, lexicon.Determiner)
	if m, ok := p.Longest(start, hi, lexicon.Bulk); ok {
		_, more := p.Longest(start+m.Len, hi, lexicon.Vague, lexicon.Place, lexicon.In, lexicon.Inside, lexicon.From)
		return start+m.Len == hi || more
	}
	return hasWildcard(p, parse.Span{Lo: lo, Hi: hi})
}

// hasWildcard reports whether the words hold a wildcard.
func hasWildcard(p *parse.Text, q parse.Span) bool {
	for i := q.Lo; i < q.Hi; i++ {
		if p.Tokens[i].Shape != lexicon.QuotedShape && strings.ContainsAny(p.Source[p.Tokens[i].Start:p.Tokens[i].End], "*?") {
			return true
		}
	}
	return false
}

func isPunctuation(p *parse.Text, q parse.Span) bool {
	for i := q.Lo; i < q.Hi; i++ {
		if p.Tokens[i].Shape != lexicon.MarkShape {
			return false
		}
	}
	return true
}

// areListed reports whether the words are two names or more: "january, february" in "folders for
// january, february". For whom folders are does not count.
func areListed(p *parse.Text, q parse.Span) bool {
	names := p.SplitNames(q)
	for _, n := range names {
		if p.IsPhrase(n.Lo, n.Hi, lexicon.Determiner) || !IsName(p, n, false) && !p.IsPhrase(n.Lo, n.Hi, lexicon.FileKind, lexicon.FolderName) {
			return false
		}
		if _, mine := p.Longest(n.Lo, n.Hi, lexicon.Mine, lexicon.Determiner); mine {
			return false
		}
	}
	return len(names) > 1
}

// saysCount reports whether the words say how many: "three folders".
func saysCount(p *parse.Text, lo, hi int) bool {
	for i := lo; i < hi; i++ {
		if _, ok := p.Longest(i, hi, lexicon.Number, lexicon.Count); ok {
			return true
		}
	}
	return false
}

// isForEach reports whether a name means many: "for each month".
func isForEach(p *Reader, q parse.Span) bool {
	m, ok := p.Longest(q.Lo, q.Hi, lexicon.For, lexicon.On, lexicon.In, lexicon.Destination, lexicon.From, lexicon.Of)
	_, all := p.Longest(q.Lo+m.Len, q.Hi, lexicon.BulkAll)
	return ok && all
}

// isDescription reports whether a name without "called" starts like a description:
// "the file that I made yesterday".
func isDescription(p *parse.Text, q parse.Span) bool {
	if p.IsQuoted(q.Lo, q.Hi) {
		return false
	}
	_, ok := p.Longest(q.Lo, q.Hi, lexicon.Vague)
	return ok
}

// isAdverbial reports whether a name without "called" only says when or how: "delete
// the file again". For a deletion that includes a name without an extension that
// starts with a preposition or a condition: "the file on the left", "the file after
// the first one".
func isAdverbial(p *parse.Text, q parse.Span, deleting bool) bool {
	kinds := []lexicon.Kind{lexicon.Hurry, lexicon.Tail}
	if deleting {
		kinds = append(kinds, lexicon.Manner, lexicon.When, lexicon.Adverb, lexicon.Position)
	}
	if p.Skip(q.Lo, q.Hi, kinds...) == q.Hi {
		return true
	}
	m, on := p.Longest(q.Lo, q.Hi, lexicon.On, lexicon.For, lexicon.If, lexicon.In, lexicon.Inside, lexicon.From)
	return deleting && on && m.Len < q.Hi-q.Lo && (m.Kind == lexicon.If || !p.IsFileName(q.Hi-1))
}

// isNoName reports whether one of several things to delete is not a name: "the
// others", "all the rest", "here".
func isNoName(p *parse.Text, q parse.Span) bool {
	return !p.IsQuoted(q.Lo, q.Hi) &&
		(p.IsPhrase(q.Lo, q.Hi, lexicon.Rest, lexicon.Pronoun, lexicon.Nothing) || IsBulk(p, q.Lo, q.Hi) || isAdverbial(p, q, true))
}

// hasChoice reports whether the name leaves a choice: "a.txt or b.txt". A new thing
// may be called "trick or treat".
func hasChoice(p *parse.Text, it *Item, deleting bool) bool {
	if !deleting && it.named {
		return false
	}
	for i := it.Name.Lo + 1; i < it.Name.Hi; i++ {
		if _, or := p.Longest(i, it.Name.Hi, lexicon.Or); or {
			return true
		}
	}
	return false
}

// refuseUnsafe refuses to delete a root and to read flags of shell commands as
// names.
func (p *Reader) refuseUnsafe(c *parse.Clause, it *Item) {
	if it.Name.Lo >= it.Name.Hi {
		return
	}
	name := p.Cut(it.Name.Lo, it.Name.Hi)
	first := p.Source[p.Tokens[it.Name.Lo].Start:p.Tokens[it.Name.Lo].End]
	switch {
	case (c.VerbKind == lexicon.Rm || c.VerbKind == lexicon.Rmdir) && strings.HasPrefix(first, "-"), IsRoot(name):
		it.refusal = "reason.whole_tree"
	case (c.VerbKind == lexicon.Touch || c.VerbKind == lexicon.Mkdir) && strings.HasPrefix(first, "-"):
		it.refusal = "reason.shell_flags"
	}
}

// IsRoot reports whether a name is the root of a drive, the home folder or a folder
// above.
func IsRoot(name string) bool {
	trimmed := strings.Trim(name, `/\.~`)
	return trimmed == "" || len(trimmed) == 2 && trimmed[1] == ':'
}
