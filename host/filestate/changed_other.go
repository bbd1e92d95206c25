//go:build !linux && !darwin

package filestate

import "io/fs"

// changed is unknown where a file's info lacks it.
func changed(fs.FileInfo) string { return "" }
