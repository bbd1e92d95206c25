package quarantine

import (
	"slices"
	"strings"

	"errand/policy/quarantine/view"
)

// reading is a view of a text, with its place in the text.
type reading struct {
	view.View
	base int            // where the window begins
	tags map[string]int // where each element is first opened, in the whole text
}

// evidence is a match of a rule.
type evidence struct {
	*rule
	id         int
	start, end int
}

// around and behind are the bytes that a loose rule sees before and after a literal
// that it needs; ahead is the bytes that an indexed rule sees.
const (
	around = 250
	behind = 500
	ahead  = 500
)

// evidence returns the matches of all rules in a view, by place.
func (v reading) evidence() []evidence {
	set := allRules()
	found := v.looseMatches(set, v.indexedMatches(set))
	slices.SortStableFunc(found, func(a, b evidence) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return a.id - b.id
	})
	return strongest(found)
}

// indexedMatches tries the indexed rules at the beginnings of words.
func (v reading) indexedMatches(set *ruleSet) []evidence {
	var out []evidence
	next := map[int]int{} // the first place not tried yet, by rule
	set.eachStart(v.Text, func(id, pos int) {
		r := &set.rules[id]
		if next[id] > pos || r.Concealed && v.Technique == "" {
			return
		}
		next[id] = pos + 1
		text := v.Text[pos:min(len(v.Text), pos+ahead)]
		if r.contents != nil && !slices.ContainsFunc(r.contents, func(l string) bool { return strings.Contains(text, l) }) {
			return
		}
		if m := set.patterns[id].Get().FindStringSubmatchIndex(text); m != nil {
			out = v.keep(out, evidence{r, id, pos, pos}, v.Text, m)
		}
	})
	return out
}

// looseMatches tries the other rules around the literals that they need.
func (v reading) looseMatches(set *ruleSet, out []evidence) []evidence {
	for _, id := range set.unanchored {
		r, text := &set.rules[id], v.Text
		if r.Raw {
			text = v.Raw
		}
		if text == "" || r.Concealed && v.Technique == "" {
			continue
		}
		for _, p := range r.excerpts(text, out) {
			for _, m := range set.patterns[id].Get().FindAllStringSubmatchIndex(text[p[0]:p[1]], 20) {
				out = v.keep(out, evidence{r, id, p[0], p[0]}, text, m)
			}
		}
	}
	return out
}

// keep adds a match of e's rule if its context allows it. The places in m are relative
// to e.start. A group in the pattern is the order without the text before it.
func (v reading) keep(out []evidence, e evidence, text string, m []int) []evidence {
	if len(m) > 2 && m[2] >= 0 {
		m = m[2:4]
	}
	e.start, e.end = e.start+m[0], e.end+m[1]
	if !v.counts(text, e) {
		return out
	}
	return append(out, e)
}

// excerpts returns the parts of a text around the evidence or the literals that a rule
// needs.
func (r *rule) excerpts(text string, found []evidence) [][2]int {
	if r.With == nil && r.Need == nil {
		return [][2]int{{0, len(text)}}
	}
	var at []int
	for _, e := range found {
		if e.isNeededBy(r) {
			at = append(at, min(e.start, len(text))) // in raw text this is approximate
		}
	}
	for _, n := range r.Need {
		for from := 0; ; from += len(n) {
			i := strings.Index(text[from:], n)
			if i < 0 {
				break
			}
			from += i
			if to := from + len(n); len(n) > 2 || !view.IsLetter(n[0]) ||
				(from == 0 || !view.IsLetter(text[from-1])) && (to == len(text) || !view.IsLetter(text[to])) { // a short literal must be a whole word
				at = append(at, from)
			}
		}
	}
	return merge(text, at)
}

// merge joins the excerpts around places. An excerpt begins inside a word, so that
// patterns don't take its beginning for the beginning of the text.
func merge(text string, at []int) [][2]int {
	slices.Sort(at)
	var out [][2]int
	for _, pos := range at {
		from, to := pos-around, min(len(text), pos+behind)
		if n := len(out); n > 0 && from <= out[n-1][1] {
			out[n-1][1] = to
			continue
		}
		for from > 0 && from < pos && !(view.IsLetter(text[from-1]) && view.IsLetter(text[from])) {
			from++
		}
		out = append(out, [2]int{max(0, from), to})
	}
	return out
}
