//go:build amd64 || arm64

package child

import (
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

const hasFilter = true

// limitSockets refuses the thread sockets, but for those of the network if that is allowed, and
// what would make them in another way. Sockets of files lead to other programs of the user, such
// as the session's bus.
func limitSockets(network bool) error {
	const (
		number, arch, family = 0, 4, 16 // offsets in struct seccomp_data
		x32                  = 0x40000000
	)
	machine := uint32(unix.AUDIT_ARCH_X86_64)
	if runtime.GOARCH == "arm64" {
		machine = unix.AUDIT_ARCH_AARCH64
	}
	load := func(at uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
	}
	jump := func(test uint16, k uint32, yes, no uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, K: k, Jt: yes, Jf: no}
	}
	give := func(k uint32) unix.SockFilter { return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: k} }
	const (
		allowed = unix.SECCOMP_RET_ALLOW
		refused = unix.SECCOMP_RET_ERRNO | uint32(unix.EACCES)
		missing = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
	)
	program := []unix.SockFilter{
		load(arch), jump(unix.BPF_JEQ, machine, 1, 0), give(missing),
		load(number), jump(unix.BPF_JGE, x32, 0, 1), give(missing),
		jump(unix.BPF_JEQ, uint32(unix.SYS_IO_URING_SETUP), 0, 1), give(missing), // it opens sockets by itself
		jump(unix.BPF_JEQ, uint32(unix.SYS_SOCKET), 1, 0), give(allowed),
	}
	if network {
		program = append(program, load(family), jump(unix.BPF_JEQ, unix.AF_INET, 2, 0), jump(unix.BPF_JEQ, unix.AF_INET6, 1, 0), jump(unix.BPF_JEQ, unix.AF_NETLINK, 0, 1), give(allowed))
	}
	program = append(program, give(refused))
	filter := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	if err := unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&filter)), 0, 0); err != nil {
		return os.NewSyscallError("seccomp", err)
	}
	runtime.KeepAlive(program)
	return nil
}
