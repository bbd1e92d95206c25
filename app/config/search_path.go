package config

import (
	"path/filepath"
	"slices"

	"errand/host/realpath"
	"errand/planner/message"
)

// SearchPath splits a PATH into the folders in which Errand and the programs that it starts look
// for others, and those that tools may change: a program that a tool saves there would run
// later. A relative folder is in the working directory.
func (l *Loaded) SearchPath(path string) (safe, changeable []string) {
	var places []ownPlace
	var unsafe []string
	dirs := filepath.SplitList(path)
	for _, dir := range dirs {
		full, err := filepath.Abs(dir)
		if err != nil { // the working directory is gone
			unsafe = append(unsafe, dir)
			continue
		}
		places = append(places, linkPlaces(full, dir)...)
	}
	search := newOverlaps(places)
	for _, root := range l.Roots() {
		real, _ := realpath.Resolve(root)
		for _, found := range search.all(root) {
			if found.path == real || !realpath.Contains(found.path, real) { // else the root is a folder in it
				unsafe = append(unsafe, found.kind)
			}
		}
	}
	for _, dir := range dirs {
		switch {
		case !slices.Contains(unsafe, dir):
			safe = append(safe, dir)
		case !slices.Contains(changeable, dir):
			changeable = append(changeable, dir)
		}
	}
	return safe, changeable
}

// CheckProgram returns an error for a program, by its full path, that tools may change, or that a
// link in a folder of tools leads to.
func (l *Loaded) CheckProgram(path string) error {
	search := newOverlaps(linkPlaces(path, ""))
	roots := l.Roots()
	if l.Granted != nil {
		roots = append(roots, l.Granted()...)
	}
	for _, root := range roots {
		if _, found := search.find(root); found {
			return message.Error("config.changeable_program", "program", path, "folder", root)
		}
	}
	return nil
}
