//go:build !unix

package inode

import "io/fs"

// Number is unknown where a file's number can't be told from its info.
func Number(fs.FileInfo) string { return "" }

// SameSystem can't be told here, where folders are seldom mounted in folders.
func SameSystem(_, _ fs.FileInfo) bool { return true }
