package files

import (
	"os"
	"path/filepath"

	"errand/host/mount"
	"errand/host/tool"
	"errand/planner/message"
)

// errMounted is the error for a folder in which something is mounted: another file system,
// or another folder of the same one. The files in it belong elsewhere.
var errMounted = message.Error("files.mounted_below")

// checkMounts returns the error for a file or folder at a path without links on which or in
// which something is mounted.
func checkMounts(real string) error {
	if points := mount.Read().Below(real); len(points) > 0 {
		return mountedError(points[0])
	}
	return nil
}

// checkMovable is [checkMounts] for a move to another path: a mount in a folder moves with it,
// unless the folder has to be copied.
func checkMovable(from, to string) error {
	table := mount.Read()
	points := table.Below(from)
	if len(points) == 0 || points[0] != from && table.IsSameMount(filepath.Dir(from), filepath.Dir(to)) {
		return nil
	}
	return mountedError(points[0])
}

func mountedError(point string) *tool.Error {
	return tool.NewError(tool.ExecutionError, "mounted", message.New("files.mounted", "path", point)).
		WithHint(message.New("files.unmount_first"))
}

// checkMount returns [errMounted] for an open file or folder that is not on a mount.
func checkMount(f *os.File, want mount.ID) error {
	id, err := mount.Of(f)
	if err == nil && id != want {
		return errMounted
	}
	return err
}

// checkRootMount is [checkMount] for an open folder.
func checkRootMount(dir *os.Root, want mount.ID) error {
	f, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	return checkMount(f, want)
}
