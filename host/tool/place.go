package tool

import "slices"

// Place is where a path in the arguments of a call leads.
type Place struct {
	Path  string // as the argument has it, absolute and clean
	Real  string // the same place without links; empty if links lead in a circle
	Entry string // the same without links, but for its last part, which may be a link
}

// Place returns the place of a clean path in [Call.Places].
func (c Call) Place(path string) (Place, bool) {
	i := slices.IndexFunc(c.Places, func(p Place) bool { return p.Path == path })
	if i < 0 {
		return Place{}, false
	}
	return c.Places[i], true
}
