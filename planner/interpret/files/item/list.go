package item

import (
	"strconv"
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/message"
	"errand/planner/plan"
)

// splitWords adds the goals of a list without commas, or its question: "three folders a b and
// c". A number of names that fits makes each word a name; without one, the words may be one
// name or several. It reports false for any other item.
func splitWords(p *Reader, c *parse.Clause, it *Item) bool {
	if !it.Plural || it.named || AreFileNames(p.Text, it.Name) {
		return false
	}
	var words, parts []string
	var spans []parse.Span
	long := false
	for _, q := range p.SplitNames(it.Name) {
		for i := q.Lo; i < q.Hi; i++ {
			switch p.Tokens[i].Shape {
			case lexicon.WordShape:
			case lexicon.SymbolShape:
				continue
			default:
				return false
			}
			words, spans = append(words, p.Cut(i, i+1)), append(spans, parse.Span{Lo: i, Hi: i + 1})
		}
		part := p.Cut(q.Lo, q.Hi)
		if q.Hi > q.Lo+1 {
			long, part = true, `"`+part+`"`
		}
		parts = append(parts, part)
	}
	for i := it.Name.Lo; i < it.Name.Hi; i++ {
		if p.Tokens[i].Shape == lexicon.MarkShape {
			return false
		}
	}
	count := countBefore(p, c.Body, it.Name.Lo)
	switch {
	case !long || count == len(parts):
		return false
	case count == len(words) && !continuesAfter(p, it.Name.Hi):
		c.Outcome, c.Drafts = parse.Understood, nil
		for _, q := range spans {
			p.addFile(c, *it, q)
		}
		return true
	}
	c.Outcome, c.Ask = parse.Asks, parse.Question{Code: "question.choice", At: it.Name}
	for _, names := range [][]string{words, parts} {
		value := strings.Join(names, ", ")
		c.Ask.Choices = append(c.Ask.Choices, plan.Choice{Label: message.Verbatim(value), Value: value})
	}
	return true
}

// continuesAfter reports whether a conjunction follows the name that ends at token i.
func continuesAfter(p *Reader, i int) bool {
	for at := i; at < min(len(p.Tokens), i+parse.MaxPhrase); at++ {
		if _, ok := p.Longest(at, len(p.Tokens), lexicon.And); ok {
			return true
		}
	}
	return false
}

// countBefore is the number that the words in [lo,hi) say, or 0.
func countBefore(p *Reader, lo, hi int) int {
	for i := lo; i < hi; i++ {
		if n, err := strconv.Atoi(p.Meaning(i, lexicon.Count)); err == nil {
			return n
		}
	}
	return 0
}
