package doctor

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"errand/app/config"
	"errand/planner/message"
)

// maxClosed bounds the files and folders that one check looks at.
const maxClosed = 100_000

// checkPermissions takes the rights of other users away from the program's own folders and
// what is in them, and reports what was open: records, files, keys and logins are there.
func (d *Doctor) checkPermissions() Check {
	const name = "permissions"
	folders := []string{d.Config.Paths.Data, d.Config.Paths.State, d.Config.Paths.Cache}
	slices.Sort(folders)
	folders = slices.DeleteFunc(slices.Compact(folders), func(folder string) bool {
		info, err := os.Stat(folder)
		return err != nil || !info.IsDir()
	})
	var closed []string
	for _, folder := range folders {
		found, err := closeFolder(folder)
		closed = append(closed, found...)
		if err != nil {
			return Check{name, Fail, message.New("doctor.still_open", "folder", folder, "cause", message.FromError(err)), message.New("doctor.close_by_hand", "folder", folder)}
		}
	}
	if len(closed) > 0 {
		return Check{name, Warn, message.New("doctor.closed_to_others", "count", len(closed), "path", closed[0]), noHint}
	}
	return Check{name, OK, message.Verbatim(strings.Join(folders, ", ")), noHint}
}

// closeFolder takes the rights of other users away from a folder first, so that they can't
// change what is in it meanwhile, then from what is in it. It returns the paths that were
// open.
func closeFolder(folder string) (closed []string, err error) {
	info, err := os.Stat(folder)
	if err != nil {
		return nil, err
	}
	if config.Exposed(folder, info) != 0 {
		if err := os.Chmod(folder, info.Mode().Perm()&^0o077); err != nil {
			return nil, err
		}
		closed = append(closed, folder)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return closed, err
	}
	defer root.Close()
	seen := 0
	err = fs.WalkDir(root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		if seen++; seen > maxClosed {
			return fs.SkipAll
		}
		switch {
		case errors.Is(err, fs.ErrNotExist): // removed meanwhile
			return nil
		case err != nil:
			return err
		case name == "." || e.Type()&fs.ModeSymlink != 0:
			return nil
		}
		at := filepath.Join(folder, filepath.FromSlash(name))
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		if config.Exposed(at, info) != 0 {
			if err := root.Chmod(filepath.FromSlash(name), info.Mode().Perm()&^0o077); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			closed = append(closed, at)
		}
		if e.IsDir() && isBrowserFolder(name) { // thousands of files in a folder that is closed
			return fs.SkipDir
		}
		return nil
	})
	return closed, err
}

// isBrowserFolder reports whether a folder holds the files of a browser: a profile, or
// what a running one needs.
func isBrowserFolder(name string) bool {
	parent := path.Dir(name)
	return parent == "profiles" || parent == "browser"
}
