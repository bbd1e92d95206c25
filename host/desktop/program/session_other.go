//go:build !unix

package program

import "syscall"

func ownSession() *syscall.SysProcAttr { return nil }
