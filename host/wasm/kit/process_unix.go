//go:build unix

package kit

import (
	"os/exec"
	"syscall"
)

// useProcessGroup runs a compiler in a process group, so that its children end with it.
func useProcessGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
