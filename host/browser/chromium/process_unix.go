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

// isSupported reports that the pipe, process groups and file locks are available.
const isSupported = true

// setProcessGroup starts the process of cmd in its own group, so that a Ctrl+C in the
// terminal does not reach it and all of its children can be killed together.
func setProcessGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// terminate sends SIGTERM to the group of process pid, and kill sends SIGKILL.
func terminate(pid int) { _ = syscall.Kill(-pid, syscall.SIGTERM) }
func kill(pid int)      { _ = syscall.Kill(-pid, syscall.SIGKILL) }

// isAlive reports whether a process with this id exists.
func isAlive(pid int) bool {
	return pid > 0 && !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}

// makeOutput creates the named pipe at path and opens both ends. The writing end is for a
// child and blocks, as programs expect of their output.
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

// hasWriter reports whether a process has the named pipe at path open for writing. It
// discards pending data.
func hasWriter(path string) bool {
	fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if err != nil {
		return !errors.Is(err, os.ErrNotExist)
	}
	defer syscall.Close(fd)
	n, err := syscall.Read(fd, make([]byte, 4096))
	return n > 0 || err != nil // reading reaches the end of the pipe only without a writer
}

// lock locks f exclusively, or fails immediately.
func lock(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// killUsers kills the processes that were started with the profile at path, and returns
// their number. It recognises them by their command line, in which Chromium repeats the
// profile for every child. Without /proc it finds none.
func killUsers(path string) int {
	pids := findUsers(path)
	for _, pid := range pids {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	return len(pids)
}

// countUsers returns the number of processes that were started with one of the folders, or
// -1 without /proc.
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

// findOtherBrowser returns the id of a process that uses the profile at path and was not
// started by Errand, or 0. Errand's browsers have the flag for the DevTools pipe.
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
		// A forked child rewrites its command line with spaces between the arguments, so
		// fields can't be compared.
		line, err := os.ReadFile(f)
		if err == nil && slices.ContainsFunc(marks, func(mark []byte) bool { return bytes.Contains(line, mark) }) {
			tell(pid, line)
		}
	}
}
