package config

import (
	"path/filepath"
	"runtime"
	"strings"

	"errand/host/realpath"
	"errand/planner/message"
)

// Paths are the files and folders of this machine that Errand uses.
type Paths struct {
	File       string // errand.toml
	Config     string // the usual folder of errand.toml
	FileExists bool   // File exists
	Data       string // runs, artifacts, installed plugins
	Cache      string // compiled plugins, browser profiles
	State      string // the window's size and position, what terminals showed; safe to lose
	Home       string
	Trash      string // the user's own trash, which need not exist; empty on Windows
	Runtime    string // the user's folder for sockets; empty if there is none
	Work       string // the folder that "./" means; empty if there is none, as in the window

	userDirs map[string]string // maps "Documents" and the like to the folders of the desktop
}

// hashKey is the name of the key of [Paths.HashKey].
const hashKey = "hash.key"

// HashKey is the file of the key for marks of redaction and for hashes of what may hold a
// secret; empty without a data folder.
func (p Paths) HashKey() string {
	if p.Data == "" {
		return ""
	}
	return filepath.Join(p.Data, hashKey)
}

// places returns the folders of the XDG base directory specification if its variables are
// set, and the platform's defaults otherwise.
func places(env map[string]string) (Paths, error) {
	home := env["HOME"]
	if !filepath.IsAbs(home) {
		home = "" // a relative home would depend on the working directory
	}
	config, data, cache := filepath.Join(home, ".config"), filepath.Join(home, ".local", "share"), filepath.Join(home, ".cache")
	state := filepath.Join(home, ".local", "state")
	switch runtime.GOOS {
	case "windows":
		home = env["USERPROFILE"]
		config, data, cache = env["APPDATA"], env["LOCALAPPDATA"], filepath.Join(env["LOCALAPPDATA"], "cache")
		state = env["LOCALAPPDATA"]
	case "darwin":
		config = filepath.Join(home, "Library", "Application Support")
		data, cache = config, filepath.Join(home, "Library", "Caches")
		state = config
	}
	pick := func(variable, usual string) string {
		if dir := env[variable]; filepath.IsAbs(dir) { // the specification ignores relative paths
			return filepath.Join(dir, "errand")
		}
		return filepath.Join(usual, "errand")
	}
	p := Paths{
		File:    filepath.Join(pick("XDG_CONFIG_HOME", config), "errand.toml"),
		Data:    pick("XDG_DATA_HOME", data),
		Cache:   pick("XDG_CACHE_HOME", cache),
		State:   pick("XDG_STATE_HOME", state),
		Home:    home,
		Runtime: env["XDG_RUNTIME_DIR"],
	}
	p.Config = filepath.Dir(p.File)
	switch runtime.GOOS {
	case "windows":
	case "darwin":
		p.Trash = filepath.Join(home, ".Trash")
	default:
		p.Trash = filepath.Join(filepath.Dir(p.Data), "Trash")
	}
	p.userDirs = userDirs(filepath.Dir(filepath.Dir(p.File)), home)
	if !filepath.IsAbs(p.Data) || !filepath.IsAbs(p.Cache) || !filepath.IsAbs(p.File) {
		return p, message.Error("config.no_home")
	}
	return p, nil
}

// RecipesDir returns the folder of the user's recipes, beside errand.toml. It need not exist.
func (p Paths) RecipesDir() string { return filepath.Join(filepath.Dir(p.File), "recipes") }

// realPath returns a path without symbolic links. "~" is the user's home.
func (p Paths) realPath(path string) string {
	if rest, ok := strings.CutPrefix(path, "~"); ok && p.Home != "" && (rest == "" || rest[0] == '/') {
		path = p.Home + rest
	}
	real, _ := realpath.Resolve(path)
	return real
}
