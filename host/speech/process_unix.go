//go:build unix

package speech

import (
	"os/exec"
	"syscall"
)

// endWithGroup has the program end with all processes that it started.
func endWithGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
