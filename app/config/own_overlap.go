package config

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"errand/host/mount"
	"errand/host/realpath"
)

// overlaps compares folders with the places of Errand. It remembers the files and mounts that
// it saw, so it serves one check of several folders. It is not safe for concurrent use.
type overlaps struct {
	places    []ownPlace
	locations []mount.Location // of the places; the zero location is nowhere
	known     identities
	mounted   mount.Table
}

func newOverlaps(places []ownPlace) *overlaps {
	o := &overlaps{slices.Compact(places), nil, identities{}, mount.Read()}
	for _, own := range o.places {
		at, _ := o.mounted.Locate(own.path)
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
	at := o.mounted.Reachable(real)
	for i, own := range o.places {
		if realpath.Contains(real, own.path) || realpath.Contains(own.path, real) ||
			o.known.contains(real, own.path) || o.known.contains(own.path, real) || o.locations[i].Overlaps(at) {
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
