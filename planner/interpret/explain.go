package interpret

import (
	"slices"
	"unicode/utf8"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// Explanation shows how a text was read.
type Explanation struct {
	Reading   Reading      `json:"reading"`
	Tokens    []TokenView  `json:"tokens"`
	Clauses   []ClauseView `json:"clauses"`
	Leftovers []Span       `json:"leftovers"` // words that no known phrase covers and no slot took
}

// Span is a part of the text; bytes, half open.
type Span struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Words string `json:"words"`
}

// TokenView is a token and the phrases that start at it ("open",
// "site:youtube").
type TokenView struct {
	Span
	Shape   string   `json:"shape"`
	Phrases []string `json:"phrases"`
}

// ClauseView is a clause and the outcome of reading it.
type ClauseView struct {
	Span
	Frame   string `json:"frame"`   // search, open, file, file_action, control, system, page, tab, ""
	Outcome string `json:"outcome"` // understood, asks, unknown, cancels
	Negated bool   `json:"negated"`
}

var (
	shapeNames = [...]string{lexicon.WordShape: "word", lexicon.MarkShape: "mark", lexicon.QuotedShape: "quoted", lexicon.LinkShape: "link", lexicon.BannedShape: "banned", lexicon.PathShape: "path", lexicon.FileShape: "file", lexicon.SymbolShape: "symbol"}
	frameNames = [parse.FrameCount]string{parse.SearchFrame: "search", parse.OpenFrame: "open", parse.FileFrame: "file", parse.SystemFrame: "system", parse.PageFrame: "page", parse.ActFrame: "file_action", parse.ControlFrame: "control", parse.TabFrame: "tab"}
	outcomes   = [...]string{parse.Unknown: "unknown", parse.Understood: "understood", parse.Asks: "asks", parse.Polite: "politeness", parse.Cancels: "cancels"}
)

// Explain reads a text as [Interpreter.Read] does and shows the steps. A text
// past the limits has no steps.
func (i *Interpreter) Explain(text string) Explanation {
	x := Explanation{Reading: i.Read(text), Tokens: []TokenView{}, Clauses: []ClauseView{}, Leftovers: []Span{}}
	if len(text) > MaxBytes || !utf8.ValidString(text) {
		return x
	}
	p := newParser(i.Parse(text))
	covered := make([]bool, len(p.Tokens))
	for n, t := range p.Tokens {
		v := TokenView{Span: stretchOf(p.Text, n, n+1), Shape: shapeNames[t.Shape], Phrases: []string{}}
		for _, m := range p.Matches[n] {
			v.Phrases = append(v.Phrases, m.Name())
			for j := n; j < n+m.Len; j++ {
				covered[j] = true
			}
		}
		slices.Sort(v.Phrases)
		v.Phrases = slices.Compact(v.Phrases)
		x.Tokens = append(x.Tokens, v)
	}
	for _, c := range p.readClauses() {
		if c.Lo < c.Hi {
			x.Clauses = append(x.Clauses, ClauseView{stretchOf(p.Text, c.Lo, c.Hi), frameNames[c.Frame], outcomes[c.Outcome], c.Negated})
		}
	}
	for n, t := range p.Tokens {
		taken := covered[n] || t.Shape == lexicon.MarkShape || slices.ContainsFunc(x.Reading.Evidence, func(e Evidence) bool { return e.Start <= t.Start && t.End <= e.End })
		if !taken {
			x.Leftovers = append(x.Leftovers, stretchOf(p.Text, n, n+1))
		}
	}
	return x
}

func stretchOf(p *parse.Text, lo, hi int) Span {
	start, end := p.Tokens[lo].Start, p.Tokens[hi-1].End
	return Span{start, end, p.Source[start:end]}
}
