package tool

import "slices"

// Reach says how far a call goes below a path in its arguments.
type Reach string

// Reaches. The zero value means that a call may use everything below the path: read it, or
// change, create and delete it if the argument is one of Writes.
const (
	ReachItself   Reach = "itself"   // nothing below the path, such as the creation or the listing of a folder
	ReachContents Reach = "contents" // what is below the path already, such as a deletion
)

// Cover is a file or folder that a call uses with everything below it. The same type is part
// of a request to policy.
type Cover struct {
	Path string // absolute and clean
	// Unnamed reports that no argument names the path.
	Unnamed bool
	// Creates reports that the call may create anything below the path. Otherwise it uses
	// only what exists.
	Creates bool
	// Follows reports that the call also uses what links below the path lead to.
	Follows bool
}

// Covers returns what a call with these arguments uses as a whole: the paths in its arguments
// by [Spec.Reach], those in Writes also by [Spec.Recursive], and with [AnyPath] every writable
// folder.
func (s Spec) Covers(args map[string]any) (covers []Cover) {
	for _, folder := range s.Writable() {
		covers = append(covers, Cover{Path: folder, Unnamed: true, Creates: true})
	}
	for _, p := range s.PathArgs(args) {
		reach := s.Reach[p.Argument]
		if reach == ReachItself {
			continue
		}
		c := Cover{Path: p.Path, Follows: true}
		if s.SideEffectClass != Read && slices.Contains(s.Writes, p.Argument) {
			if s.Recursive != "" && args[s.Recursive] != true {
				continue
			}
			c.Creates, c.Follows = reach != ReachContents, false
		}
		if !slices.Contains(covers, c) {
			covers = append(covers, c)
		}
	}
	return covers
}
