//go:build !unix

package rootfs

import "io/fs"

// nonblock is 0, because folders on this system contain no pipes.
const nonblock = 0

// shared returns false, because the number of a file's names is unknown on this system.
func shared(fs.FileInfo) bool { return false }
