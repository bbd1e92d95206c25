//go:build linux

package rootfs

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/tetratelabs/wazero/experimental/sys"

	"errand/build/must"
)

// TestTrailingSlash: a path with a slash at its end means a folder, for each
// operation on each kind of thing, as this system's own calls have it. Otherwise is
// only what POSIX says of creating what is a file.
func TestTrailingSlash(t *testing.T) {
	operations := []struct {
		name  string
		guest func(s scene, name string) sys.Errno
		host  func(dir, name string) error // the same by the system
	}{
		{"open", func(s scene, n string) sys.Errno { return opens(s.FS, n, sys.O_RDONLY) }, func(dir, n string) error { return opened(dir, n, 0) }},
		{"open to write", func(s scene, n string) sys.Errno { return opens(s.FS, n, sys.O_WRONLY) }, func(dir, n string) error { return opened(dir, n, syscall.O_WRONLY) }},
		{"open a folder", func(s scene, n string) sys.Errno { return opens(s.FS, n, sys.O_RDONLY|sys.O_DIRECTORY) }, func(dir, n string) error { return opened(dir, n, syscall.O_DIRECTORY) }},
		{"open no link", func(s scene, n string) sys.Errno { return opens(s.FS, n, sys.O_RDONLY|sys.O_NOFOLLOW) }, func(dir, n string) error { return opened(dir, n, syscall.O_NOFOLLOW) }},
		{"create", func(s scene, n string) sys.Errno { return opens(s.FS, n, sys.O_RDWR|sys.O_CREAT) }, func(dir, n string) error { return opened(dir, n, syscall.O_RDWR|syscall.O_CREAT) }},
		{"stat", func(s scene, n string) sys.Errno { _, e := s.Stat(n); return e }, func(dir, n string) error { return syscall.Stat(dir+"/"+n, new(syscall.Stat_t)) }},
		{"lstat", func(s scene, n string) sys.Errno { _, e := s.Lstat(n); return e }, func(dir, n string) error { return syscall.Lstat(dir+"/"+n, new(syscall.Stat_t)) }},
		{"readlink", func(s scene, n string) sys.Errno { _, e := s.Readlink(n); return e }, func(dir, n string) error { _, err := syscall.Readlink(dir+"/"+n, make([]byte, 99)); return err }},
		{"mkdir", func(s scene, n string) sys.Errno { return s.Mkdir(n, 0) }, func(dir, n string) error { return syscall.Mkdir(dir+"/"+n, 0o700) }},
		{"rmdir", func(s scene, n string) sys.Errno { return s.Rmdir(n) }, func(dir, n string) error { return syscall.Rmdir(dir + "/" + n) }},
		{"unlink", func(s scene, n string) sys.Errno { return s.Unlink(n) }, func(dir, n string) error { return syscall.Unlink(dir + "/" + n) }},
		{"rename from", func(s scene, n string) sys.Errno { return s.Rename(n, "moved") }, func(dir, n string) error { return syscall.Rename(dir+"/"+n, dir+"/moved") }},
		{"rename a file to", func(s scene, n string) sys.Errno { return s.Rename("dir/file", n) }, func(dir, n string) error { return syscall.Rename(dir+"/dir/file", dir+"/"+n) }},
		{"rename a folder to", func(s scene, n string) sys.Errno { return s.Rename("dir", n) }, func(dir, n string) error { return syscall.Rename(dir+"/dir", dir+"/"+n) }},
		{"set times", func(s scene, n string) sys.Errno { return s.Utimens(n, 1, 1) }, func(dir, n string) error { return syscall.Utimes(dir+"/"+n, make([]syscall.Timeval, 2)) }},
	}
	otherwise := map[string]sys.Errno{
		"create file/": sys.ENOTDIR, "create ok/": sys.ENOTDIR,
	}
	for _, op := range operations {
		for _, name := range []string{"file/", "empty/", "dir/", "ok/", "okdir/", "nothing/", "dangling_in/"} {
			t.Run(op.name+" "+name, func(t *testing.T) {
				s := newScene(t, false)
				dir := t.TempDir()
				must.Succeed(t, os.Mkdir(filepath.Join(dir, "dir"), 0o700))
				must.Succeed(t, os.WriteFile(filepath.Join(dir, "file"), []byte("inside"), 0o600))
				must.Succeed(t, os.WriteFile(filepath.Join(dir, "dir/file"), []byte("deeper"), 0o600))
				must.Succeed(t, os.Symlink("dir/file", filepath.Join(dir, "ok")))
				must.Succeed(t, os.Symlink("dir", filepath.Join(dir, "okdir")))
				for _, folder := range []string{dir, s.inside} {
					must.Succeed(t, os.Mkdir(filepath.Join(folder, "empty"), 0o700))
					must.Succeed(t, os.Symlink("not-there", filepath.Join(folder, "dangling_in")))
				}
				want := otherwise[op.name+" "+name]
				if err := op.host(dir, name); want == 0 && err != nil {
					var no syscall.Errno
					if !errors.As(err, &no) {
						t.Fatal(err)
					}
					want = sys.UnwrapOSError(no)
				}
				if got := op.guest(s, name); got != want {
					t.Errorf("%v, the system says %v", got, want)
				}
			})
		}
	}
}

func opened(dir, name string, flags int) error {
	fd, err := syscall.Open(dir+"/"+name, flags, 0o600)
	if err == nil {
		err = syscall.Close(fd)
	}
	return err
}
