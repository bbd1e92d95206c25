package mount

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"errand/build/must"
)

// TestOf compares the mounts of files: a bind mount has the device of its source.
func TestOf(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a/x", "bound/x", "tmp/x"} {
		must.Succeed(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700))
		must.Succeed(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	must.Succeed(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	mount := func(source, target, kind string, flags uintptr) {
		target = filepath.Join(dir, target)
		if err := syscall.Mount(filepath.Join(dir, source), target, kind, flags, ""); err != nil {
			t.Skipf("mounting is not permitted: %v", err)
		}
		t.Cleanup(func() { syscall.Unmount(target, syscall.MNT_DETACH) })
	}
	mount("a", "bound", "", syscall.MS_BIND)
	mount("a/x", "file", "", syscall.MS_BIND)
	mount("none", "tmp", "tmpfs", 0)
	of := func(name string) ID {
		f, err := os.Open(filepath.Join(dir, name))
		must.Succeed(t, err)
		defer f.Close()
		id, err := Of(f)
		must.Succeed(t, err)
		if at, err := At(filepath.Join(dir, name)); err != nil || at != id {
			t.Errorf("%s: at the path %v, %v; open %v", name, at, err, id)
		}
		return id
	}
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"a", ".", true},
		{"a/x", "a", true},
		{"bound", ".", false},
		{"bound/x", "bound", true},
		{"bound/x", "a/x", false},
		{"file", ".", false},
		{"file", "bound", false},
		{"tmp", ".", false},
	} {
		if same := of(tt.a) == of(tt.b); same != tt.same {
			t.Errorf("%s and %s: the same mount: %t", tt.a, tt.b, same)
		}
	}
}

// TestDeviceOnly checks kernels that don't tell the mount.
func TestDeviceOnly(t *testing.T) {
	f, err := os.Open(t.TempDir())
	must.Succeed(t, err)
	defer f.Close()
	fd := int(f.Fd())
	want, err := deviceOf(fd)
	must.Succeed(t, err)
	if want.device == 0 || want.mount != 0 {
		t.Errorf("the device is %+v", want)
	}
	for name, call := range map[string]statx{
		"without the call": func(int, string, int, int, *unix.Statx_t) error { return unix.ENOSYS },
		"refused":          func(int, string, int, int, *unix.Statx_t) error { return unix.EPERM },
		"without the mount's number": func(fd int, path string, flags, _ int, st *unix.Statx_t) error {
			err := unix.Statx(fd, path, flags, 0, st)
			st.Mask &^= unix.STATX_MNT_ID
			return err
		},
	} {
		if got, err := read(fd, call); err != nil || got != want {
			t.Errorf("%s: %+v, %v; want %+v", name, got, err, want)
		}
	}
	if _, err := read(-1, unix.Statx); err == nil {
		t.Error("no error for a file that is not open")
	}
}
