package folder

import "path/filepath"

// Mounts tells which paths lead to the same file or folder because a folder is mounted at
// several paths. Paths are absolute and clean, and have no links. It is safe for concurrent
// use.
type Mounts interface {
	Others(path string) []string // the other paths of the same file or folder
	Below(path string) []string  // where something is mounted, at or below a path
}

// ReadMounts returns read(), from the cache if it was read before. A nil Memory caches
// nothing. It returns nil if read is nil.
func (m *Memory) ReadMounts(read func() Mounts) Mounts {
	switch {
	case read == nil:
		return nil
	case m == nil:
		return read()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.mounts == nil {
		m.mounts = read()
	}
	return m.mounts
}

// AddOthers adds the other paths of readings, see [Readings].
func AddOthers(readings []string, mounts Mounts) []string {
	if mounts == nil {
		return readings
	}
	all := readings
	for _, r := range readings {
		if filepath.IsAbs(r) && filepath.Clean(r) == r {
			all = append(all, mounts.Others(r)...)
		}
	}
	return all
}

// ListOthers returns the other paths by which a call uses a folder: those of the folder and,
// if the call uses everything in it, those of what is mounted below it.
func ListOthers(folder string, everything bool, mounts Mounts) []string {
	if mounts == nil {
		return nil
	}
	all := mounts.Others(folder)
	if !everything {
		return all
	}
	for _, point := range mounts.Below(folder) {
		all = append(all, mounts.Others(point)...)
	}
	return all
}
