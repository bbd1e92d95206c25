package config

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"errand/host/realpath"
)

// overlaps compares folders with the places of Errand. It remembers the files and mounts that
// it saw, so it serves one check of several folders. It is not safe for concurrent use.
type overlaps struct {
	places    []ownPlace
	locations []location // of the places; the zero location is nowhere
	known     identities
	mounted   mounts
}

func newOverlaps(places []ownPlace) *overlaps {
	o := &overlaps{slices.Compact(places), nil, identities{}, readMounts()}
	for _, own := range o.places {
		at, _ := o.mounted.locate(own.path)
		o.locations = append(o.locations, at)
	}
	return o
}

// find returns the place of Errand that a folder contains or lies in. It compares physical
// paths. It also compares the folders themselves, because a file system may ignore case, and
// a folder may be mounted at several paths.
func (o *overlaps) find(dir string) (own ownPlace, found bool) {
	if all := o.all(dir); len(all) > 0 {
		return all[0], true
	}
	return ownPlace{}, false
}

// all returns every place that a folder contains or lies in, as find does.
func (o *overlaps) all(dir string) (found []ownPlace) {
	real, _ := realpath.Resolve(filepath.Clean(dir))
	at := o.mounted.reachable(real)
	for i, own := range o.places {
		if realpath.Contains(real, own.path) || realpath.Contains(own.path, real) ||
			o.known.contains(real, own.path) || o.known.contains(own.path, real) || o.locations[i].overlaps(at) {
			found = append(found, own)
		}
	}
	return found
}

// identities are the infos of paths, nil for paths that do not exist.
type identities map[string]fs.FileInfo

func (known identities) of(path string) fs.FileInfo {
	info, ok := known[path]
	if !ok {
		info, _ = os.Stat(path)
		known[path] = info
	}
	return info
}

// contains reports whether a path or a folder above it is the same folder or file as dir.
func (known identities) contains(dir, path string) bool {
	want := known.of(dir)
	for want != nil {
		if info := known.of(path); info != nil && os.SameFile(info, want) {
			return true
		}
		above := filepath.Dir(path)
		if above == path {
			break
		}
		path = above
	}
	return false
}

// mounts are the mounted file systems, in the order in which they were mounted.
type mounts []mount

// mount is a folder of a file system that is seen at a path.
type mount struct {
	point  string
	system string // identifies the file system
	folder string // in the file system
}

// location is a folder or file of a file system. A path leads to one location, and several
// paths may lead to the same.
type location struct{ system, path string }

// locate returns where a physical path leads.
func (m mounts) locate(path string) (at location, ok bool) {
	point := ""
	for _, one := range m {
		if len(one.point) >= len(point) && realpath.Contains(one.point, path) { // a later mount covers an earlier one
			rel, _ := filepath.Rel(one.point, path)
			point, at, ok = one.point, location{one.system, filepath.Join(one.folder, rel)}, true
		}
	}
	return at, ok
}

// reachable returns the locations that a folder leads to: its own, and those that are
// mounted below it.
func (m mounts) reachable(dir string) (at []location) {
	if own, ok := m.locate(dir); ok {
		at = append(at, own)
	}
	for _, one := range m {
		if one.point != dir && realpath.Contains(dir, one.point) {
			at = append(at, location{one.system, one.folder})
		}
	}
	return at
}

// overlaps reports whether a location is in one of others or contains it.
func (l location) overlaps(others []location) bool {
	return l != location{} && slices.ContainsFunc(others, func(other location) bool {
		return l.system == other.system && (realpath.Contains(other.path, l.path) || realpath.Contains(l.path, other.path))
	})
}
