package system

import (
	"bytes"
	"context"
	"os"
	"strconv"
)

// commLength is the maximum length of a process name in the kernel (TASK_COMM_LEN
// - 1).
const commLength = 15

// processName reads one small file for most processes, because every plan needs a
// snapshot. A name of maximum length may be truncated, so it is read from the
// command line. A dead process has no name.
func processName(_ context.Context, pid int32) string {
	dir := "/proc/" + strconv.Itoa(int(pid))
	stat, err := os.ReadFile(dir + "/stat")
	if err != nil {
		return ""
	}
	// The format is: pid (name) state …; the name may contain parentheses.
	open, end := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
	if open < 0 || end < open || end+2 >= len(stat) || stat[end+2] == 'Z' {
		return ""
	}
	name := string(stat[open+1 : end])
	if len(name) < commLength {
		return program(name)
	}
	if cmdline, err := os.ReadFile(dir + "/cmdline"); err == nil {
		argv0, _, _ := bytes.Cut(cmdline, []byte{0})
		if whole := program(string(argv0)); len(whole) > len(name) && whole[:len(name)] == program(name) {
			return whole
		}
	}
	return program(name)
}
