//go:build !unix

package files

import "io/fs"

// inode is unknown where a file's number can't be told from its info.
func inode(fs.FileInfo) string { return "" }

// sameSystem can't be told here, where folders are seldom mounted in folders.
func sameSystem(_, _ fs.FileInfo) bool { return true }
