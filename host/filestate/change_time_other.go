//go:build !linux && !darwin

package filestate

import "io/fs"

// changeTime is unknown where a file's info lacks it.
func changeTime(fs.FileInfo) string { return "" }
