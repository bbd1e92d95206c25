package files

import (
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// Repair puts [lo,hi) in place of what the last words of a command about files said: "to the
// desktop" after "move a.txt to downloads, no wait,". It reports false if the words fit nothing.
func (p *Reader) Repair(c *parse.Clause, lo, hi int) bool {
	act := &actReader{p}
	last := len(c.Drafts) - 1
	goal := c.Drafts[last].Goal
	if goal.Destination == "" {
		next := parse.Clause{Frame: c.Frame, Verb: c.Verb, VerbKind: c.VerbKind, Lang: c.Lang, Body: c.Body}
		if act.actOnOne(&next, goal.Action, lo, hi); next.Outcome != parse.Understood {
			return false
		}
		c.Drafts = append(c.Drafts[:last], next.Drafts...)
		return true
	}
	to, ok := act.newDestination(goal, lo, hi)
	if !ok {
		return false
	}
	for i := range c.Drafts { // several things go to one place
		if d := &c.Drafts[i]; d.Goal.Destination == goal.Destination {
			d.Goal.Destination, d.Into = to.path, to.isNew
			d.Spans = append(d.Spans, parse.SlotSpan{Slot: "destination", Span: to.span})
		}
	}
	return true
}

// newDestination reads [lo,hi) as another destination of a goal: "to the desktop", "documents", and
// of a new name "to b.txt", "b.txt".
func (p *actReader) newDestination(goal plan.Goal, lo, hi int) (place, bool) {
	if goal.Action == plan.RenameAction {
		to, _ := p.Longest(lo, hi, lexicon.Destination, lexicon.AsName)
		name := parse.Span{Lo: lo + to.Len, Hi: hi}
		if name.Lo >= hi || !isNewName(p.Text, name) {
			return place{}, false
		}
		return place{path: newName(p.Text, operand{object: goal.ObjectType, path: goal.Target}, name), span: name}, true
	}
	to, ok := p.nextDestination(lo, hi)
	return to, ok && to.path != "" && strings.HasSuffix(to.path, "/") == strings.HasSuffix(goal.Destination, "/")
}

// nextDestination reads a destination after another: "to the desktop", "the desktop".
func (p *actReader) nextDestination(lo, hi int) (place, bool) {
	if to, ok := p.destination(lo, hi); ok {
		return to, true
	}
	m, ok := p.Longest(lo, hi, lexicon.OwnFolder, lexicon.Place)
	return place{path: m.Value, span: parse.Span{Lo: lo, Hi: hi}, isCertain: true}, ok && m.Len == hi-lo
}
