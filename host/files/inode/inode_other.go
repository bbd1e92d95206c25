//go:build !unix

package inode

import "io/fs"

// Number is unknown where a file's number can't be told from its info.
func Number(fs.FileInfo) string { return "" }
