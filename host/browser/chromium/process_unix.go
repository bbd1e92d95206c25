//go:build unix

package chromium

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
)

// isSupported says that the pipe, process groups and file locks are to be had.
const isSupported = true

// setProcessGroup puts the process that cmd starts into a group of its own, so that a
// Ctrl+C in our terminal is ours to handle and all its children can be ended
// at once.
func setProcessGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// terminate and kill end the whole group that process pid leads.
func terminate(pid int) { _ = syscall.Kill(-pid, syscall.SIGTERM) }
func kill(pid int)      { _ = syscall.Kill(-pid, syscall.SIGKILL) }

// isAlive reports whether there is a process with this id.
func isAlive(pid int) bool {
	return pid > 0 && !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}

// makeOutput makes the named pipe at path and opens both of its ends. The
// writing end is for a child: it blocks, as programs expect of their output.
func makeOutput(path string) (read, write *os.File, err error) {
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		return nil, nil, &os.PathError{Op: "mkfifo", Path: path, Err: err}
	}
	in, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	read = os.NewFile(uintptr(in), path)
	out, err := syscall.Open(path, syscall.O_WRONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, nil, errors.Join(&os.PathError{Op: "open", Path: path, Err: err}, read.Close())
	}
	return read, os.NewFile(uintptr(out), path), nil
}

// hasWriter reports whether a process has the named pipe at path open for
// writing. It drops what was written there.
func hasWriter(path string) bool {
	fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if err != nil {
		return !errors.Is(err, os.ErrNotExist)
	}
	defer syscall.Close(fd)
	n, err := syscall.Read(fd, make([]byte, 4096))
	return n > 0 || err != nil // the end of the pipe is read only when there is no writer
}

// lock takes f for this process alone, or fails at once.
func lock(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// killUsers ends every process that was started on the profile at path, and
// says how many there were. A process is recognised by its command line, in
// which Chromium repeats the profile for each of its children. Where there is
// no /proc it finds none.
func killUsers(path string) int {
	pids := findUsers(path)
	for _, pid := range pids {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	return len(pids)
}

// countUsers is how many processes were started on one of the folders; -1 where
// there is no /proc to look in.
func countUsers(paths ...string) int {
	if _, err := os.Stat("/proc/self/cmdline"); err != nil {
		return -1
	}
	return len(findUsers(paths...))
}

func findUsers(paths ...string) []int {
	var pids []int
	for _, path := range paths {
		visitUsers(path, func(pid int, _ []byte) { pids = append(pids, pid) })
	}
	slices.Sort(pids)
	return slices.Compact(pids)
}

// findOtherBrowser returns the id of a browser that uses the profile at path and that
// Errand did not start: ours speak over a pipe. 0: there is no such browser.
func findOtherBrowser(path string) (stranger int) {
	visitUsers(path, func(pid int, line []byte) {
		if !bytes.Contains(line, []byte("--type=")) && !bytes.Contains(line, []byte("--remote-debugging-pipe")) &&
			bytes.Contains(line, []byte("--user-data-dir=")) {
			stranger = pid
		}
	})
	return stranger
}

func visitUsers(path string, tell func(pid int, commandLine []byte)) {
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
