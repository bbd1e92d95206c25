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
			if !seen[found[j].id] && supported(found, i, j) {
				seen[found[j].id] = true
				score += found[j].rule.Weight
			}
		}
		if score < threshold {
			continue
		}
		for k := i; k < j; k++ {
			if supported(found, i, k) {
				out = append(out, v.span(found[k]))
			}
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
	if !e.rule.Raw || v.offsets != nil {
		start, end = v.place(e.start, e.end)
	}
	return Span{start, end, e.rule.Technique}
}

// evidence lists what the rules find in a view, by place.
func (v view) evidence() []evidence {
	var out []evidence
	b := theBook()
	tries := newTries(b)
	defer tries.release()
	b.needs.each(v.text, func(id, pos int) {
		t := tries.of(id)
		t.needs = append(t.needs, int32(pos))
	})
	b.begun(v.text, func(id, pos int) {
		r, t := b.rules[id], tries.of(id)
		if t.tried > pos || r.Concealed && v.technique == "" {
			return
		}
		t.tried = pos + 1
		if m := t.match(r, v.text, pos); m != nil {
			out = v.keep(out, r, id, v.text, m, pos)
		}
	})
	for _, id := range b.loose {
		r := b.rules[id]
		text := v.text
		if r.Raw {
			text = v.raw
		}
		if text == "" || r.Concealed && v.technique == "" {
			continue
		}
		places := r.windows(text)
		if len(r.With) > 0 {
			places = r.beside(text, out)
		}
		for _, w := range places {
			for _, m := range r.pattern.Get().FindAllStringSubmatchIndex(text[w[0]:w[1]], 20) {
				out = v.keep(out, r, id, text, m, w[0])
			}
		}
	}
	slices.SortStableFunc(out, func(a, b evidence) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return a.id - b.id
	})
	return strongest(out)
}

func containsAny(s string, literals []string) bool {
	for _, l := range literals {
		if strings.Contains(s, l) {
			return true
		}
	}
	return false
}

// keep adds a match of r, whose places m count from base, unless it is no
// order, only mentioned, or closes what was opened.
func (v view) keep(out []evidence, r *rule, id int, text string, m []int, base int) []evidence {
	if len(m) > 2 && m[2] >= 0 {
		m = m[2:4] // the order itself, without what stands before it
	}
	start, end := m[0]+base, m[1]+base
	quotes := context().Quotes
	if r.Raw {
		quotes = context().CodeQuotes
	}
	// "Ignore" is a word of other languages as well, and what is told of
	// somebody in English is no order by their rules.
	if r.lang != "" && strings.HasPrefix(text[start:], "ignore ") && !ordered(text, start) {
		return out
	}
	if (r.Technique == "agent_directed" || r.Technique == "role_play") && v.technique == "" && told(text, start, end) {
		return out
	}
	if r.Unopened && v.opened(text, start) || r.Order && !ordered(text, start) || r.Verb && !verbal(text[start:end]) || mentioned(text, start, end, quotes) {
		return out
	}
	return append(out, evidence{r, id, start, end})
}

// strongest drops evidence of a technique that overlaps stronger evidence of
// the same technique: the same words are not counted twice. A match is
// shorter than the longest stretch that rules see, so only neighbours are
// compared.
func strongest(found []evidence) []evidence {
	beats := func(o, e evidence) bool {
		return o.rule.Technique == e.rule.Technique && o.start < e.end && e.start < o.end &&
			(o.rule.Weight > e.rule.Weight || o.rule.Weight == e.rule.Weight && o.id < e.id)
	}
	out := make([]evidence, 0, len(found))
	for i, e := range found {
		beaten := false
		for j := i - 1; j >= 0 && !beaten && found[j].start > e.start-around-behind; j-- {
			beaten = beats(found[j], e)
		}
		for j := i + 1; j < len(found) && !beaten && found[j].start < e.end; j++ {
			beaten = beats(found[j], e)
		}
		if !beaten {
			out = append(out, e)
		}
	}
	return out
}

// supported reports whether the passage that begins with found[from] has what
// the rule of found[at] needs beside it, in other words than its own.
func supported(found []evidence, from, at int) bool {
	own := found[at]
	if len(own.rule.With) == 0 {
		return true
	}
	for _, e := range found[from:] {
		if e.start-found[from].start > reach {
			break
		}
		if e.rule.Weight >= 2 && slices.Contains(own.rule.With, e.rule.Technique) && (own.rule.lang == "" || own.rule.lang == e.rule.lang) && (e.end <= own.start || e.start >= own.end) {
			return true
		}
	}
	return false
}

// beside lists the stretches around the evidence that a rule needs.
func (r *rule) beside(text string, found []evidence) [][2]int {
	var at []int
	for _, e := range found {
		if e.rule.Weight >= 2 && slices.Contains(r.With, e.rule.Technique) && (r.lang == "" || r.lang == e.rule.lang) {
			at = append(at, min(e.start, len(text))) // of the raw text: near enough
		}
	}
	return merged(text, at)
}

// opened reports whether the closing tag at text[start] closes something.
func (v view) opened(text string, start int) bool {
	name, _, _ := strings.Cut(text[start+len("</"):], ">")
	name = strings.ToLower(name)
	if at, ok := v.tags[name]; ok && at < v.base+start {
		return true
	}
	return strings.Contains(strings.ToLower(text[:start]), "<"+name)
}
