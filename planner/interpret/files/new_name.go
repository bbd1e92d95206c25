package files

import (
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// actWithName reads "X to Y as NAME": a file or folder that gets a new name where it goes.
func (p *Reader) actWithName(c *parse.Clause, action string, lo, hi int) bool {
	for i := lo + 1; i < hi-1; i++ {
		m, ok := p.Longest(i, hi, lexicon.AsName, lexicon.NameMarker)
		name := parse.Span{Lo: i + m.Len, Hi: hi}
		if !ok || name.Lo >= hi {
			continue
		}
		act := &actReader{p}
		if _, more := act.Longest(name.Lo, hi, lexicon.NameMarker); more || !act.isNewName(name) || p.Tokens[name.Lo].Shape == lexicon.PathShape {
			return false
		}
		for j := lo + 1; j < i; j++ {
			to, ok := act.destination(j, i)
			things := act.operands(lo, j, parse.Location{})
			if !ok || len(things) != 1 || !strings.HasSuffix(to.path, "/") {
				continue
			}
			to.path += act.newName(things[0], name)
			to.span.Hi = hi
			act.actOn(c, action, things, to)
			return true
		}
		return false
	}
	return false
}

// placeBeside is a new name alone as a place in the folder of the operand: "copy a.txt in
// documents to b.txt".
func placeBeside(operands []operand, to place) place {
	if len(operands) == 1 && operands[0].located && to.path != "" && !strings.ContainsAny(to.path, `/\`) {
		to.path = operands[0].path[:strings.LastIndexByte(operands[0].path, '/')+1] + to.path
	}
	return to
}
