//go:build unix

package browser

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
)

// supported says that the pipe, process groups and file locks are to be had.
const supported = true

// nonblock opens a pipe that took a file's place without waiting for its other
// end.
const nonblock = syscall.O_NONBLOCK

// detach puts the process that cmd starts into a group of its own, so that a
// Ctrl+C in our terminal is ours to handle and all its children can be ended
// at once.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// terminate and kill end the whole group that process pid leads.
func terminate(pid int) { _ = syscall.Kill(-pid, syscall.SIGTERM) }
func kill(pid int)      { _ = syscall.Kill(-pid, syscall.SIGKILL) }

// lock takes f for this process alone, or fails at once.
func lock(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// killUsersOf ends every process that was started on the profile at path, and
// says how many there were. A process is recognised by its command line, in
// which Chromium repeats the profile for each of its children. Where there is
// no /proc it finds none.
func killUsersOf(path string) int {
	pids := usersOf(path)
	for _, pid := range pids {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	return len(pids)
}

// countUsersOf is how many processes were started on one of the folders; -1 where
// there is no /proc to look in.
func countUsersOf(paths ...string) int {
	if _, err := os.Stat("/proc/self/cmdline"); err != nil {
		return -1
	}
	return len(usersOf(paths...))
}

func usersOf(paths ...string) []int {
	var pids []int
	for _, path := range paths {
		eachUser(path, func(pid int, _ []byte) { pids = append(pids, pid) })
	}
	slices.Sort(pids)
	return slices.Compact(pids)
}

// strangerOn is a browser on the profile at path that was started by others:
// ours all speak over a pipe. 0 is none.
func strangerOn(path string) (stranger int) {
	eachUser(path, func(pid int, line []byte) {
		if !bytes.Contains(line, []byte("--type=")) && !bytes.Contains(line, []byte("--remote-debugging-pipe")) &&
			bytes.Contains(line, []byte("--user-data-dir=")) {
			stranger = pid
		}
	})
	return stranger
}

func eachUser(path string, tell func(pid int, commandLine []byte)) {
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		return
	}
	var marks [][]byte
	for _, flag := range []string{"--user-data-dir=", "--database=", crashesFlag} {
		marks = append(marks, []byte(flag+path+"/"))
	}
	for _, f := range files {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(f)))
		if err != nil || pid == os.Getpid() {
			continue
		}
		// A forked child rewrites its command line with spaces between the
		// arguments, so there are no fields to compare.
		line, err := os.ReadFile(f)
		if err == nil && slices.ContainsFunc(marks, func(mark []byte) bool { return bytes.Contains(line, mark) }) {
			tell(pid, line)
		}
	}
}
