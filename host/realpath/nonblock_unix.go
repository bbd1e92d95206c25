//go:build unix

package realpath

import "syscall"

// NonBlock is the flag that keeps an opening from waiting, as that of a pipe would.
const NonBlock = syscall.O_NONBLOCK
