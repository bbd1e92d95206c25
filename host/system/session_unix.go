//go:build unix

package system

import "syscall"

// ownSession detaches a process from our session, process group and terminal.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
