package child

import (
	"os"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Landlock's rights on files, by the version of the kernel's interface that introduced them.
const (
	readRights  = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	firstRights = readRights | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK | unix.LANDLOCK_ACCESS_FS_MAKE_SYM
	deviceRights = unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK
	fileRights   = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
)

// system are the places that every program may read: programs, libraries, and how the system is
// set up. None of them belongs to a user.
var system = []string{
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt", "/nix/store", "/snap", "/etc", "/run/systemd/resolve", "/run/resolvconf",
	"/sys/devices/system/cpu", "/sys/fs/cgroup", "/sys/kernel/mm/transparent_hugepage", "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/version", "/proc/sys",
	"/dev/urandom", "/dev/random", "/dev/zero",
}

var version = sync.OnceValue(func() int {
	v, _, fault := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if fault != 0 {
		return 0
	}
	return int(v)
})

// Available says what this system can enforce.
func Available() Confinement {
	_, err := unix.PrctlRetInt(unix.PR_GET_SECCOMP, 0, 0, 0, 0)
	return Confinement{Files: version() > 0, Network: err == nil && hasFilter}
}

// confine limits the current thread, and the program that it becomes, as far as the system can.
func confine(l Limits) error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return os.NewSyscallError("no_new_privs", err)
	}
	can := Available()
	if can.Files {
		if err := limitFiles(l); err != nil {
			return err
		}
	}
	if can.Network {
		return limitSockets(l.Network)
	}
	return nil
}

// limitFiles allows the thread the files of l and of the system alone.
func limitFiles(l Limits) error {
	rights := uint64(firstRights)
	v := version()
	if v >= 2 {
		rights |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if v >= 3 {
		rights |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if v >= 5 {
		rights |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	attr := unix.LandlockRulesetAttr{Handled_access_fs: rights}
	length := unsafe.Sizeof(attr.Handled_access_fs) // all that the first version knows
	if v >= 6 {
		attr.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
		length = unsafe.Offsetof(attr.Scoped) + unsafe.Sizeof(attr.Scoped)
	}
	fd, _, fault := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), length, 0)
	if fault != 0 {
		return os.NewSyscallError("landlock_create_ruleset", fault)
	}
	ruleset := int(fd)
	defer unix.Close(ruleset)
	add := func(paths []string, allowed uint64) error {
		for _, path := range paths {
			if err := allow(ruleset, path, allowed&rights); err != nil && !os.IsNotExist(err) {
				return err
			}
		}
		return nil
	}
	if err := add(system, readRights); err != nil {
		return err
	}
	if err := add(l.Read, readRights); err != nil {
		return err
	}
	if err := add([]string{"/dev/null", "/dev/tty"}, unix.LANDLOCK_ACCESS_FS_READ_FILE|unix.LANDLOCK_ACCESS_FS_WRITE_FILE); err != nil {
		return err
	}
	if err := add(l.Write, rights&^deviceRights); err != nil {
		return err
	}
	if _, _, fault := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(ruleset), 0, 0); fault != 0 {
		return os.NewSyscallError("landlock_restrict_self", fault)
	}
	return nil
}

// allow adds a rule for a file, or for a folder and everything in it.
func allow(ruleset int, path string, rights uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer unix.Close(fd)
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		return &os.PathError{Op: "stat", Path: path, Err: err}
	}
	if stat.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= fileRights
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(fd)}
	if _, _, fault := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0); fault != 0 {
		return &os.PathError{Op: "landlock_add_rule", Path: path, Err: fault}
	}
	return nil
}
