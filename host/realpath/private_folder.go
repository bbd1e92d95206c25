package realpath

import (
	_ "embed"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
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

// PrivateFolders returns the folders with keys, and with files of programs and of the system, that the
// user is never asked about. open are folders in them that hold folders of users, such as /run/media for
// the drives that they plug in: a private folder with one of these is replaced by everything else in it.
func PrivateFolders(home string) (private, open []string) {
	for _, line := range privateLines() {
		if inner, isOpen := strings.CutPrefix(line, "!"); isOpen {
			open = append(open, inner)
			continue
		}
		if rest, inHome := strings.CutPrefix(line, "~/"); inHome {
			line = filepath.Join(home, filepath.FromSlash(rest))
		}
		private = append(private, line)
	}
	for _, inner := range open {
		if i := slices.IndexFunc(private, func(folder string) bool { return Contains(folder, inner) }); i >= 0 {
			rest := besides(private[i], inner)
			private = append(slices.Delete(private, i, i+1), rest...)
		}
	}
	return private, open
}

// besides returns what is in a folder beside an inner one and what that contains. A folder that can't be
// read is returned as a whole.
func besides(folder, inner string) (paths []string) {
	for above := filepath.Dir(inner); Contains(folder, above); above = filepath.Dir(above) {
		entries, err := os.ReadDir(above)
		if err != nil {
			return []string{folder}
		}
		for _, e := range entries {
			if path := filepath.Join(above, e.Name()); !Contains(path, inner) {
				paths = append(paths, path)
			}
		}
		if above == filepath.Dir(above) {
			break
		}
	}
	return paths
}

// IsHidden reports whether a folder is hidden or in a hidden one. In the home only what is below it
// counts.
func IsHidden(home, folder string) bool {
	real, _ := Resolve(home)
	for _, home := range []string{home, real} {
		if rel, err := filepath.Rel(home, folder); home != "" && err == nil && filepath.IsLocal(rel) {
			folder = rel
			break
		}
	}
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(folder), "/"), func(name string) bool {
		return strings.HasPrefix(name, ".") && name != "."
	})
}

// isPrivate reports whether a folder is hidden, or contains a private folder or lies in one, itself or
// where it leads.
func isPrivate(home, folder string) bool {
	real, _ := Resolve(folder)
	private, open := PrivateFolders(home)
	realHome, _ := Resolve(home)
	return slices.Contains(open, real) || IsHidden(home, folder) || IsHidden(home, real) || slices.ContainsFunc(private, func(p string) bool {
		place, _ := Resolve(p)
		if Contains(place, realHome) { // such as /root
			return false
		}
		return Contains(p, folder) || Contains(place, real) || Contains(real, place)
	})
}
