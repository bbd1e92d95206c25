package system

import (
	"bytes"
	"context"
	"os"
	"strconv"
)

// commLength is where the kernel cuts a process's name (TASK_COMM_LEN - 1).
const commLength = 15

// processName reads one small file for most processes: the snapshot is taken
// before every plan. A name as long as the kernel's limit was cut, and the
// command line then has the whole one. A process that is gone, or dead and
// not yet waited for, has no name.
func processName(_ context.Context, pid int32) string {
	dir := "/proc/" + strconv.Itoa(int(pid))
	stat, err := os.ReadFile(dir + "/stat")
	if err != nil {
		return ""
	}
	// pid (name) state …; the name may hold parentheses itself.
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
