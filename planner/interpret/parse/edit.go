package parse

import (
	"slices"

	"errand/planner/interpret/lexicon"
)

// edit is an answer put into the text: new bytes replace old bytes at pos.
type edit struct{ pos, old, new int }

// Hint is the hint at token i; the zero value if there is none.
func (p *Text) Hint(i int) lexicon.Hint {
	if i < 0 || i >= len(p.Tokens) || p.Tokens[i].Hint == nil {
		return lexicon.Hint{}
	}
	return *p.Tokens[i].Hint
}

// WithHint returns a copy with a hint at token i.
func (p *Text) WithHint(i int, t lexicon.Hint) *Text {
	next := *p
	next.Tokens = slices.Clone(p.Tokens)
	if i < len(next.Tokens) {
		t.Entry = p.Hint(i).Entry
		next.Tokens[i].Hint = &t
	}
	return &next
}

// Splice returns a copy with an answer in place of tokens: as words, or, if whole is
// set, as one quoted name.
func (p *Text) Splice(at Span, value string, whole bool) *Text {
	if whole {
		return p.replace(at, value, []lexicon.Token{{Shape: lexicon.QuotedShape, End: len(value), Fold: "\x00", Value: value}})
	}
	return p.replace(at, value, lexicon.Tokenize(value))
}

// Put returns a copy with one phrase in place of tokens.
func (p *Text) Put(at Span, value string, e lexicon.Entry) *Text {
	return p.replace(at, value, []lexicon.Token{{End: len(value), Fold: "\x00", Value: value, Hint: &lexicon.Hint{Entry: &e}}})
}

// PutPath returns a copy with a path in place of tokens. object is what it leads to; "": that is
// not known.
func PutPath(p *Text, at Span, path, object string) *Text {
	t := lexicon.Token{Shape: lexicon.PathShape, End: len(path), Fold: "\x00", Value: path}
	if object != "" {
		t.Hint = &lexicon.Hint{Object: object}
	}
	return p.replace(at, path, []lexicon.Token{t})
}

// Repeat returns a copy with other tokens of the text in place of tokens: "the report" in place of
// "it".
func Repeat(p *Text, at, from Span) *Text {
	base := p.Tokens[from.Lo].Start
	toks := slices.Clone(p.Tokens[from.Lo:from.Hi])
	for i := range toks {
		toks[i].Start, toks[i].End = toks[i].Start-base, toks[i].End-base
	}
	return p.replace(at, p.Source[base:p.Tokens[from.Hi-1].End], toks)
}

// PutLink returns a copy with the URL of a page in place of tokens.
func PutLink(p *Text, at Span, url string) *Text {
	return p.replace(at, url, []lexicon.Token{{Shape: lexicon.LinkShape, End: len(url), Fold: "\x00", Value: url}})
}

// Remove returns a copy without some tokens and the conjunction before them.
func (p *Text) Remove(at Span) *Text {
	for at.Lo > 0 {
		if m, ok := p.FindEnding(0, at.Lo, lexicon.And, lexicon.But, lexicon.To, lexicon.With); ok {
			at.Lo -= m.Len
		} else if p.Tokens[at.Lo-1].Shape == lexicon.MarkShape {
			at.Lo--
		} else {
			break
		}
	}
	return p.replace(at, "", nil)
}

// Bounds is the byte range of tokens in the source; for an empty span the gap before
// it.
func (p *Text) Bounds(at Span) (start, end int) {
	switch {
	case at.Lo < at.Hi:
		return p.Tokens[at.Lo].Start, p.Tokens[at.Hi-1].End
	case at.Lo > 0:
		start = p.Tokens[at.Lo-1].End
	}
	return start, start
}

func (p *Text) replace(at Span, value string, toks []lexicon.Token) *Text {
	start, end := p.Bounds(at)
	inserted := " " + value + " "
	next := &Text{Words: p.Words, Platform: p.Platform, Sites: p.Sites, Apps: p.Apps, Source: p.Source[:start] + inserted + p.Source[end:]}
	next.Edits = append(slices.Clip(p.Edits), edit{start, end - start, len(inserted)})
	next.Tokens = append(next.Tokens, p.Tokens[:at.Lo]...)
	shift := func(toks []lexicon.Token, by int) {
		for _, t := range toks {
			t.Start, t.End = t.Start+by, t.End+by
			next.Tokens = append(next.Tokens, t)
		}
	}
	shift(toks, start+1)
	shift(p.Tokens[max(at.Lo, at.Hi):], len(inserted)-(end-start))
	next.Matches = p.Words.Find(next.Tokens)
	for i, t := range next.Tokens {
		if t.Hint != nil && t.Hint.Entry != nil {
			next.Matches[i] = []lexicon.Match{{Entry: *t.Hint.Entry, Len: 1}}
		}
	}
	next.Language = next.DetectLanguage()
	return next
}

// Origin maps a byte range of the source to the original words. Text of an answer
// maps to the words that it replaced.
func (p *Text) Origin(start, end int) (from, to int) {
	for _, e := range slices.Backward(p.Edits) {
		switch {
		case start >= e.pos+e.new:
			start -= e.new - e.old
		case start > e.pos:
			start = e.pos
		}
		switch {
		case end >= e.pos+e.new:
			end -= e.new - e.old
		case end > e.pos:
			end = e.pos + e.old
		}
	}
	return start, end
}
