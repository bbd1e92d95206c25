package apps

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Environment is what of the user's environment decides which applications there are.
type Environment struct {
	Folders  []string // data folders, the first has precedence
	Desktops []string // of XDG_CURRENT_DESKTOP
	Locale   string   // of messages: "ru_RU.UTF-8"
}

// ReadEnvironment reads the variables of the XDG base directories, the desktop and the locale.
// Data folders of Flatpak and Snap are added if the variables lack them. Other systems than Linux
// and the BSDs have no folders.
func ReadEnvironment(getenv func(string) string) Environment {
	env := Environment{Desktops: splitPaths(getenv("XDG_CURRENT_DESKTOP"), false)}
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if env.Locale = getenv(name); env.Locale != "" {
			break
		}
	}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return env
	}
	home := getenv("HOME")
	data := getenv("XDG_DATA_HOME")
	if !filepath.IsAbs(data) && filepath.IsAbs(home) {
		data = filepath.Join(home, ".local/share")
	}
	add := func(folder string) {
		if folder = filepath.Clean(folder); filepath.IsAbs(folder) && !slices.Contains(env.Folders, folder) {
			env.Folders = append(env.Folders, folder)
		}
	}
	system := splitPaths(getenv("XDG_DATA_DIRS"), true)
	if len(system) == 0 {
		system = []string{"/usr/local/share", "/usr/share"}
	}
	add(data)
	if filepath.IsAbs(data) && !slices.Contains(system, filepath.Join(data, "flatpak/exports/share")) {
		add(filepath.Join(data, "flatpak/exports/share"))
	}
	if flatpak := "/var/lib/flatpak/exports/share"; !slices.Contains(system, flatpak) {
		add(flatpak)
	}
	for _, folder := range system {
		add(folder)
	}
	add("/var/lib/snapd/desktop")
	return env
}

// splitPaths splits a list at its colons. Relative paths are left out, as the specification says.
func splitPaths(list string, absolute bool) (out []string) {
	for item := range strings.SplitSeq(list, ":") {
		if absolute && item != "" {
			item = filepath.Clean(item)
		}
		if item != "" && (!absolute || filepath.IsAbs(item)) {
			out = append(out, item)
		}
	}
	return out
}
