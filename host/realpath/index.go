package realpath

import (
	"path/filepath"
	"slices"
)

// Index finds the numbers of paths that are equal to a path, in it or around it. Paths are
// absolute; they are cleaned. The zero Index is empty. It is not safe for concurrent use.
type Index struct {
	at, below map[string][]int // by path: the numbers of it, and of it and everything in it
}

// Add adds a path with a number. Two paths may have the same number.
func (x *Index) Add(path string, n int) {
	if x.at == nil {
		x.at, x.below = map[string][]int{}, map[string][]int{}
	}
	path = filepath.Clean(path)
	x.at[path] = append(x.at[path], n)
	for dir := range ancestors(path) {
		x.below[dir] = append(x.below[dir], n)
	}
}

// Related returns the numbers of the paths that contain one of these paths or lie in one, in
// order, each once.
func (x *Index) Related(paths ...string) []int {
	var out []int
	for _, p := range paths {
		p = filepath.Clean(p)
		out = append(out, x.below[p]...)
		for dir := range ancestors(p) {
			out = append(out, x.at[dir]...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// ancestors yields a clean path and the folders that contain it.
func ancestors(path string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for yield(path) {
			dir := filepath.Dir(path)
			if dir == path {
				return
			}
			path = dir
		}
	}
}
