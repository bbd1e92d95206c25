package realpath

import (
	"path/filepath"

	"errand/host/tool"
)

// Locate returns where a path leads now.
func Locate(path string) tool.Place {
	p := tool.Place{Path: filepath.Clean(path)}
	if real, ok := Resolve(p.Path); ok {
		p.Real = real
	}
	if entry, ok := Entry(p.Path); ok {
		p.Entry = entry
	}
	return p
}

// EntryIn returns the [tool.Place.Entry] of a path that a call names, or of a file in a
// folder that it names: as policy decided about the call, or now if nothing decided about
// it. It returns false if links lead in a circle.
func EntryIn(call tool.Call, path string) (string, bool) {
	path = filepath.Clean(path)
	if p, ok := call.Place(path); ok {
		return p.Entry, p.Entry != ""
	}
	if folder, ok := call.Place(filepath.Dir(path)); ok {
		return filepath.Join(folder.Real, filepath.Base(path)), folder.Real != ""
	}
	return Entry(path)
}

// RealIn is [EntryIn] for the [tool.Place.Real] of a path.
func RealIn(call tool.Call, path string) (string, bool) {
	path = filepath.Clean(path)
	if p, ok := call.Place(path); ok {
		return p.Real, p.Real != ""
	}
	for _, p := range call.Places { // the folder of a file that the call names
		if p.Entry != "" && filepath.Dir(p.Path) == path {
			return filepath.Dir(p.Entry), true
		}
	}
	return Resolve(path)
}
