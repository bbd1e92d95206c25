// Package realpath resolves the symbolic links in a path, and opens files at a path that
// contains none.
//
// A path is resolved once, policy decides about the result, and [OpenFolder] opens exactly
// that. A link that appears in between is an error, so the file that is used is the one that
// policy decided about.
package realpath

import (
	"os"
	"path/filepath"
	"strings"
)

// maxLinks limits how many links that lead nowhere are followed, one after another.
const maxLinks = 40

// Resolve returns a path without symbolic links. The part that doesn't exist stays as it is.
// A link that leads nowhere is followed too, because a tool could create its target. It
// returns false and the cleaned path if the links never end. It is safe for concurrent use.
func Resolve(path string) (string, bool) {
	at := path
	for range maxLinks {
		found, rest := splitExisting(at)
		next, after, _ := strings.Cut(rest, string(filepath.Separator))
		target, err := os.Readlink(filepath.Join(found, next))
		if rest == "" || err != nil {
			return filepath.Join(found, rest), true
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(found, target)
		}
		at = filepath.Join(target, after)
	}
	return filepath.Clean(path), false
}

// Links returns the symbolic links that lead to an absolute path, each without links on the
// way to it. It stops after 40.
func Links(path string) []string {
	var links []string
	separator := string(filepath.Separator)
	at := filepath.VolumeName(path) + separator
	rest := strings.Split(filepath.Clean(path)[len(at):], separator)
	for len(rest) > 0 && len(links) < maxLinks {
		next := filepath.Join(at, rest[0])
		rest = rest[1:]
		target, err := os.Readlink(next)
		if err != nil {
			at = next
			continue
		}
		links = append(links, next)
		if !filepath.IsAbs(target) {
			target = filepath.Join(at, target)
		}
		at = filepath.VolumeName(target) + separator
		rest = append(strings.Split(filepath.Clean(target)[len(at):], separator), rest...)
	}
	return links
}

// Entry is [Resolve] for the folder of a clean path: its last part stays, even if it is a
// link.
func Entry(path string) (string, bool) {
	folder, ok := Resolve(filepath.Dir(path))
	return filepath.Join(folder, filepath.Base(path)), ok
}

// FindRoot returns the innermost folder of roots that contains a path without links, and the
// path in it. The folder is returned without links.
func FindRoot(roots []string, path string) (root, rel string, ok bool) {
	return find(roots, path, func(a, b string) bool { return len(a) > len(b) })
}

// Outermost is [FindRoot] for the outermost folder. A tool that may write to one of roots can
// replace folders below it by links, and so can't replace this one.
func Outermost(roots []string, path string) (root, rel string, ok bool) {
	return find(roots, path, func(a, b string) bool { return len(a) < len(b) })
}

func find(roots []string, path string, better func(a, b string) bool) (root, rel string, ok bool) {
	for _, r := range roots {
		real, err := filepath.EvalSymlinks(r)
		if err != nil {
			continue
		}
		if Contains(real, path) && (!ok || better(real, root)) {
			rel, _ = filepath.Rel(real, path)
			root, ok = real, true
		}
	}
	return root, rel, ok
}

// splitExisting splits a path into the real path of its part that exists, and the rest.
func splitExisting(path string) (found, rest string) {
	for {
		if _, err := os.Lstat(path); err == nil { // EvalSymlinks looks at each part again
			if real, err := filepath.EvalSymlinks(path); err == nil {
				return real, rest
			}
		}
		trimmed := strings.TrimRight(path, string(filepath.Separator))
		i := strings.LastIndexByte(trimmed, filepath.Separator)
		if i < 0 || trimmed == "" {
			return path, rest
		}
		rest = filepath.Join(trimmed[i+1:], rest)
		path = trimmed[:i+1]
		if path == trimmed { // it ends in a separator, and is the root
			return path, rest
		}
	}
}
