//go:build unix

package transfer

import "syscall"

// nonblock prevents blocking if a pipe has replaced the file.
const nonblock = syscall.O_NONBLOCK
