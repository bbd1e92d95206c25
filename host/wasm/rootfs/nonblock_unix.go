//go:build unix

package rootfs

import "syscall"

const nonblock = syscall.O_NONBLOCK
