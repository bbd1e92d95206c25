//go:build unix

package transfer

import "syscall"

// nonblock opens a pipe that took a file's place without waiting for its other
// end.
const nonblock = syscall.O_NONBLOCK
