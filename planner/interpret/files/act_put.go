package files

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// putAction is the action of verbs such as "put" and "drop". With a file or folder and a place it is
// a move.
const putAction = "put"

// putAway reads «убери X в документы» as a move: the verb deletes only where no place to go to
// follows.
func (p *Reader) putAway(c *parse.Clause, lo, hi int) bool {
	hi = p.trimTail(lo, hi)
	_, puts := p.Longest(c.Verb.Lo, c.Verb.Hi, lexicon.PutAway)
	to, ok := p.FindEnding(lo+1, hi, lexicon.ToPlace)
	m, known := p.Longest(hi-to.Len, hi, lexicon.Place)
	if !puts || !ok || !known || m.Len != to.Len {
		return false
	}
	move := parse.Clause{Frame: parse.ActFrame, Verb: c.Verb, VerbKind: lexicon.FileAction, Lang: c.Lang, Body: lo}
	act := &actReader{p}
	if act.actWithPlace(&move, plan.MoveAction, p.SkipFillers(lo, hi), hi); move.Outcome == parse.Unknown {
		move.Outcome, move.Ask = parse.Asks, p.AskUnclear(parse.Span{Lo: lo, Hi: hi})
	}
	*c = move
	return true
}

// actPut reads "X in Y" as a move. It is strict, because most things that are put somewhere are no
// files.
func (p *actReader) actPut(c *parse.Clause, lo, hi int) {
	if m, ok := p.Longest(lo, hi, lexicon.InIt); ok { // «положи туда a.txt»
		if things := p.operands(lo+m.Len, hi, parse.Location{}); things != nil {
			p.actOn(c, plan.MoveAction, things, place{span: parse.Span{Lo: lo, Hi: lo + m.Len}, isNew: true})
			return
		}
	}
	for i := lo + 1; i < hi; i++ {
		to, ok := p.destination(i, hi)
		if _, from := p.Longest(i, hi, lexicon.Source); from {
			continue
		}
		at := parse.Span{Lo: i, Hi: hi}
		if path, is := p.folderAt(i, hi); !ok && is {
			to, ok = place{path: asFolder(path), span: at, isCertain: true}, true
		} else if m, is := p.Longest(i, hi, lexicon.Elsewhere); !ok && is && m.Len == hi-i && m.Len > 1 {
			to, ok = place{unknown: at, isElsewhere: true, span: at}, true
		}
		if !ok || !to.isCertain && !to.isElsewhere {
			continue
		}
		things := p.operands(lo, i, parse.Location{})
		if files, ok := p.several(lo, i, true); ok && !files.located {
			p.askFolder(c, files)
			return
		} else if ok {
			things = []operand{files}
		}
		if things != nil {
			p.actOn(c, plan.MoveAction, things, to)
			return
		}
	}
}
