package filename

import (
	"slices"

	"errand/planner/interpret/parse"
)

// Name is a part of a text that is the name of a file or folder which is there.
type Name struct {
	Start  int    `json:"start"`
	End    int    `json:"end"` // bytes of the text, half open
	Path   string `json:"path"`
	Object string `json:"object"` // file or folder
}

// Put puts paths in place of the words that mean them. It ignores names that begin or end
// within a word.
func Put(p *parse.Text, names []Name) *parse.Text {
	for _, n := range slices.Backward(names) {
		lo, hi := -1, -1
		for i, t := range p.Tokens {
			if t.Start == n.Start {
				lo = i
			}
			if t.End == n.End {
				hi = i + 1
			}
		}
		if lo >= 0 && lo < hi {
			p = parse.PutPath(p, parse.Span{Lo: lo, Hi: hi}, n.Path, n.Object)
		}
	}
	return p
}
