package quarantine

import (
	"slices"
	"strings"
)

// reach is how far apart evidence may stand and still make one attempt, in
// bytes of the folded text.
const reach = 600

type evidence struct {
	rule       *rule
	id         int
	start, end int
}

// judge looks for passages of a view that reach the threshold and answers
// what was found in them.
func (v view) judge() []Span {
	if v.bonus >= threshold {
		start, end := v.place(0, len(v.text))
		spans := []Span{{start, end, v.technique}}
		for _, e := range v.evidence() {
			spans = append(spans, v.span(e))
		}
		return spans
	}
	found := v.evidence()
	var out []Span
	for i := range found {
		// The passage from this piece of evidence on.
		seen := map[int]bool{}
		score := v.bonus
		j := i
		for ; j < len(found) && found[j].start-found[i].start <= reach; j++ {
			if !seen[found[j].id] {
				seen[found[j].id] = true
				score += found[j].rule.weight
			}
		}
		if score < threshold {
			continue
		}
		for _, e := range found[i:j] {
			out = append(out, v.span(e))
		}
	}
	if len(out) > 0 && v.technique != "" {
		start, end := v.place(0, len(v.text))
		out = append(out, Span{start, end, v.technique})
	}
	return out
}

func (v view) span(e evidence) Span {
	start, end := v.within.Start, v.within.End
	if !e.rule.raw || v.offsets != nil {
		start, end = v.place(e.start, e.end)
	}
	return Span{start, end, e.rule.technique}
}

// evidence lists what the rules find in a view, by place. Rules of one
// technique that say the same of the same words count once.
func (v view) evidence() []evidence {
	var out []evidence
	id := 0
	for _, rules := range [][]rule{english, foreign, forgeries} {
		for i := range rules {
			r := &rules[i]
			id++
			if r.concealedOnly && v.technique == "" {
				continue
			}
			text := v.text
			if r.raw {
				if text = v.raw; text == "" {
					continue
				}
			}
			if !r.mayMatch(text) {
				continue
			}
			for _, m := range r.pattern.FindAllStringIndex(text, 50) {
				quotes := quotePairs
				if r.raw {
					quotes = codePairs
				}
				if r.order && !ordered(text, m[0]) || mentioned(text, m[0], m[1], quotes) {
					continue
				}
				out = append(out, evidence{r, id, m[0], m[1]})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b evidence) int { return a.start - b.start })
	return strongest(out)
}

// strongest drops evidence of a technique that overlaps stronger evidence of
// the same technique: the same words are not counted twice.
func strongest(found []evidence) []evidence {
	return slices.DeleteFunc(slices.Clone(found), func(e evidence) bool {
		return slices.ContainsFunc(found, func(o evidence) bool {
			return o.rule.technique == e.rule.technique && o.start < e.end && e.start < o.end &&
				(o.rule.weight > e.rule.weight || o.rule.weight == e.rule.weight && o.id < e.id)
		})
	})
}

func (r *rule) mayMatch(text string) bool {
	if len(r.need) == 0 {
		return true
	}
	for _, n := range r.need {
		if strings.Contains(text, n) {
			return true
		}
	}
	return false
}
