package files

import (
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// isFileToken reports whether a name is one token that can only be a file or a path.
func isFileToken(p *parse.Text, q parse.Span) bool {
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

// areFileNames reports whether the words are several file names: "a.txt, b.txt and c.txt".
func areFileNames(p *parse.Text, q parse.Span) bool {
	names := p.SplitNames(q)
	for _, n := range names {
		if !isFileToken(p, n) && !p.IsQuoted(n.Lo, n.Hi) && !endsInFileName(p, n) {
			return false
		}
	}
	return len(names) > 1
}

// endsInFileName reports whether the words are one file name: "boarding pass.pdf".
func endsInFileName(p *parse.Text, q parse.Span) bool {
	_, keep := p.Longest(q.Lo, q.Hi, lexicon.Keep)
	return p.Tokens[q.Hi-1].Shape == lexicon.FileShape && !keep && isName(p, q, false)
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

// fileName is the name in the words, with "dot t x t" spelled out and the extension
// that the type implies.
func (p *Reader) fileName(it Item, q parse.Span) string {
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
	name := p.fileName(it, q)
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
