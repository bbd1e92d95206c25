//go:build !linux

package system

import (
	"context"

	"github.com/shirou/gopsutil/v4/process"
)

// processName returns "" for a process that has ended or can't be read.
func processName(ctx context.Context, pid int32) string {
	name, err := (&process.Process{Pid: pid}).NameWithContext(ctx)
	if err != nil {
		return ""
	}
	return program(name)
}
