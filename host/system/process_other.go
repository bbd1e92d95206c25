//go:build !linux

package system

import (
	"context"

	"github.com/shirou/gopsutil/v4/process"
)

// processName is "" for a process that is gone or may not be looked at.
func processName(ctx context.Context, pid int32) string {
	name, err := (&process.Process{Pid: pid}).NameWithContext(ctx)
	if err != nil {
		return ""
	}
	return program(name)
}
