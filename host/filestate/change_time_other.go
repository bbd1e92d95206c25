//go:build !linux && !darwin

package filestate

import "io/fs"

// ChangeTime is unknown where a file's info lacks it.
func ChangeTime(fs.FileInfo) string { return "" }
