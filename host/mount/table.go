package mount

import (
	"path/filepath"
	"slices"

	"errand/host/realpath"
)

// Table lists what is mounted where. It is a snapshot. Paths that it takes are absolute and
// clean, and have no links. It is safe for concurrent use. The zero Table knows no mounts.
type Table struct {
	mounts []entry
	on     map[string][]*entry // by the id of the mount that they are on; "" for none of the table
	shared map[string]bool     // the file systems that are mounted more than once
}

// entry is a folder or file of a file system that is mounted at a path.
type entry struct {
	id, parent string
	point      string
	system     string // identifies the file system
	folder     string // in the file system
}

// Location is a folder or file of a file system. A path leads to one location, and several
// paths may lead to the same.
type Location struct{ system, path string }

func newTable(mounts []entry) Table {
	t := Table{mounts: mounts, on: map[string][]*entry{}, shared: map[string]bool{}}
	ids, systems := map[string]bool{}, map[string]bool{}
	for _, m := range mounts {
		ids[m.id] = true
		t.shared[m.system] = systems[m.system]
		systems[m.system] = true
	}
	for i := range mounts {
		m, parent := &mounts[i], ""
		if ids[m.parent] && m.parent != m.id {
			parent = m.parent
		}
		t.on[parent] = append(t.on[parent], m)
	}
	return t
}

// Locate returns where a path leads, false if that is unknown.
func (t Table) Locate(path string) (Location, bool) {
	m := t.find(path)
	if m == nil {
		return Location{}, false
	}
	return m.locate(path), true
}

func (m *entry) locate(path string) Location {
	rel, err := filepath.Rel(m.point, path)
	if err != nil {
		return Location{}
	}
	return Location{m.system, filepath.Join(m.folder, rel)}
}

// find returns the mount that a path is on, nil if it is unknown. A mount is on its parent,
// and is hidden by a later mount on the same parent or on a folder above it.
func (t Table) find(path string) (found *entry) {
	id := ""
	for range t.mounts { // each is passed at most once
		var next *entry
		for _, m := range t.on[id] {
			if (next == nil || len(m.point) <= len(next.point)) && realpath.Contains(m.point, path) {
				next = m
			}
		}
		if next == nil {
			break
		}
		found, id = next, next.id
	}
	return found
}

// IsSameMount reports whether two paths are on the same mount, as far as the table tells.
func (t Table) IsSameMount(a, b string) bool { return t.find(a) == t.find(b) }

// Below returns the paths at or below a path where something is mounted.
func (t Table) Below(path string) (points []string) {
	for i := range t.mounts {
		m := &t.mounts[i]
		if realpath.Contains(path, m.point) && t.find(m.point) == m {
			points = append(points, m.point)
		}
	}
	slices.Sort(points)
	return points
}

// Reachable returns the locations that a folder leads to: its own, and those that are
// mounted below it.
func (t Table) Reachable(dir string) (at []Location) {
	if own, ok := t.Locate(dir); ok {
		at = append(at, own)
	}
	for _, point := range t.Below(dir) {
		if found, ok := t.Locate(point); ok && point != dir {
			at = append(at, found)
		}
	}
	return at
}

// Others returns the other paths that lead to the same file or folder.
func (t Table) Others(path string) (others []string) {
	own := t.find(path)
	if own == nil || !t.shared[own.system] {
		return nil
	}
	at := own.locate(path)
	for i := range t.mounts {
		m := &t.mounts[i]
		if m == own || m.system != at.system || !realpath.Contains(m.folder, at.path) {
			continue
		}
		rel, err := filepath.Rel(m.folder, at.path)
		if err != nil {
			continue
		}
		if other := filepath.Join(m.point, rel); t.find(other) == m && other != path {
			others = append(others, other)
		}
	}
	return others
}

// Overlaps reports whether a location is in one of others or contains it.
func (l Location) Overlaps(others []Location) bool {
	return l != Location{} && slices.ContainsFunc(others, func(other Location) bool {
		return l.system == other.system && (realpath.Contains(other.path, l.path) || realpath.Contains(l.path, other.path))
	})
}
