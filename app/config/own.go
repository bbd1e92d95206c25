package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"errand/planner/catalogue"
)

// Nothing that Errand carries out may change what Errand may do. The folders that
// are granted to tools can't hold its own files, or a tool could write itself
// another configuration, and Errand is no app of its own, or a call could say
// `errand policy allow`.

// ownIn says which of Errand's own places a folder holds or lies in; "" for none.
func (p Paths) ownIn(dir string) string {
	for _, own := range []struct{ path, what string }{
		{p.File, "configuration"}, {p.Data, "record"}, {p.Cache, "cache"},
	} {
		if !filepath.IsAbs(own.path) { // of a recorded setting, which carries nothing out
			continue
		}
		a, b := physical(dir), physical(own.path)
		if inside(a, b) || own.path != p.File && inside(b, a) {
			return fmt.Sprintf("Errand's %s (%s)", own.what, own.path)
		}
	}
	return ""
}

// Grantable says why a folder can't be granted to a tool; nil: it can.
func (l *Loaded) Grantable(dir string) error {
	if !filepath.IsAbs(dir) {
		return fmt.Errorf("%q is not absolute", dir)
	}
	if own := l.Paths.ownIn(dir); own != "" {
		return fmt.Errorf("%q holds %s: a tool could change what it may do; name the folders in it that you mean", dir, own)
	}
	return nil
}

// physical is a path without links, as far as it is there.
func physical(path string) string {
	path = filepath.Clean(path)
	for rest := ""; ; {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return filepath.Join(real, rest)
		}
		parent := filepath.Dir(path)
		if parent == path {
			return filepath.Join(path, rest)
		}
		path, rest = parent, filepath.Join(filepath.Base(path), rest)
	}
}

func inside(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// isErrand says whether an app's command is this program.
func isErrand(app catalogue.App) bool {
	return slices.ContainsFunc(app.Exec, func(word string) bool {
		name := strings.ToLower(filepath.Base(strings.ReplaceAll(word, `\`, "/")))
		return name == "errand" || name == "errand.exe"
	})
}
