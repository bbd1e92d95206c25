package files

import (
	"path/filepath"
	"time"

	"errand/host/files/inode"
	"errand/host/realpath"
)

// clockStep is how late the times of files may be.
const clockStep = 10 * time.Millisecond

// openFound opens the parent folder of what a call left that began at a time and whose end is
// unknown. It reports false if it can't, or if the time is unknown.
func (o Options) openFound(s *spot, began time.Time) bool {
	if began.IsZero() {
		return false
	}
	var err error
	s.parent, err = realpath.Open(o.Roots(), filepath.Dir(s.real))
	return err == nil
}

// foldersSince returns the topmost folder above a spot that was created after a time, as were
// those between: a call that began then made them for its destination. It is "" if there is
// none.
func (o Options) foldersSince(s *spot, began time.Time) (top string) {
	root, _, _ := o.place(s.path)
	path, real := filepath.Dir(s.path), filepath.Dir(s.real)
	for ; realpath.Contains(root, path) && path != root; path, real = filepath.Dir(path), filepath.Dir(real) {
		if !o.isBornSince(real, began) {
			break
		}
		top = path
	}
	return top
}

// isBornSince reports whether the file at a path without links was created after a time.
func (o Options) isBornSince(real string, began time.Time) bool {
	parent, err := realpath.Open(o.Roots(), filepath.Dir(real))
	if err != nil {
		return false
	}
	defer parent.Close()
	info, err := parent.Lstat(filepath.Base(real))
	return err == nil && inode.IsBornSince(parent, filepath.Base(real), info, began)
}
