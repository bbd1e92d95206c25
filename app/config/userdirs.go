package config

import (
	"os"
	"path/filepath"
	"strings"
)

// knownFolders maps the names of user folders in goals to the variables of the
// xdg-user-dirs specification.
var knownFolders = map[string]string{
	"Desktop": "XDG_DESKTOP_DIR", "Documents": "XDG_DOCUMENTS_DIR", "Downloads": "XDG_DOWNLOAD_DIR",
	"Music": "XDG_MUSIC_DIR", "Pictures": "XDG_PICTURES_DIR", "Videos": "XDG_VIDEOS_DIR",
	"Templates": "XDG_TEMPLATES_DIR", "Public": "XDG_PUBLICSHARE_DIR",
}

// userDirs reads user-dirs.dirs, which has the localized names of folders such as
// Documents. If the file is missing or malformed, the usual names apply.
func userDirs(configHome, home string) map[string]string {
	b, err := os.ReadFile(filepath.Join(configHome, "user-dirs.dirs"))
	if err != nil {
		return nil
	}
	byVariable := map[string]string{}
	for line := range strings.Lines(string(b)) {
		variable, value, ok := strings.Cut(strings.TrimSpace(line), "=")
		value = strings.Trim(value, `"`)
		if rest, inHome := strings.CutPrefix(value, "$HOME"); inHome {
			value = home + rest
		}
		if ok && filepath.IsAbs(value) && filepath.Clean(value) != filepath.Clean(home) {
			byVariable[variable] = filepath.Clean(value)
		}
	}
	dirs := map[string]string{}
	for name, variable := range knownFolders {
		if dir, ok := byVariable[variable]; ok {
			dirs[name] = dir
		}
	}
	return dirs
}

// Locate is [Paths.Resolve] for a path in a goal: "Bilder/x" is in ~/Bilder, if that is a
// known folder.
func (p Paths) Locate(path string) string {
	if first, below, deeper := strings.Cut(path, "/"); deeper {
		for _, dir := range p.userDirs {
			if strings.EqualFold(filepath.Base(dir), first) {
				return dir + "/" + below
			}
		}
	}
	return p.Resolve(path)
}

// Resolve makes paths that start with "~" absolute and maps the known folders below it. It
// returns every other path unchanged. It does not clean the path, so that a caller that
// checks it still sees "..".
func (p Paths) Resolve(path string) string {
	rest, ok := strings.CutPrefix(path, "~")
	if !ok || rest != "" && rest[0] != '/' || p.Home == "" {
		return path
	}
	rest = strings.TrimPrefix(rest, "/")
	first, below, deeper := strings.Cut(rest, "/")
	if dir, known := p.userDirs[first]; known {
		if !deeper {
			return dir
		}
		return dir + "/" + below
	}
	if rest == "" {
		return p.Home
	}
	return strings.TrimSuffix(p.Home, "/") + "/" + rest
}
