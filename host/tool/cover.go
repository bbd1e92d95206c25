package tool

import (
	"path/filepath"
	"slices"
)

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
	// Copies is the file or folder that the call copies or moves to Path, if known. Then the
	// call creates below Path only what is below Copies now.
	Copies string
	// Entry reports that the call creates only one file directly in Path, under a name that
	// isn't known yet.
	Entry bool
	// Pointer is the JSON pointer of the argument that Path belongs to, if its value isn't
	// Path itself.
	Pointer string
}

// Covers returns what a call with these arguments uses as a whole: the paths in its arguments
// by [Spec.Reach], those in Writes also by [Spec.Recursive] and [Spec.Copies], what [Spec.Saves]
// describes, and with [AnyPath] every writable folder.
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
			if from, _ := args[s.Copies[p.Argument]].(string); from != "" {
				c.Copies = filepath.Clean(from)
			}
		}
		if !slices.Contains(covers, c) {
			covers = append(covers, c)
		}
	}
	if s.Saves != nil {
		covers = append(covers, s.Saves.covers(args)...)
	}
	return covers
}

// Saved says where a call saves a new file if no argument is the whole path of the file.
type Saved struct {
	Path   string `json:"path"`             // the argument with the path of the file or of its folder
	Name   string `json:"name,omitempty"`   // the argument with the name of the file in that folder
	Folder string `json:"folder,omitempty"` // the folder without Path, absolute; "": none
	// IsFolder reports whether a path that doesn't end in a separator is a folder; nil: none is.
	IsFolder func(path string) bool `json:"-"`
}

// covers returns the file, or the folder if the name isn't known.
func (s Saved) covers(args map[string]any) []Cover {
	path, _ := args[s.Path].(string)
	name, _ := args[s.Name].(string)
	isFolder := path == "" || path[len(path)-1] == '/' || path[len(path)-1] == filepath.Separator
	if path == "" {
		path = s.Folder
	}
	c := Cover{Path: filepath.Clean(path), Pointer: "/" + s.Path}
	switch {
	case path == "":
		return nil
	case name != "":
		c.Path = filepath.Join(path, name)
	case isFolder || s.IsFolder != nil && s.IsFolder(path):
		c.Entry = true
	default:
		return nil // path is the file
	}
	return []Cover{c}
}
