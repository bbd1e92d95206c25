package item

import (
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// IsFileToken reports whether a name is one token that can only be a file or a path.
func IsFileToken(p *parse.Text, q parse.Span) bool {
	if q.Hi != q.Lo+1 {
		return false
	}
	switch t := p.Tokens[q.Lo]; t.Shape {
	case lexicon.FileShape:
		return true
	case lexicon.PathShape:
		return !strings.HasPrefix(t.Value, "//") && !strings.HasPrefix(t.Value, "..")
	}
	return false
}

// AreFileNames reports whether the words are several file names: "a.txt, b.txt and c.txt".
func AreFileNames(p *parse.Text, q parse.Span) bool {
	names := p.SplitNames(q)
	for _, n := range names {
		if !IsFileToken(p, n) && !p.IsQuoted(n.Lo, n.Hi) && !EndsInFileName(p, n) {
			return false
		}
	}
	return len(names) > 1
}

// EndsInFileName reports whether the words are one file name: "boarding pass.pdf".
func EndsInFileName(p *parse.Text, q parse.Span) bool {
	_, keep := p.Longest(q.Lo, q.Hi, lexicon.Keep)
	return p.Tokens[q.Hi-1].Shape == lexicon.FileShape && !keep && IsName(p, q, false)
}

func (p *Reader) addFile(c *parse.Clause, it Item, q parse.Span) {
	c.Drafts = append(c.Drafts, parse.Draft{
		Goal:       plan.Goal{GoalType: plan.FileOperation, Action: c.Action(), ObjectType: it.Object, Target: expandName(p, it, q)},
		Location:   it.Location,
		PlaceFirst: it.placeFirst,
		Spans: []parse.SlotSpan{
			{Slot: "goal_type", Span: c.Verb, Fuzzy: false},
			{Slot: "action", Span: c.Verb, Fuzzy: c.Fuzzy},
			{Slot: "target", Span: q, Fuzzy: false},
		},
	})
}

// FileName is the name in the words, with "dot t x t" spelled out and the extension
// that the type implies.
func (p *Reader) FileName(it Item, q parse.Span) string {
	name := p.Cut(q.Lo, q.Hi)
	if !p.IsQuoted(q.Lo, q.Hi) && it.Object == parse.FileType {
		name = parse.SpokenName(p.Text, q.Lo, q.Hi)
	}
	if it.Ext != "" && it.Object == parse.FileType && lexicon.FileExtension(name) == "" {
		name += it.Ext
	}
	return name
}

// expandName is [Reader.fileName] with a folder of the user at its start resolved, unless the
// words quote it or name a place beside it.
func expandName(p *Reader, it Item, q parse.Span) string {
	name := p.FileName(it, q)
	if p.IsQuoted(q.Lo, q.Hi) || it.IsKnown() || !strings.Contains(name, "/") {
		return name
	}
	return p.ExpandPlace(name)
}

// IsFile reports whether [lo,hi) begins with the noun of a file or folder, or
// is the name of a file.
func (p *Reader) IsFile(lo, hi int) bool {
	_, noun := p.Longest(lo, hi, lexicon.File, lexicon.Folder)
	return noun || lo+1 == hi && p.IsFileName(lo)
}

// notInNames are the kinds that a name without quotes has none of.
var notInNames = append([]lexicon.Kind{
	lexicon.Pronoun, lexicon.Nothing, lexicon.BulkAll, lexicon.Or, lexicon.And, lexicon.Not, lexicon.But, lexicon.If, lexicon.When, lexicon.Manner,
	lexicon.Rest, lexicon.NameMarker, lexicon.FileAction, lexicon.OtherAction, lexicon.In, lexicon.Source, lexicon.Destination, lexicon.On, lexicon.Vague, lexicon.Interrogative,
	lexicon.Place, lexicon.OwnFolder, lexicon.ThisPage, lexicon.Finite, lexicon.Position, lexicon.First, lexicon.TextNoun,
}, lexicon.Verbs...)

// IsName reports whether the words can be the name of one file or folder. After "the folder"
// a name may also be a word for many things: "photos".
func IsName(p *parse.Text, q parse.Span, typed bool) bool {
	if q.Hi-q.Lo < 1 || q.Hi-q.Lo > parse.MaxNameWords {
		return false
	}
	if p.IsQuoted(q.Lo, q.Hi) || IsFileToken(p, q) {
		return true
	}
	if typed && q.Hi == q.Lo+1 && p.IsPhrase(q.Lo, q.Hi, lexicon.FileAction, lexicon.AsArchive) && !p.IsPhrase(q.Lo, q.Hi, lexicon.Pronoun, lexicon.Nothing, lexicon.BulkAll) {
		return true // "the folder archive"
	}
	for i := q.Lo; i < q.Hi; i++ {
		if _, noun := p.Longest(i, q.Hi, lexicon.File, lexicon.Folder); noun && i > q.Lo && i < q.Hi-1 && !typed {
			return false // «начало файла a.txt»
		}
		if shape := p.Tokens[i].Shape; shape == lexicon.MarkShape || shape == lexicon.LinkShape || shape == lexicon.BannedShape || shape == lexicon.PathShape || IsShellToken(p, i) {
			return false
		}
		if p.IsFileName(i) || typed && parse.StartsUpper(p, i) {
			continue
		}
		if _, ok := p.Longest(i, q.Hi, notInNames...); ok {
			return false
		}
		if _, ok := p.Longest(i, q.Hi, lexicon.Bulk); ok && !typed {
			return false
		}
	}
	return true
}
