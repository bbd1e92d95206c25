//go:build !linux && !darwin && !windows

package inode

import (
	"io/fs"
	"os"
)

// BirthTime is unknown on this platform.
func BirthTime(*os.Root, string, fs.FileInfo) string { return "" }
