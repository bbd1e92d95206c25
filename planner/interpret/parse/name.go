package parse

import (
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/message"
	"errand/planner/plan"
)

// MaxNameWords is the longest name of a file without quotes, in words.
const MaxNameWords = 8

// IsFileName reports whether a token is a complete file name.
func (p *Text) IsFileName(i int) bool {
	t := p.Tokens[i]
	return t.Shape == lexicon.FileShape || t.Shape == lexicon.QuotedShape || t.Shape == lexicon.PathShape && lexicon.FileExtension(t.Value) != ""
}

// SplitNames cuts a list of names at its commas and conjunctions.
func (p *Text) SplitNames(q Span) []Span {
	var out []Span
	from := q.Lo
	for i := q.Lo; i < q.Hi; {
		n := 0
		if p.Tokens[i].Shape == lexicon.MarkShape && (p.Fold(i) == "," || p.Fold(i) == ";" || p.Fold(i) == "\n") {
			n = 1
		} else if m, ok := p.Longest(i, q.Hi, lexicon.And); ok {
			n = m.Len
		}
		if n == 0 {
			i++
			if i < q.Hi && p.Tokens[i-1].Shape == lexicon.FileShape && p.Tokens[i].Shape == lexicon.FileShape {
				out = append(out, Span{from, i})
				from = i
			}
			continue
		}
		if from < i {
			out = append(out, Span{from, i})
		}
		i += n
		from = i
	}
	if from < q.Hi {
		out = append(out, Span{from, q.Hi})
	}
	return out
}

// Alternatives lists the two sides of an "or": "youtube or gmail".
func (p *Text) Alternatives(lo, hi int) []plan.Choice {
	for i := lo; i < hi; i++ {
		m, ok := p.Longest(i, hi, lexicon.Or)
		if !ok {
			continue
		}
		choices := []plan.Choice{}
		for _, s := range []Span{{p.Skip(lo, i, lexicon.Or, lexicon.Determiner), i}, {i + m.Len, hi}} {
			if s.Lo < s.Hi {
				v := p.Cut(s.Lo, s.Hi)
				choices = append(choices, plan.Choice{Label: message.Verbatim(v), Value: v})
			}
		}
		return choices
	}
	return nil
}

// ExpandPlace replaces a known folder at the start of a relative path: "documents/src",
// "pictures/2026". Without a slash "pictures" may be a folder with that name.
func (p *Text) ExpandPlace(dir string) string {
	first, rest, slash := strings.Cut(dir, "/")
	toks := lexicon.Tokenize(first)
	if len(toks) == 0 || len(toks) > MaxPhrase {
		return dir
	}
	for _, m := range p.Words.Find(toks)[0] {
		if m.Len == len(toks) && (m.Kind == lexicon.FolderName && slash || m.Kind == lexicon.Place && (len(toks) == 1 || slash)) {
			return m.Value + rest
		}
	}
	return dir
}

// WithoutFolder is the name of a folder without the noun beside it: "the folder photos".
func WithoutFolder(p *Text, lo, hi int) string {
	if m, ok := p.Longest(lo, hi, lexicon.Folder); ok && lo+m.Len < hi {
		return p.Cut(p.Skip(lo+m.Len, hi, lexicon.NameMarker), hi)
	}
	noun, _ := p.FindEnding(lo+1, hi, lexicon.Folder)
	return p.Cut(lo, hi-noun.Len)
}

// Meaning is the value of a word of kind k at token i, such as a top-level domain
// said in another script; else the word itself.
func (p *Text) Meaning(i int, k lexicon.Kind) string {
	if m, ok := p.Longest(i, i+1, k); ok {
		return m.Value
	}
	return p.Fold(i)
}
