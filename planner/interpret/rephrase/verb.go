package rephrase

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// shareVerb repeats the first words of a command about the desktop before the next thing: "turn off the wifi and
// bluetooth" becomes "turn off the wifi and turn off bluetooth".
func shareVerb(t *parse.Text, all []start) (out []Wording) {
	if len(all) != 2 || all[1].Hi != len(t.Tokens) {
		return nil
	}
	first, next := all[0], all[1]
	if _, ok := t.Longest(first.Lo, first.Hi, lexicon.Control); !ok {
		return nil
	}
	for n := min(2, next.Lo-first.Lo-1); n > 0; n-- { // "turn off", «выключи»
		shared := parse.Repeat(t, parse.Span{Lo: next.Lo, Hi: next.Lo}, parse.Span{Lo: first.Lo, Hi: first.Lo + n})
		out = append(out, Wording{Text: shared, sharesVerb: true})
	}
	return out
}
