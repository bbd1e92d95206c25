package config

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"errand/host/realpath"
	"errand/planner/catalogue"
	"errand/planner/message"
)

// A tool must not be able to change Errand's permissions. Granted folders therefore can't
// contain Errand's own files, or a tool could write another configuration, or a recipe that
// runs as the user's own words. Errand can't be
// launched as an app, or a call could run `errand policy allow`.

// ownPlace is a place of Errand, or of a program that it starts.
type ownPlace struct {
	path, kind string
	setting    string // of errand.toml that names a program or plugins; "": Errand's own files
}

// overlapMessage says that a folder contains the place or lies in it.
func (o ownPlace) overlapMessage(folder string) message.Message {
	if o.setting != "" {
		return message.New("config.program_folder", "folder", folder, "setting", o.setting, "place", o.path)
	}
	return message.New("config.own_folder", "folder", folder, "what", o.kind, "place", o.path)
}

// ownPlaces returns what tools must not change: Errand's own places, and what it runs.
func (l *Loaded) ownPlaces() []ownPlace { return append(l.Paths.ownPlaces(), l.programs()...) }

// ownPlaces returns what tools must not change, by physical path: the folders that Errand
// reads and writes, where the links in them and on the way to them lead, and these links,
// since a tool that can replace one can move the folder.
func (p Paths) ownPlaces() []ownPlace {
	type folder struct{ path, kind string }
	folders := []folder{
		{p.Config, "configuration"}, {p.RecipesDir(), "recipes"}, {p.Data, "record"}, {p.Cache, "cache"}, {p.State, "state"},
	}
	if file, err := filepath.Abs(p.File); err == nil && p.File != "" { // named relative to the working directory
		p.File = file
		folders[1].path = p.RecipesDir()
	}
	places := linkPlaces(p.File, "configuration")
	if filepath.IsAbs(p.Runtime) { // the socket of the window is in it, if State is too deep for one
		places = append(places, linkPlaces(filepath.Join(p.Runtime, "errand.sock"), "state")...)
	}
	for _, f := range folders {
		if !filepath.IsAbs(f.path) { // a path from a recorded configuration, which is never executed
			continue
		}
		led := linkPlaces(f.path, f.kind)
		real := led[len(led)-1]
		places = append(append(places, real), led...)
		entries, _ := os.ReadDir(real.path) // a folder that can't be read has no known links
		for _, e := range entries {
			if e.Type()&fs.ModeSymlink != 0 {
				led := linkPlaces(filepath.Join(real.path, e.Name()), f.kind)
				places = append(append(places, led[len(led)-1]), led...)
			}
		}
	}
	return places
}

// linkPlaces returns the physical path of each link that leads to an absolute path, and the
// path's own last.
func linkPlaces(path, what string) []ownPlace {
	if !filepath.IsAbs(path) {
		return nil
	}
	var places []ownPlace
	for _, link := range realpath.Links(path) {
		places = append(places, ownPlace{path: link, kind: what})
	}
	real, _ := realpath.Resolve(path)
	return append(places, ownPlace{path: real, kind: what})
}

// Grantable returns an error if tools must not use a folder. Links and mounts may change
// after the folder was granted, so each use of it asks again.
func (l *Loaded) Grantable(dir string) error {
	if !filepath.IsAbs(dir) {
		return message.Error("config.not_absolute", "folder", dir)
	}
	if own, found := newOverlaps(l.ownPlaces()).find(dir); found {
		return own.overlapMessage(dir).Err()
	}
	return nil
}

// isErrand reports whether an app's command starts this program.
func isErrand(app catalogue.App) bool {
	return slices.ContainsFunc(app.Exec, func(word string) bool {
		name := strings.ToLower(filepath.Base(strings.ReplaceAll(word, `\`, "/")))
		return name == "errand" || name == "errand.exe"
	})
}
