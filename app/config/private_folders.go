package config

import (
	_ "embed"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"errand/host/realpath"
	"errand/planner/message"
)

//go:embed private_folders.txt
var privateData string

// privateLines are the folders of private_folders.txt.
var privateLines = sync.OnceValue(func() (lines []string) {
	for line := range strings.Lines(privateData) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return lines
})

// CheckAsk returns an error if the user must not be asked to allow a folder: it is not one that
// is there, or it overlaps with files of Errand, with keys and settings of programs, with the
// folders of the system or those of programs, or is shared by all users. The folder is absolute
// and may contain links.
func (l *Loaded) CheckAsk(folder string) error {
	if err := l.Grantable(folder); err != nil {
		return err
	}
	real, ok := realpath.Resolve(folder)
	info, err := os.Lstat(real)
	switch {
	case !ok || err != nil || !info.IsDir():
		return message.Error("config.no_folder", "folder", folder)
	case info.Mode()&os.ModeSticky != 0 && info.Mode().Perm()&0o002 != 0:
		return message.Error("config.shared_folder", "folder", folder)
	case l.isHidden(folder), l.isHidden(real):
		return message.Error("config.private_folder", "folder", folder, "place", folder)
	}
	var places []ownPlace
	for _, place := range l.privatePlaces() {
		if realpath.Contains(place, filepath.Clean(folder)) { // also a magic link, such as /proc/self/root
			return message.Error("config.private_folder", "folder", folder, "place", place)
		}
		places = append(places, linkPlaces(place, place)...)
	}
	if place, found := newOverlaps(places).find(folder); found {
		return message.Error("config.private_folder", "folder", folder, "place", place.kind)
	}
	return nil
}

// privatePlaces returns the private folders of this machine. One that contains the user's home
// is left out, so that a home such as /root can have folders of its own.
func (l *Loaded) privatePlaces() []string {
	var places []string
	for _, line := range privateLines() {
		if rest, inHome := strings.CutPrefix(line, "~/"); inHome {
			line = filepath.Join(l.Paths.Home, filepath.FromSlash(rest))
		}
		places = append(places, line)
	}
	for _, own := range []string{l.Paths.Config, l.Paths.Data, l.Paths.Cache, l.Paths.State} {
		places = append(places, filepath.Dir(own)) // where other programs keep theirs
	}
	places = append(places, filepath.SplitList(os.Getenv("PATH"))...)
	home, _ := realpath.Resolve(l.Paths.Home)
	return slices.DeleteFunc(places, func(place string) bool {
		real, _ := realpath.Resolve(place)
		return !filepath.IsAbs(place) || l.Paths.Home == "" || realpath.Contains(real, home)
	})
}

// isHidden reports whether a folder is hidden or in a hidden one. In the home only what is below
// it counts.
func (l *Loaded) isHidden(folder string) bool {
	for _, home := range []string{l.Paths.Home, realHome(l.Paths.Home)} {
		if rel, err := filepath.Rel(home, folder); home != "" && err == nil && filepath.IsLocal(rel) {
			folder = rel
			break
		}
	}
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(folder), "/"), func(name string) bool {
		return strings.HasPrefix(name, ".") && name != "."
	})
}

func realHome(home string) string {
	real, _ := realpath.Resolve(home)
	return real
}
