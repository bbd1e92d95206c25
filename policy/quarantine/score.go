package quarantine

import (
	"slices"

	"errand/policy/quarantine/view"
)

const (
	// threshold is the minimum score of an attempt. One plain order about instructions
	// reaches it. An order to act, a machine as addressee, or a forged turn of a
	// conversation alone does not.
	threshold = 3
	// passage is the maximum distance of evidence within one attempt, in bytes of the
	// folded text.
	passage = 600
	// strong is the minimum weight of evidence that supports other evidence.
	strong = 2
)

// findSpans returns the findings in the passages of a view that reach the threshold.
func (v reading) findSpans() []Span {
	found := v.evidence()
	var out []Span
	if v.Bonus >= view.Certain {
		for _, e := range found {
			out = append(out, v.span(e))
		}
		return append(out, spanOf(v.WholeSpan(), v.Technique))
	}
	for i := range found {
		// The passage that begins with this evidence. Each rule counts once.
		seen := map[int]bool{}
		score := v.Bonus
		var spans []Span
		for j := i; j < len(found) && found[j].start-found[i].start <= passage; j++ {
			if !hasSupport(found[i:], found[j]) {
				continue
			}
			spans = append(spans, v.span(found[j]))
			if !seen[found[j].id] {
				seen[found[j].id] = true
				score += found[j].Weight
			}
		}
		if score >= threshold {
			out = append(out, spans...)
		}
	}
	if len(out) > 0 && v.Technique != "" {
		out = append(out, spanOf(v.WholeSpan(), v.Technique))
	}
	return out
}

func (v reading) span(e evidence) Span { return spanOf(v.Place(e.start, e.end), e.Technique) }

func spanOf(at view.Span, technique string) Span { return Span{at.Start, at.End, technique} }

// strongest drops evidence that overlaps stronger evidence of the same technique, so
// that words count only once. Matches are short, so it is enough to compare neighbours.
func strongest(found []evidence) []evidence {
	beats := func(o, e evidence) bool {
		return o.Technique == e.Technique && o.start < e.end && e.start < o.end &&
			(o.Weight > e.Weight || o.Weight == e.Weight && o.id < e.id)
	}
	var out []evidence
	for i, e := range found {
		first, last := i, i
		for first > 0 && found[first-1].start > e.start-around-behind {
			first--
		}
		for last < len(found) && found[last].start < e.end {
			last++
		}
		if !slices.ContainsFunc(found[first:last], func(o evidence) bool { return beats(o, e) }) {
			out = append(out, e)
		}
	}
	return out
}

// hasSupport reports whether the passage that begins with found[0] has the other
// evidence that the rule of e needs, in other words than its own.
func hasSupport(found []evidence, e evidence) bool {
	if e.With == nil {
		return true
	}
	for _, o := range found {
		if o.start-found[0].start > passage {
			break
		}
		if o.isNeededBy(e.rule) && (o.end <= e.start || o.start >= e.end) {
			return true
		}
	}
	return false
}

// isNeededBy reports whether e is evidence that rule r needs.
func (e evidence) isNeededBy(r *rule) bool {
	return e.Weight >= strong && slices.Contains(r.With, e.Technique) && (r.lang == "" || r.lang == e.lang)
}
