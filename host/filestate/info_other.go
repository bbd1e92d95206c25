//go:build !unix

package filestate

import "io/fs"

// deviceAndNumber is unknown where a file's info lacks it.
func deviceAndNumber(fs.FileInfo) string { return "" }
