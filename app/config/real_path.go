package config

import (
	"os"
	"path/filepath"
	"strings"
)

// maxLinks is how many links that lead nowhere are followed, one after another.
const maxLinks = 40

// realPath returns a path without symbolic links. The part that doesn't exist stays as it
// is; a link that leads nowhere is followed too, because a tool could create its target.
// "~/" is the user's home.
func (p Paths) realPath(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && p.Home != "" {
		path = p.Home + "/" + rest
	}
	for range maxLinks {
		found, rest := splitExisting(path)
		next, after, _ := strings.Cut(rest, string(filepath.Separator))
		target, err := os.Readlink(filepath.Join(found, next))
		if rest == "" || err != nil {
			return filepath.Join(found, rest)
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(found, target)
		}
		path = filepath.Join(target, after)
	}
	return filepath.Clean(path)
}

// splitExisting splits a path into the real path of its part that exists, and the rest.
func splitExisting(path string) (found, rest string) {
	for {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return real, rest
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
