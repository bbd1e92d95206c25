//go:build !unix

package keyfile

import "io/fs"

// private reports whether file permissions control who can read a file.
const private = false

// isOwn returns true: the folder is in the user's own profile.
func isOwn(fs.FileInfo) bool { return true }
