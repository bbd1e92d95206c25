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

// privateLines are the lines of private_folders.txt.
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
	private, open := l.privatePlaces()
	if slices.Contains(open, real) {
		return message.Error("config.private_folder", "folder", folder, "place", folder)
	}
	for _, place := range private {
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

// privatePlaces returns the private folders of this machine, and the folders in them that hold those
// of users, such as /run/media for the drives that they plug in. A private folder with one of these is
// replaced by everything else in it. One that contains the user's home is left out, so that a home such
// as /root can have folders of its own.
func (l *Loaded) privatePlaces() (places, open []string) {
	for _, line := range privateLines() {
		if inner, isOpen := strings.CutPrefix(line, "!"); isOpen {
			open = append(open, inner)
			continue
		}
		if rest, inHome := strings.CutPrefix(line, "~/"); inHome {
			line = filepath.Join(l.Paths.Home, filepath.FromSlash(rest))
		}
		places = append(places, line)
	}
	for _, own := range []string{l.Paths.Config, l.Paths.Data, l.Paths.Cache, l.Paths.State} {
		places = append(places, filepath.Dir(own)) // where other programs keep theirs
	}
	places = append(places, filepath.SplitList(os.Getenv("PATH"))...)
	for _, inner := range open {
		if i := slices.IndexFunc(places, func(place string) bool { return realpath.Contains(place, inner) }); i >= 0 {
			places = append(slices.Delete(places, i, i+1), besides(places[i], inner)...)
		}
	}
	home, _ := realpath.Resolve(l.Paths.Home)
	return slices.DeleteFunc(places, func(place string) bool {
		real, _ := realpath.Resolve(place)
		return !filepath.IsAbs(place) || l.Paths.Home == "" || realpath.Contains(real, home)
	}), open
}

// besides returns what is in a folder beside an inner one and what that contains. A folder that can't be
// read is returned as a whole.
func besides(folder, inner string) (paths []string) {
	for above := filepath.Dir(inner); realpath.Contains(folder, above); above = filepath.Dir(above) {
		entries, err := os.ReadDir(above)
		if err != nil {
			return []string{folder}
		}
		for _, e := range entries {
			if path := filepath.Join(above, e.Name()); !realpath.Contains(path, inner) {
				paths = append(paths, path)
			}
		}
		if above == filepath.Dir(above) {
			break
		}
	}
	return paths
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
