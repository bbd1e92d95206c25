package config

import (
	"os"
	"path/filepath"
	"slices"

	"errand/host/realpath"
	"errand/planner/message"
)

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
	case realpath.IsHidden(l.Paths.Home, folder), realpath.IsHidden(l.Paths.Home, real):
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

// privatePlaces returns the private folders of this machine, with those of programs, and the folders in
// them that hold folders of users. One that contains the user's home is left out, so that a home such as
// /root can have folders of its own.
func (l *Loaded) privatePlaces() (places, open []string) {
	places, open = realpath.PrivateFolders(l.Paths.Home)
	for _, own := range []string{l.Paths.Config, l.Paths.Data, l.Paths.Cache, l.Paths.State} {
		places = append(places, filepath.Dir(own)) // where other programs keep theirs
	}
	places = append(places, filepath.SplitList(os.Getenv("PATH"))...)
	home, _ := realpath.Resolve(l.Paths.Home)
	return slices.DeleteFunc(places, func(place string) bool {
		real, _ := realpath.Resolve(place)
		return !filepath.IsAbs(place) || l.Paths.Home == "" || realpath.Contains(real, home)
	}), open
}
