package files

import (
	"errand/planner/interpret/files/item"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// readWithText reads a file to create together with its text: "a file todo.txt with text buy
// milk". It reports whether the words are that.
func (p *Reader) readWithText(c *parse.Clause, lo, hi int) bool {
	hi = p.TrimTail(lo, hi, true)
	var after parse.Location
	for i := lo + 1; i < hi; i++ {
		m, ok := p.Longest(i, hi, lexicon.Content)
		if with, is := p.Longest(i, hi, lexicon.With); !ok && is { // "with milk and eggs in it"
			in, inside := p.FindEnding(i+with.Len+1, hi, lexicon.InIt)
			if place, located := p.FindEnding(i+with.Len+1, hi, lexicon.Place); located && !inside && place.Len > 1 && !after.IsKnown() { // "… in it in documents"
				if in, inside = p.FindEnding(i+with.Len+1, hi-place.Len, lexicon.InIt); inside {
					after.Place = place.Value
					hi -= place.Len
				}
			}
			if m, ok = with, inside && in.Len > 1 && p.Tokens[i+with.Len].Shape != lexicon.QuotedShape; ok && p.IsFile(p.Skip(i+with.Len, hi, lexicon.Determiner, lexicon.Empty, lexicon.Extension), hi) {
				ok = false // "a folder a with a file b.txt in it"
			}
			if ok {
				hi -= in.Len
			}
		}
		if !ok || i+m.Len >= hi {
			continue
		}
		text := parse.Span{Lo: p.SkipMarks(i+m.Len, hi), Hi: hi}
		if _, and := p.Longest(i, hi, lexicon.And); and { // "and write hello in it"
			if in, ok := p.FindEnding(text.Lo+1, text.Hi, lexicon.InIt); ok {
				text.Hi -= in.Len
			}
		}
		var at item.Item
		if text.Lo < hi && p.Tokens[text.Lo].Shape == lexicon.QuotedShape {
			text.Hi = text.Lo + 1
			if end := p.TrimPlace(&at, text.Lo, hi); text.Hi < hi && end != text.Hi {
				return false
			}
		} else if m, ok := p.FindEnding(text.Lo+1, text.Hi, lexicon.Place); ok && m.Len > 1 {
			return false // "hello in documents": the place of the file, or a part of the text
		}
		sub := *c
		it := p.Item(&sub, lo, i)
		if after.IsKnown() && !it.IsKnown() {
			it.Location = after
		}
		if at.IsKnown() && !it.IsKnown() {
			it.Location = at.Location
		} else if at.IsKnown() {
			return false
		}
		if p.AddItem(&sub, it); text.Lo >= text.Hi || it.Object != parse.FileType || it.Plural || sub.Outcome != parse.Understood || len(sub.Drafts) != 1 {
			return false
		}
		setText(p, &sub, text)
		sub.HasText = true
		*c = sub
		return true
	}
	return false
}
