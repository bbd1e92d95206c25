//go:build !unix

package rootfs

import "io/fs"

// nonblock is nothing where folders hold no pipes.
const nonblock = 0

// shared is not known where a folder's entries don't say how many names a file has.
func shared(fs.FileInfo) bool { return false }
