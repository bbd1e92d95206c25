package realpath

import (
	"path/filepath"
	"slices"
)

// Mounts are the mounted file systems, in the order in which they were mounted.
type Mounts []mount

// mount is a folder or file of a file system that is seen at a path.
type mount struct {
	point  string
	system string // identifies the file system
	folder string // in the file system
}

// Location is a folder or file of a file system. A path leads to one location, and several
// paths may lead to the same. The zero location is nowhere.
type Location struct{ system, path string }

// Locate returns where a physical path leads.
func (m Mounts) Locate(path string) (at Location, ok bool) {
	point := ""
	for _, one := range m {
		if len(one.point) >= len(point) && Contains(one.point, path) { // a later mount covers an earlier one
			rel, _ := filepath.Rel(one.point, path)
			point, at, ok = one.point, Location{one.system, filepath.Join(one.folder, rel)}, true
		}
	}
	return at, ok
}

// Reachable returns the locations that a physical path leads to: its own, and those that
// are mounted below it.
func (m Mounts) Reachable(dir string) (at []Location) {
	if own, ok := m.Locate(dir); ok {
		at = append(at, own)
	}
	for _, one := range m {
		if one.point != dir && Contains(dir, one.point) {
			at = append(at, Location{one.system, one.folder})
		}
	}
	return at
}

// Below returns the paths at which something is mounted below a physical path, sorted.
func (m Mounts) Below(dir string) (points []string) {
	for _, one := range m {
		if one.point != dir && Contains(dir, one.point) {
			points = append(points, one.point)
		}
	}
	slices.Sort(points)
	return slices.Compact(points)
}

// Overlaps reports whether a location is in one of others or contains it.
func (l Location) Overlaps(others []Location) bool {
	return l != Location{} && slices.ContainsFunc(others, func(other Location) bool {
		return l.system == other.system && (Contains(other.path, l.path) || Contains(l.path, other.path))
	})
}
