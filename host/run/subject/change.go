package subject

import (
	"maps"
	"path/filepath"
	"slices"

	"errand/host/realpath"
	"errand/host/tool"
)

// Change is how a subject changed while calls ran.
type Change struct {
	Old, Now Subject
	// Before and After are texts that identify the states of the entries in the folders of
	// Old and Now, by their paths. Nil means that they are not known. Before may be older
	// than Old, and After newer than Now.
	Before, After map[string]string
	// Declared are the absolute, clean paths that the calls declare to have changed.
	Declared []string
}

// IsExplained reports whether the change is the effect of the calls that declare the paths.
// The subject must not destroy more than before, except for the declared paths themselves,
// and nothing else in it may have changed.
func (c Change) IsExplained() bool {
	if c.Old.Site != c.Now.Site || len(c.Old.Files) != len(c.Now.Files) || c.Old.GoesTo != "" && c.Old.GoesTo != c.Now.GoesTo {
		return false
	}
	for i, was := range c.Old.Files {
		if is := c.Now.Files[i]; is != was && !c.explainsFile(was, is) {
			return false
		}
	}
	if c.Old.Identity == c.Now.Identity {
		return true
	}
	if !slices.ContainsFunc(c.Old.Files, c.isNear) {
		return false
	}
	return (c.Now.Count <= len(c.Now.Destroys) || len(c.Now.Destroys) == 0) && // else the others are not known
		!slices.ContainsFunc(c.Now.Destroys, func(p string) bool {
			return !slices.Contains(c.Declared, p) && (!slices.Contains(c.Old.Destroys, p) || c.isRewritten(p, p))
		})
}

// explainsFile reports whether a file is in a declared path, or is a folder that contains one
// and in which nothing else has changed.
func (c Change) explainsFile(was, is tool.FileState) bool {
	within := func(p string) bool {
		return slices.ContainsFunc(c.Declared, func(d string) bool { return realpath.Contains(d, p) })
	}
	if was.Path == is.Path && (within(was.Path) || within(is.Real)) {
		return true
	}
	if was.Kind != tool.FileFolder || is.Kind != tool.FileFolder || was.Real != is.Real {
		return false
	}
	if !was.IsDeep() && len(c.Old.Destroys) == 0 {
		return false // it is another folder
	}
	var below []string // by the real path, each once
	for _, d := range c.Declared {
		for _, folder := range []string{is.Path, is.Real} {
			if rel, err := filepath.Rel(folder, d); err == nil && filepath.IsLocal(rel) && !slices.Contains(below, rel) {
				below = append(below, rel)
			}
		}
	}
	if len(below) == 0 || is.Size > was.Size+int64(len(below)) {
		return false
	}
	for _, entries := range []map[string]string{c.Before, c.After} {
		for p := range maps.Keys(entries) {
			if rel, err := filepath.Rel(is.Path, p); err == nil && filepath.IsLocal(rel) && c.isRewritten(p, filepath.Join(is.Real, rel)) {
				return false
			}
		}
	}
	return true
}

// isRewritten reports whether an entry has changed, and is neither in a declared path nor a
// folder that contains one. real is its path without links.
func (c Change) isRewritten(p, real string) bool {
	return c.Before[p] != c.After[p] && !c.isNear(tool.FileState{Path: p, Real: real})
}

// isNear reports whether a declared path is in a file's path or contains it.
func (c Change) isNear(f tool.FileState) bool {
	return slices.ContainsFunc(c.Declared, func(d string) bool {
		near := func(p string) bool { return realpath.Contains(d, p) || realpath.Contains(p, d) }
		return near(f.Path) || f.Real != "" && near(f.Real)
	})
}
