//go:build !unix

package rootfs

import (
	"io/fs"
	"os"
	"path/filepath"
)

// hasOtherNames returns false, because the number of a file's names is unknown on this system.
func hasOtherNames(fs.FileInfo) bool { return false }

// rename is [os.Root.Rename] between two folders.
func rename(from *os.Root, name string, to *os.Root, newName string) error {
	return os.Rename(filepath.Join(from.Name(), name), filepath.Join(to.Name(), newName))
}

// setTimes sets times in nanoseconds.
func setTimes(root *os.Root, name string, atim, mtim int64) error {
	return root.Chtimes(name, timeOf(atim), timeOf(mtim))
}

// inode returns 0, which means that the number is unknown.
func inode(*os.File, string) uint64 { return 0 }
