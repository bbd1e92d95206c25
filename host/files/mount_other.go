//go:build !linux

package files

import (
	"io/fs"
	"os"

	"errand/host/files/inode"
)

// isMounted reports whether an entry of a folder is of another file system than the folder.
// info and above describe the entry and the folder.
func isMounted(_ *os.File, _ string, info, above fs.FileInfo) bool {
	return !inode.SameSystem(info, above)
}
