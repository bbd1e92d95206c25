package config

import (
	"path/filepath"
	"slices"
	"strings"

	"errand/host/realpath"
	"errand/planner/catalogue"
	"errand/planner/message"
)

// A tool must not be able to change Errand's permissions. Granted folders therefore can't
// contain Errand's own files, or a tool could write another configuration. Errand can't be
// launched as an app, or a call could run `errand policy allow`.

// ownPlace is a place of Errand.
type ownPlace struct{ path, what string }

// fault says that a folder contains the place or lies in it.
func (o ownPlace) fault(folder string) message.Message {
	return message.New("config.own_folder", "folder", folder, "what", o.what, "place", o.path)
}

// ownIn returns the place of Errand that a folder contains or lies in.
func (p Paths) ownIn(dir string, known physicalPaths) (own ownPlace, found bool) {
	for _, own := range []ownPlace{
		{p.File, "configuration"}, {p.Data, "record"}, {p.Cache, "cache"},
	} {
		if !filepath.IsAbs(own.path) { // a path from a recorded configuration, which is never executed
			continue
		}
		a, b := known.resolve(dir), known.resolve(own.path)
		if realpath.Contains(a, b) || own.path != p.File && realpath.Contains(b, a) {
			return own, true
		}
	}
	return ownPlace{}, false
}

// Grantable returns an error if tools must not be granted access to a folder.
func (l *Loaded) Grantable(dir string) error {
	if !filepath.IsAbs(dir) {
		return message.Error("config.not_absolute", "folder", dir)
	}
	if own, found := l.Paths.ownIn(dir, physicalPaths{}); found {
		return own.fault(dir).Err()
	}
	return nil
}

// physicalPaths has the physical paths that were resolved before, because each resolution
// looks at every folder of a path.
type physicalPaths map[string]string

// resolve is [realpath.Resolve].
func (known physicalPaths) resolve(path string) string {
	path = filepath.Clean(path)
	real, ok := known[path]
	if !ok {
		real, _ = realpath.Resolve(path)
		known[path] = real
	}
	return real
}

// isErrand reports whether an app's command starts this program.
func isErrand(app catalogue.App) bool {
	return slices.ContainsFunc(app.Exec, func(word string) bool {
		name := strings.ToLower(filepath.Base(strings.ReplaceAll(word, `\`, "/")))
		return name == "errand" || name == "errand.exe"
	})
}
