//go:build unix

package kit

import (
	"os/exec"
	"syscall"
)

// together ends a compiler with all that it started: they are a group.
func together(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
