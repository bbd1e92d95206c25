package system

import "syscall"

// detachedProcess is DETACHED_PROCESS of the Windows API: it does not inherit our
// console.
const detachedProcess = 0x00000008

// ownSession detaches a process from our console and its control signals.
func ownSession() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP | detachedProcess}
}
