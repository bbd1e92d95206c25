package files

import (
	"errand/planner/interpret/files/item"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// putAction is the action of verbs such as "put" and "drop". With a file or folder and a place it is
// a move.
const putAction = "put"

// putAway reads «убери X в документы» as a move: the verb deletes only where the words name no place
// to go to. It asks if it can't read the move.
func (p *Reader) putAway(c *parse.Clause, lo, hi int) bool {
	to, ok := p.PutsAway(c.Verb, lo, hi)
	if !ok {
		return false
	}
	hi, _ = p.TrimAdverbs(lo, p.TrimEmoji(lo, p.TrimPoliteEnd(lo, hi)))
	hi = p.TrimCondition(lo, hi, lexicon.IfThere)
	move := parse.Clause{Frame: parse.ActFrame, Verb: c.Verb, VerbKind: lexicon.FileAction, Lang: c.Lang, Body: lo}
	act := &actReader{p}
	if to.Lo > lo {
		act.act(&move, plan.MoveAction, p.SkipFillers(lo, hi), hi)
	}
	if move.Outcome == parse.Unknown {
		move.Outcome, move.Ask = parse.Asks, p.AskUnclear(to)
	}
	*c = move
	return true
}

// PutsAway finds a place to go to in [lo,hi), if the verb may put things away.
func (p *Reader) PutsAway(verb parse.Span, lo, hi int) (to parse.Span, ok bool) {
	if _, puts := p.Longest(verb.Lo, verb.Hi, lexicon.PutAway); !puts {
		return parse.Span{}, false
	}
	for i := lo; i < hi; i++ {
		to, ok := p.Longest(i, hi, lexicon.ToPlace)
		if known, is := p.Longest(i, hi, lexicon.Place); ok && is && known.Len == to.Len {
			return parse.Span{Lo: i, Hi: i + to.Len}, true
		}
	}
	return parse.Span{}, false
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
			to, ok = place{path: item.AsFolder(path), span: at, isCertain: true}, true
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
