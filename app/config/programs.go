package config

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// programs returns what errand.toml lets Errand run: the folders of plugins, the browser, and
// the programs of apps. What a tool saves there would run later.
func (l *Loaded) programs() []ownPlace {
	var places []ownPlace
	add := func(path, setting string) {
		if !slices.ContainsFunc(places, func(o ownPlace) bool { return o.path == path }) {
			for _, p := range linkPlaces(path, "") {
				places = append(places, ownPlace{path: p.path, setting: setting})
			}
		}
	}
	for _, dir := range l.Plugins.Dirs {
		if path, err := l.Expand(dir); err == nil { // check reports the others
			add(path, "plugins.dirs")
			entries, _ := os.ReadDir(path) // a plugin may be a link to a folder elsewhere
			for _, e := range entries {
				if e.Type()&os.ModeSymlink != 0 {
					add(filepath.Join(path, e.Name()), "plugins.dirs")
				}
			}
		}
	}
	add(programPath(l.Browser.Bin), "browser.bin")
	for _, app := range l.Apps {
		for i, word := range app.Exec {
			if i == 0 {
				add(programPath(word), "apps.exec")
			} else if info, err := os.Stat(word); filepath.IsAbs(word) && err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
				add(word, "apps.exec") // a script for the program
			}
		}
	}
	return places
}

// programPath is the path of the program that a word of a command names; "": there is none.
func programPath(word string) string {
	path, err := exec.LookPath(word)
	if err != nil {
		path = word // it may be there later
	}
	if !filepath.IsAbs(path) {
		return ""
	}
	return path
}
