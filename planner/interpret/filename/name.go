package filename

import (
	"slices"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// Name is a part of a text that is the name of a file or folder which is there, or means a page or
// an app.
type Name struct {
	Start  int    `json:"start"`
	End    int    `json:"end"`    // bytes of the text, half open; equal to Start: it is put in after that word
	Path   string `json:"path"`   // of a page its URL, of an app its id
	Object string `json:"object"` // file, folder, page or app
}

// Objects of a [Name] that are not on disk.
const (
	PageObject = "page"
	AppObject  = "app"
)

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
		if n.Start == n.End {
			lo = hi
		}
		if lo < 0 || lo > hi || lo == hi && n.Start < n.End {
			continue
		}
		switch at := (parse.Span{Lo: lo, Hi: hi}); n.Object {
		case PageObject:
			p = parse.PutLink(p, at, n.Path)
		case AppObject:
			p = p.Put(at, n.Path, lexicon.Entry{Kind: lexicon.App, Lang: lexicon.AnyLang, Value: n.Path})
		default:
			p = parse.PutPath(p, at, n.Path, n.Object)
		}
	}
	return p
}
