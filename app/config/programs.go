package config

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// programs returns what errand.toml lets Errand run: the folders of plugins and of policies, the
// browser, and the programs of apps. What a tool saves there would run later.
func (l *Loaded) programs() []ownPlace {
	var places []ownPlace
	include := func(path, setting string) {
		if !slices.ContainsFunc(places, func(o ownPlace) bool { return o.path == path }) {
			for _, p := range linkPlaces(path, "") {
				places = append(places, ownPlace{path: p.path, setting: setting})
			}
		}
	}
	for _, dir := range l.Plugins.Dirs {
		if path, err := l.Expand(dir); err == nil { // check reports the others
			include(path, "plugins.dirs")
			entries, _ := os.ReadDir(path) // a plugin may be a link to a folder elsewhere
			for _, e := range entries {
				if e.Type()&os.ModeSymlink != 0 {
					include(filepath.Join(path, e.Name()), "plugins.dirs")
				}
			}
		}
	}
	for _, pattern := range l.Policy.Rego {
		if path := fixedPart(l.Paths.Resolve(filepath.FromSlash(pattern))); filepath.IsAbs(path) {
			include(path, "policy.rego")
		}
	}
	include(programPath(l.Browser.Bin), "browser.bin")
	for _, app := range l.Apps {
		for i, word := range app.Exec {
			if i == 0 {
				include(programPath(word), "apps.exec")
			} else if info, err := os.Stat(word); filepath.IsAbs(word) && err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
				include(word, "apps.exec") // a script for the program
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(l.MCP.Servers)) {
		for i, word := range l.MCP.Servers[name].Command {
			if i == 0 {
				include(programPath(word), "mcp.servers.command")
			} else if info, err := os.Stat(word); filepath.IsAbs(word) && err == nil && info.Mode().IsRegular() {
				include(word, "mcp.servers.command") // what an interpreter runs
			}
		}
	}
	return places
}

// fixedPart is the folder that has every file that a pattern can match.
func fixedPart(pattern string) string {
	dir := filepath.Dir(pattern)
	for strings.ContainsAny(dir, "*?[") {
		dir = filepath.Dir(dir)
	}
	return dir
}

// programPath is the path of the program that a word of a command names; "": there is none.
func programPath(word string) string {
	switch {
	case word == "" || filepath.IsAbs(word):
		return word
	case filepath.Base(word) != word: // relative to a folder that is not known
		return ""
	}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		for _, suffix := range []string{"", ".exe"} {
			path := filepath.Join(dir, word+suffix)
			if info, err := os.Stat(path); err == nil && !info.IsDir() && filepath.IsAbs(path) {
				return path
			}
		}
	}
	return ""
}
