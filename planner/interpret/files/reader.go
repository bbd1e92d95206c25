// Package files reads commands that create or delete files and folders.
package files

import (
	"errand/planner/interpret/files/item"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// Reader reads commands that create or delete files and folders.
type Reader struct{ *item.Reader }

// NewReader returns a reader of the commands in a text.
func NewReader(t *parse.Text) *Reader { return &Reader{&item.Reader{Text: t}} }

// Read reads the words after a verb of creating or deleting.
func (p *Reader) Read(verb lexicon.Match, at parse.Span, lo, hi int) parse.Clause {
	c := parse.Clause{Frame: parse.FileFrame, Verb: at, VerbKind: verb.Kind, Lang: verb.Lang, Body: lo}
	if _, known := p.Longest(lo, hi, lexicon.Definite); known && verb.Kind == lexicon.Touch {
		c.Reason = "reason.no_type" // "touch the screen"
		return c
	}
	if c.Action() != "delete" && p.readWithText(&c, lo, hi) {
		return c
	}
	if p.putAway(&c, lo, hi) {
		return c
	}
	if end := p.TrimPoliteEnd(lo, p.TrimEmoji(lo, p.TrimPoliteEnd(lo, hi))); c.Action() == "delete" && verb.Kind != lexicon.Rmdir {
		act := &actReader{p}
		if files, ok := act.several(p.SkipFillers(lo, end), end, false); ok && !files.located {
			act.askFolder(&c, files)
			return c
		} else if ok {
			act.addDraft(&c, "delete", files, place{})
			return c
		}
	}
	it := p.Item(&c, lo, hi)
	p.AddItem(&c, it)
	return c
}
