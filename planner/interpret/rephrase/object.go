package rephrase

import (
	"slices"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// actOnFound puts what a command looks for in place of the "it" of the next one: "find the biggest file in
// downloads and delete it" becomes "delete the biggest file in downloads". It is false for other texts.
func actOnFound(t *parse.Text, all []start) (w Wording, ok bool) {
	if len(all) != 2 || all[1].Hi != len(t.Tokens) {
		return w, false
	}
	find, act := all[0], all[1]
	m, ok := t.Longest(find.Lo, find.Hi, lexicon.FileAction)
	if !ok || m.Value != plan.FindAction && m.Value != plan.ListAction {
		if m, ok = t.Longest(find.Lo, find.Hi, lexicon.Search); !ok {
			return w, false
		}
	}
	found := parse.Span{Lo: t.SkipFillers(find.Lo+m.Len, find.Hi), Hi: t.TrimTail(find.Lo+m.Len, find.Hi, false)}
	verb, ok := t.Longest(act.Lo, act.Hi, append([]lexicon.Kind{lexicon.FileAction, lexicon.Put}, slices.Concat(lexicon.DeleteVerbs, lexicon.OpenVerbs)...)...)
	if !ok || found.Lo >= found.Hi || !chooses(t, found) {
		return w, false
	}
	it, ok := t.Longest(act.Lo+verb.Len, act.Hi, lexicon.Pronoun)
	if _, folder := t.Longest(act.Lo+verb.Len+it.Len, act.Hi, lexicon.Folder); !ok || folder { // "delete that folder"
		return w, false
	}
	at := act.Lo + verb.Len
	many, _ := t.Longest(at, act.Hi, lexicon.FollowUp)
	next := parse.Repeat(t, parse.Span{Lo: at, Hi: at + it.Len}, found)
	return Wording{Text: next.Splice(parse.Span{Lo: find.Lo, Hi: act.Lo}, "", false), ActsOnFound: true, isOne: many.Value != "them"}, true
}

// chooses reports whether words choose files by their kind, order or age: "the biggest file in downloads".
func chooses(t *parse.Text, at parse.Span) bool {
	for i := at.Lo; i < at.Hi; i++ {
		if _, ok := t.Longest(i, at.Hi, lexicon.FileFilter, lexicon.FileKind, lexicon.OneFileKind); ok {
			return true
		}
	}
	return false
}
