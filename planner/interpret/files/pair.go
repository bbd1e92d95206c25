package files

import (
	"slices"
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// pairedActions are the actions that one verb may have for two things with two places.
var pairedActions = []string{plan.MoveAction, plan.CopyAction, plan.RenameAction, plan.AppendAction}

// maxPaired bounds the words of a command that is tried as two.
const maxPaired = 40

// actOnPair reads two objects that each have their place or name: "a.txt to documents and b.txt
// to the desktop". It reports whether both are understood alone.
func (p *actReader) actOnPair(c *parse.Clause, action string, lo, hi int) bool {
	if !slices.Contains(pairedActions, action) || hi-lo > maxPaired {
		return false
	}
	for i := lo + 2; i < hi-2; i++ {
		n := 0
		if m, ok := p.Longest(i, hi, lexicon.And, lexicon.But); ok {
			n = m.Len
		} else if p.Tokens[i].Shape == lexicon.MarkShape && p.Fold(i) == "," {
			n = 1
		}
		if n == 0 {
			continue
		}
		one, other := *c, *c
		if p.actOnOne(&one, action, lo, i); one.Outcome != parse.Understood {
			continue
		}
		from := p.Skip(i+n, hi, lexicon.And)
		if p.actOnOne(&other, action, from, hi); other.Outcome != parse.Understood {
			continue
		}
		c.Outcome, c.Drafts = parse.Understood, append(one.Drafts, other.Drafts...)
		if action == plan.RenameAction || action == plan.AppendAction {
			shareFolder(c.Drafts)
		}
		return true
	}
	return false
}

// actWithPlaces reads two places at token i: "in the folder a and in the folder b". A copy goes to
// both; for anything else it asks which.
func (p *actReader) actWithPlaces(c *parse.Clause, action string, lo, i, hi int) bool {
	if hi-i > maxPaired {
		return false
	}
	for k := i + 2; k < hi-1; k++ {
		and, ok := p.Longest(k, hi, lexicon.And)
		if !ok {
			continue
		}
		one, isPlace := p.destination(i, k)
		other, both := p.nextDestination(k+and.Len, hi)
		operands := p.operands(lo, i, parse.Location{})
		if !isPlace || !both || operands == nil {
			continue
		}
		if action != plan.CopyAction || one.unknown.Lo < one.unknown.Hi || other.unknown.Lo < other.unknown.Hi {
			c.Outcome, c.Ask = parse.Asks, p.AskChoice(parse.Span{Lo: i, Hi: k}, parse.Span{Lo: k + and.Len, Hi: hi})
			return true
		}
		if name := strings.TrimSuffix(other.path, "/"); !lexicon.IsPath(one.path) || !strings.Contains(strings.TrimSuffix(one.path, "/"), "/") && !strings.HasPrefix(one.path, "~") {
			one.path = name[:len(name)-len(lastName(name))] + one.path
		}
		p.actOn(c, action, operands, one)
		p.actOn(c, action, operands, other)
		return true
	}
	return false
}

// shareFolder gives names without a place the folder of the last draft: "rename a to b and c to
// d in downloads".
func shareFolder(drafts []parse.Draft) {
	last := drafts[len(drafts)-1].Goal.Target
	folder := last[:len(last)-len(lastName(last))]
	for i := range drafts {
		if g := &drafts[i].Goal; lastName(g.Target) == g.Target {
			g.Target = folder + g.Target
		}
	}
}

func lastName(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }

// actOnFolders reads several folders of the user: "downloads and the desktop".
func (p *actReader) actOnFolders(c *parse.Clause, action string, lo, hi int) bool {
	if action != plan.ListAction && action != plan.OpenAction && action != plan.MeasureAction {
		return false
	}
	names := p.SplitNames(parse.Span{Lo: lo, Hi: hi})
	if len(names) < 2 {
		return false
	}
	var found []operand
	for _, q := range names {
		at, ok := p.ownFolder(q.Lo, q.Hi)
		if !ok {
			return false
		}
		found = append(found, operand{object: parse.FolderType, path: at, span: q})
	}
	p.actOn(c, action, found, place{})
	return true
}
