package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"errand/planner/catalogue"
	"errand/planner/message"
)

// A tool must not be able to change Errand's permissions. Granted folders therefore can't
// contain Errand's own files, or a tool could write another configuration. Errand can't be
// launched as an app, or a call could run `errand policy allow`.

// ownIn returns the place of Errand that a folder contains or lies in, or "".
func (p Paths) ownIn(dir string) string {
	for _, own := range []struct{ path, what string }{
		{p.File, "configuration"}, {p.Data, "record"}, {p.Cache, "cache"},
	} {
		if !filepath.IsAbs(own.path) { // a path from a recorded configuration, which is never executed
			continue
		}
		a, b := physical(dir), physical(own.path)
		if inside(a, b) || own.path != p.File && inside(b, a) {
			return fmt.Sprintf("Errand's %s (%s)", own.what, own.path)
		}
	}
	return ""
}

// Grantable returns an error if tools must not be granted access to a folder.
func (l *Loaded) Grantable(dir string) error {
	if !filepath.IsAbs(dir) {
		return message.Error("config.is_not_absolute", "dir", dir)
	}
	if own := l.Paths.ownIn(dir); own != "" {
		return message.Error("config.holds_tool_could_change_what", "dir", dir, "own", own)
	}
	return nil
}

// physical resolves the symbolic links in the part of a path that exists.
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

// isErrand reports whether an app's command starts this program.
func isErrand(app catalogue.App) bool {
	return slices.ContainsFunc(app.Exec, func(word string) bool {
		name := strings.ToLower(filepath.Base(strings.ReplaceAll(word, `\`, "/")))
		return name == "errand" || name == "errand.exe"
	})
}
