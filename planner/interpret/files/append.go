package files

import (
	"errand/planner/interpret/files/item"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// actAppend reads "TEXT to X", "to X TEXT" and "TEXT to a file called X". The first two add to
// a file that exists, the last creates one. A verb of putting adds only to the end of X.
func (p *actReader) actAppend(c *parse.Clause, lo, hi int) {
	puts := c.VerbKind == lexicon.Put
	if !puts && p.appendTo(c, lo, hi) {
		return
	}
	_, saves := p.Longest(c.Verb.Lo, hi, lexicon.Save)
	for i := lo + 1; i < hi; i++ {
		m, ok := p.Longest(i, hi, lexicon.EndOf, lexicon.Destination, lexicon.In)
		if !ok {
			continue
		}
		text := parse.Span{Lo: lo, Hi: i}
		if !puts && p.createWith(c, text, i+m.Len, hi) {
			return
		}
		operands := p.operands(i+m.Len, hi, parse.Location{})
		if len(operands) != 1 || operands[0].object == parse.FolderType || puts && m.Kind != lexicon.EndOf || saves {
			continue
		}
		p.addText(c, operands[0], text)
		return
	}
}

// appendTo reads "to X TEXT", where X is one file name with its place.
func (p *actReader) appendTo(c *parse.Clause, lo, hi int) bool {
	m, ok := p.Longest(lo, hi, lexicon.EndOf, lexicon.Destination, lexicon.In)
	if hint := p.Hint(lo); !ok && !(hint.Object == parse.FileType && hint.Certain) { // in place of «туда»
		return false
	}
	at := p.Skip(lo+m.Len, hi, lexicon.Determiner, lexicon.Mine, lexicon.File)
	if at >= hi || p.Tokens[at].Shape != lexicon.FileShape && p.Tokens[at].Shape != lexicon.PathShape {
		return false
	}
	end := at + 1
	if in, ok := p.Longest(end, hi, lexicon.Place); ok && in.Len > 1 {
		end += in.Len
	}
	operands := p.operands(lo+m.Len, end, parse.Location{})
	if len(operands) != 1 || operands[0].object == parse.FolderType || end >= hi {
		return false
	}
	p.addText(c, operands[0], parse.Span{Lo: p.SkipPauses(end, hi), Hi: hi})
	return true
}

// createWith reads [lo,hi) as a file that is to be created with a text: "a file called a.txt on
// the desktop", "a new file a.txt".
func (p *actReader) createWith(c *parse.Clause, text parse.Span, lo, hi int) bool {
	_, saves := p.Longest(c.Verb.Lo, hi, lexicon.Save, lexicon.Keep)
	if !item.IsIndefinite(p.Text, lo, hi) && !item.SaysNew(p.Text, lo, min(hi, lo+2)) {
		if !saves {
			return false
		}
	}
	sub := parse.Clause{Frame: parse.FileFrame, Verb: c.Verb, VerbKind: lexicon.Create, Lang: c.Lang, Body: lo, Hi: hi}
	it := p.Item(&sub, lo, hi)
	if !it.Typed || it.Object != parse.FileType || it.Plural {
		return false
	}
	if p.AddItem(&sub, it); sub.Outcome == parse.Asks && sub.Ask.Code == "question.name" && !saves {
		c.Outcome, c.Ask = parse.Asks, sub.Ask
		return true
	}
	if sub.Outcome != parse.Understood || len(sub.Drafts) != 1 || !setText(p.Reader, &sub, withoutNoun(p.Reader, text)) {
		return false
	}
	c.Frame, c.Outcome, c.Drafts, c.Ask, c.VerbKind, c.Object, c.HasText = sub.Frame, sub.Outcome, sub.Drafts, sub.Ask, sub.VerbKind, sub.Object, true
	return true
}

// addText adds the goal to append a text to a file.
func (p *actReader) addText(c *parse.Clause, file operand, text parse.Span) {
	file.object = parse.FileType
	p.addDraft(c, plan.AppendAction, file, place{})
	if !setText(p.Reader, c, withoutNoun(p.Reader, text)) {
		c.Outcome, c.Drafts = parse.Unknown, nil
	}
}

// withoutNoun drops what announces a text: "the line", «текст».
func withoutNoun(p *Reader, text parse.Span) parse.Span {
	from := p.Skip(p.Skip(text.Lo, text.Hi, lexicon.TextLink), text.Hi, lexicon.TextNoun)
	if from < text.Hi && !isComputed(p, text) {
		text.Lo = p.SkipPauses(from, text.Hi)
	}
	return text
}

// setText sets the text of the last draft. It reports false if there is none.
func setText(p *Reader, c *parse.Clause, text parse.Span) bool {
	if text.Lo >= text.Hi {
		return false
	}
	d := &c.Drafts[len(c.Drafts)-1]
	d.Goal.Value = p.Cut(text.Lo, text.Hi)
	d.Spans = append(d.Spans, parse.SlotSpan{Slot: "value", Span: text})
	if isComputed(p, text) {
		c.Outcome, c.Drafts = parse.Asks, nil
		c.Ask = parse.Question{Code: "question.literal", Words: p.Cut(text.Lo, text.Hi), At: parse.Span{Lo: text.Lo, Hi: text.Lo + 1}, Choices: parse.YesOrNo()}
	}
	return true
}

// isComputed reports whether a text may mean something else than its words: a file name, "today's
// date", "the contents of a.txt", words that are corrected.
func isComputed(p *Reader, text parse.Span) bool {
	if p.IsQuoted(text.Lo, text.Hi) || p.Hint(text.Lo).Certain {
		return false
	}
	if p.IsPhrase(text.Lo, text.Hi, lexicon.TextNoun, lexicon.Pronoun) || text.Hi == text.Lo+1 && p.Tokens[text.Lo].Shape == lexicon.FileShape {
		return true
	}
	for i := text.Lo; i < text.Hi-1; i++ { // "eggs, no, milk"
		if _, repair := p.Longest(i+1, text.Hi, lexicon.Repair, lexicon.RepairSoft); repair && p.Tokens[i].Shape == lexicon.MarkShape {
			return true
		}
	}
	_, begins := p.Longest(text.Lo, text.Hi, lexicon.ComputedOf)
	return begins || p.IsPhrase(text.Lo, text.Hi, lexicon.Computed)
}
