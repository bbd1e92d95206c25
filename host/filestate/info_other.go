//go:build !unix

package filestate

import "io/fs"

// inode is unknown where a file's info lacks it.
func inode(fs.FileInfo) string { return "" }
