//go:build unix && !linux

package child

import (
	"os/exec"
	"syscall"
)

func setProcessGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
func terminate(pid int)             { _ = syscall.Kill(-pid, syscall.SIGTERM) }
func kill(pid int)                  { _ = syscall.Kill(-pid, syscall.SIGKILL) }
