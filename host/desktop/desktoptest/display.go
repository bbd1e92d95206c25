package desktoptest

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"

	"errand/build/must"
)

// StartX runs an X server that is the display of the test.
func StartX(t testing.TB) {
	t.Helper()
	Need(t, "Xvfb")
	read, write, err := os.Pipe()
	must.Succeed(t, err)
	defer read.Close()
	server := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "640x480x24", "-nolisten", "tcp", "-noreset")
	server.ExtraFiles = []*os.File{write}
	must.Succeed(t, server.Start())
	write.Close()
	t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
	number, err := bufio.NewReader(read).ReadString('\n')
	must.Succeed(t, err)
	t.Setenv("DISPLAY", ":"+strings.TrimSpace(number))
	t.Setenv("WAYLAND_DISPLAY", "")
}
