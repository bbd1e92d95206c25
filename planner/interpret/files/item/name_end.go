package item

import (
	"slices"
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// Words after a name that no goal can express ("with text hello", "recursively",
// "if it is empty") make the command unclear. The reader asks about them and never
// takes them for a part of the name.

// findNameEnd reports whether other words follow the name of an item, and notes
// them. A name after "called" or in quotes may hold almost anything.
func (p *Reader) findNameEnd(it *Item, deleting bool) bool {
	names := []parse.Span{it.Name}
	if it.Plural || AreFileNames(p.Text, it.Name) {
		names = p.SplitNames(it.Name)
	}
	for _, q := range names {
		if deleting && !it.named && len(names) > 1 && isNoName(p.Text, q) {
			it.doubt = q
			return true
		}
		if at := p.nameEnd(it, q, deleting); at < q.Hi {
			if m, ok := p.Longest(at, q.Hi, lexicon.Place); ok && m.Len > 1 && at+m.Len < q.Hi && !deleting {
				at += m.Len // "in documents with 3 subfolders": the place is clear
			}
			it.doubt = parse.Span{Lo: at, Hi: q.Hi}
			return true
		}
	}
	return false
}

// ShareType gives an item without a type the type of the item before it.
func (p *Reader) ShareType(it *Item, object, action string) {
	it.Object, it.Problem = object, ""
	if it.Unknown.Lo < it.Unknown.Hi {
		it.Problem = "question.place"
		return
	}
	deleting := action == "delete"
	if it.doubt = it.Name; deleting && isNoName(p.Text, it.Name) || p.findNameEnd(it, deleting) {
		it.Problem, it.at = "question.partial", it.questionSpan(deleting)
	}
}

// questionSpan are the words that an answer replaces. For a deletion that is the
// whole name.
func (it *Item) questionSpan(deleting bool) parse.Span {
	if deleting {
		return it.Name
	}
	return it.doubt
}

// nameEnd is the end of the name that starts at q.Lo.
func (p *Reader) nameEnd(it *Item, q parse.Span, deleting bool) int {
	isPut := p.Tokens[q.Lo].Shape == lexicon.PathShape && p.Hint(q.Lo).Object != "" // the words of a name that is there
	if q.Hi > q.Lo+1 && (isPut || p.Tokens[q.Lo].Shape == lexicon.QuotedShape || it.Object != parse.FolderType && p.IsFileName(q.Lo) && !p.IsFileName(q.Hi-1)) {
		return q.Lo + 1
	}
	if deleting && isRemark(p.Text, q.Lo, q.Hi, true) {
		return q.Lo
	}
	hasSubject := func(i int) bool { // "if it …", "before i …"
		m, ok := p.Longest(i, q.Hi, lexicon.Subject)
		return ok && i+m.Len < q.Hi
	}
	for i := q.Lo + 1; i < q.Hi; i++ {
		if IsShellToken(p.Text, i) || isRemark(p.Text, i, q.Hi, deleting) && (deleting || !it.named) {
			return i
		}
		if _, noun := p.Longest(i, q.Hi, lexicon.Folder, lexicon.File); noun && !it.Typed && !it.named {
			return q.Lo // "a read only file a.txt"
		}
		if _, joint := p.Longest(i, q.Hi, lexicon.Vague, lexicon.On, lexicon.For); joint && !it.Typed && !it.named {
			return q.Lo // "the last line of notes.txt"
		}
		if deleting && (!continuesName(p.Text, i, q.Hi) || !it.named && p.Tokens[i].Shape == lexicon.MarkShape && p.Fold(i) == ",") {
			return i
		}
		if m, ok := p.Longest(i, q.Hi, lexicon.And); ok && i+m.Len == q.Hi {
			return i // "a on the desktop and in documents"
		}
		if isOnSite(p.Text, i, q.Hi) || !deleting && (beginsCommand(p.Text, i, q.Hi) || endsInPlace(p.Text, i, q.Hi)) {
			return i
		}
		for _, m := range p.Matches[i] {
			if m.Kind == lexicon.Place && m.Len > 1 && i+m.Len == q.Hi && !p.IsQuoted(q.Lo, q.Hi) {
				return i // "a on the desktop in documents" names two places
			}
			if i+m.Len <= q.Hi && (p.isNameEnd(it, m.Kind, i+m.Len == q.Hi, deleting) || m.Kind == lexicon.If && (m.Len > 1 && i+m.Len < q.Hi || hasSubject(i+m.Len))) {
				return i
			}
		}
	}
	return q.Hi
}

// commandKinds are the kinds that begin something else than one more name.
var commandKinds = slices.Concat(lexicon.Verbs, []lexicon.Kind{lexicon.OtherAction, lexicon.OtherThing, lexicon.Not, lexicon.Keep, lexicon.BulkAll, lexicon.Pronoun, lexicon.Rest})

// continuesName reports whether a conjunction at token i may be part of the name of
// what is deleted: "salt and pepper". It is not before another command or a
// reference: "old but keep the logs", "old and restore it".
func continuesName(p *parse.Text, i, hi int) bool {
	if _, but := p.Longest(i, hi, lexicon.But); but {
		return false
	}
	at := i
	if m, ok := p.Longest(i, hi, lexicon.And); ok {
		at += m.Len
	} else if p.Tokens[i].Shape == lexicon.MarkShape {
		at = p.Skip(p.SkipMarks(i, hi), hi, lexicon.And)
	}
	if at == i || at >= hi {
		return true
	}
	if _, action := p.Longest(at, hi, commandKinds...); action {
		return false
	}
	_, points := p.FindEnding(at, hi, lexicon.Pronoun, lexicon.Rest)
	return !points
}

// beginsCommand reports whether a pause or a conjunction at token i begins another command, whose
// object is more than one more word of a name: ", move all zips there", "and open it".
func beginsCommand(p *parse.Text, i, hi int) bool {
	at := p.Skip(p.SkipMarks(i, hi), hi, lexicon.And, lexicon.Step, lexicon.Lead)
	if at == i || p.IsQuoted(i, i+1) {
		return false
	}
	verb, ok := p.Longest(at, hi, append([]lexicon.Kind{lexicon.FileAction, lexicon.OtherAction}, lexicon.Verbs...)...)
	if !ok || at+verb.Len >= hi {
		return false
	}
	if _, points := p.Longest(at+verb.Len, hi, lexicon.Determiner, lexicon.Mine, lexicon.BulkAll, lexicon.Pronoun, lexicon.InIt, lexicon.Myself); points {
		return true
	}
	return p.IsFileName(at + verb.Len)
}

// endsInPlace reports whether a known folder at token i ends a name, because a pause or a
// conjunction follows: "on the desktop and tidy up".
func endsInPlace(p *parse.Text, i, hi int) bool {
	m, ok := p.Longest(i, hi, lexicon.Place)
	at := i + m.Len
	_, and := p.Longest(at, hi, lexicon.And, lexicon.But, lexicon.Step)
	return ok && m.Len > 1 && at < hi && (and || p.Tokens[at].Shape == lexicon.MarkShape)
}

// isNameEnd reports whether a phrase, inside a name or at its end (last), can't be
// part of it. Deletions are read more strictly.
func (p *Reader) isNameEnd(it *Item, k lexicon.Kind, last, deleting bool) bool {
	announced := it.named && !deleting
	switch k {
	case lexicon.Content, lexicon.With:
		return !last && !(announced && it.Object == parse.FolderType)
	case lexicon.Manner, lexicon.Contents:
		return deleting || last
	case lexicon.When:
		return last
	case lexicon.Adverb:
		return last && deleting && !it.named
	case lexicon.If, lexicon.Use, lexicon.Instead:
		return !last && !announced
	case lexicon.In, lexicon.Inside:
		return !last && !it.named
	case lexicon.From:
		return !last && !it.named && deleting
	}
	return false
}

// isOnSite reports whether [i,hi) says that something is on a site or in an app, where files
// can't be: "on slack".
func isOnSite(p *parse.Text, i, hi int) bool {
	on, ok := p.Longest(i, hi, lexicon.On)
	if !ok || i+on.Len >= hi {
		return false
	}
	at := p.SkipDeterminer(i+on.Len, hi)
	return p.IsPhrase(at, hi, lexicon.Site, lexicon.App) || at+1 == hi && p.Tokens[at].Shape == lexicon.LinkShape
}

// IsShellToken reports whether a token belongs to a command line rather than to a
// name: a flag, a pipe, a wildcard.
func IsShellToken(p *parse.Text, i int) bool {
	t := p.Tokens[i]
	if t.Shape == lexicon.QuotedShape {
		return false
	}
	switch s := p.Source[t.Start:t.End]; {
	case s == "|" || s == "||" || s == "&&" || s == ">" || s == ">>" || s == "<" || s == "*" || s == ";" && p.Tokens[i-1].End < t.Start:
		return true
	default:
		return len(s) > 1 && (s[0] == '-' && t.Shape != lexicon.MarkShape || s[0] == '/' && strings.Count(s, "/") == 1)
	}
}

// TrimEmoji drops emoji after a file name or a place, which are complete without
// them. Elsewhere they may be part of a name.
func (p *Reader) TrimEmoji(lo, hi int) int {
	end := hi
	for end > lo && p.Tokens[end-1].Shape == lexicon.SymbolShape {
		end--
	}
	if end == hi || end == lo {
		return hi
	}
	if m, ok := p.FindEnding(lo, end, lexicon.Place, lexicon.InIt); p.IsFileName(end-1) || ok && (m.Len > 1 || m.Kind == lexicon.InIt) {
		return p.TrimPoliteEnd(lo, end)
	}
	return hi
}

// TrimAdverbs drops "now", "here" and the like after a name without "called". It
// also reports whether the words say "here".
func (p *Reader) TrimAdverbs(lo, hi int) (end int, here bool) {
	for i := lo; i < hi; i++ {
		if _, named := p.Longest(i, hi, lexicon.NameMarker); named {
			return hi, false
		}
	}
	first, here := p.Longest(lo, hi, lexicon.Here)
	here = here && lo+first.Len < hi
	for {
		m, ok := p.FindEnding(lo+1, hi, lexicon.Hurry, lexicon.Here)
		if !ok {
			return hi, here
		}
		here = here || m.Kind == lexicon.Here
		hi = p.TrimPoliteEnd(lo, hi-m.Len)
	}
}
