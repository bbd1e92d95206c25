package interpret

import (
	"slices"
	"unicode/utf8"
)

// Explanation shows how a text was read, for people who wonder why.
type Explanation struct {
	Reading   Reading      `json:"reading"`
	Tokens    []TokenView  `json:"tokens"`
	Clauses   []ClauseView `json:"clauses"`
	Leftovers []Stretch    `json:"leftovers"` // words that no known phrase covers and no slot took
}

// Stretch is a part of the text; bytes, half open.
type Stretch struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Words string `json:"words"`
}

// TokenView is a token and the phrases that start at it ("open",
// "site:youtube").
type TokenView struct {
	Stretch
	Shape   string   `json:"shape"`
	Phrases []string `json:"phrases"`
}

// ClauseView is a clause and what became of it.
type ClauseView struct {
	Stretch
	Frame   string `json:"frame"`   // search, open, file, system, page, ""
	Outcome string `json:"outcome"` // understood, asks, unknown, cancels
	Negated bool   `json:"negated"`
}

var (
	shapeNames = [...]string{word: "word", mark: "mark", quoted: "quoted", link: "link", banned: "banned", path: "path", file: "file", symbol: "symbol"}
	frameNames = [frames]string{searchFrame: "search", openFrame: "open", fileFrame: "file", systemFrame: "system", pageFrame: "page"}
	outcomes   = [...]string{unknown: "unknown", good: "understood", asks: "asks", wrapper: "politeness", cancels: "cancels"}
)

// Explain reads a text as [Interpreter.Read] does and shows the steps. A text
// past the limits has no steps.
func (i *Interpreter) Explain(text string) Explanation {
	x := Explanation{Reading: i.Read(text), Tokens: []TokenView{}, Clauses: []ClauseView{}, Leftovers: []Stretch{}}
	if len(text) > MaxBytes || !utf8.ValidString(text) {
		return x
	}
	p := newParser(i.Parse(text))
	covered := make([]bool, len(p.toks))
	for n, t := range p.toks {
		v := TokenView{Stretch: stretchOf(p.Text, n, n+1), Shape: shapeNames[t.shape], Phrases: []string{}}
		for _, m := range p.marks[n] {
			v.Phrases = append(v.Phrases, m.name())
			for j := n; j < n+m.n; j++ {
				covered[j] = true
			}
		}
		slices.Sort(v.Phrases)
		v.Phrases = slices.Compact(v.Phrases)
		x.Tokens = append(x.Tokens, v)
	}
	for _, c := range p.clauses() {
		if c.lo < c.hi {
			x.Clauses = append(x.Clauses, ClauseView{stretchOf(p.Text, c.lo, c.hi), frameNames[c.frame], outcomes[c.outcome], c.negated})
		}
	}
	for n, t := range p.toks {
		taken := covered[n] || t.shape == mark || slices.ContainsFunc(x.Reading.Evidence, func(e Evidence) bool { return e.Start <= t.start && t.end <= e.End })
		if !taken {
			x.Leftovers = append(x.Leftovers, stretchOf(p.Text, n, n+1))
		}
	}
	return x
}

func stretchOf(p *Text, lo, hi int) Stretch {
	start, end := p.toks[lo].start, p.toks[hi-1].end
	return Stretch{start, end, p.source[start:end]}
}

// name is how a language file calls the entry, with its value.
func (e entry) name() string {
	name := valueNames[e.kind]
	for n, k := range kindNames {
		if k == e.kind {
			name = n
		}
	}
	if e.value != "" {
		return name + ":" + e.value
	}
	return name
}

var valueNames = map[kind]string{
	kOwnSite: "own_site", kPlace: "place", kExtension: "extension", kSpoken: "spoken", kSuffix: "suffix", kLetter: "letter",
	kSysKey: "system", kSysExtra: "system_extra", kSite: "site", kApp: "app",
}
