//go:build unix

package program

import "syscall"

// ownSession keeps signals of our terminal from a process.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
