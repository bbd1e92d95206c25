//go:build unix

package rootfs

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tetratelabs/wazero/experimental/sys"

	"errand/build/must"
)

// TestBind: a plugin gets a file only as it was approved, and only while it stays so.
func TestBind(t *testing.T) {
	read := func(f *FS) sys.Errno { _, e := readAll(f, "safe/x"); return e }
	open := func(flag sys.Oflag) func(f *FS) sys.Errno {
		return func(f *FS) sys.Errno {
			file, e := f.OpenFile("safe/x", flag, 0)
			if e == 0 {
				file.Close()
			}
			return e
		}
	}
	twice := func(then func(f *FS) sys.Errno) func(f *FS) sys.Errno { // what the plugin wrote is its own
		return func(f *FS) sys.Errno {
			file, e := f.OpenFile("safe/x", sys.O_RDWR, 0)
			if e != 0 {
				return e
			}
			defer file.Close()
			if _, e := file.Write([]byte("mine")); e != 0 {
				return e
			}
			return then(f)
		}
	}
	tests := []struct {
		name string
		use  func(f *FS) sys.Errno
	}{
		{"read", read},
		{"opened for reading", open(sys.O_RDONLY)},
		{"opened for both", open(sys.O_RDWR)},
		{"truncated", open(sys.O_WRONLY | sys.O_TRUNC)},
		{"removed", func(f *FS) sys.Errno { return f.Unlink("safe/x") }},
		{"renamed", func(f *FS) sys.Errno { return f.Rename("safe/x", "safe/z") }},
		{"renamed over", func(f *FS) sys.Errno { return f.Rename("safe/y", "safe/x") }},
		{"written and read", twice(read)},
		{"written and removed", twice(func(f *FS) sys.Errno { return f.Unlink("safe/x") })},
	}
	for _, tt := range tests {
		for _, swapped := range []bool{false, true} {
			inside, f := twoFolders(t)
			file := filepath.Join(inside, "safe", "x")
			told := ""
			f.account.Changed = func(_ *FS, name string) { told = name }
			was, err := os.Stat(file)
			must.Succeed(t, err)
			at := place(inside, "safe/x")
			at.Bind = func(opened *os.File) func() bool {
				is, err := opened.Stat()
				if err != nil || !os.SameFile(is, was) {
					return nil
				}
				return func() bool { return true }
			}
			f.SetAccess(Access{Paths: []string{"safe"}, Places: []Place{at}})
			if swapped {
				must.Succeed(t, os.WriteFile(file+".new", []byte("thief"), 0o644))
				must.Succeed(t, os.Rename(file+".new", file))
			}
			e := tt.use(f)
			if swapped != (e == sys.EIO) || swapped != (told == "safe/x") || !swapped && e != 0 {
				t.Errorf("%s, swapped %t: errno %d, told %q", tt.name, swapped, e, told)
			}
			if b, err := os.ReadFile(file); swapped && (err != nil || string(b) != "thief") {
				t.Errorf("%s: the other file has %q, %v", tt.name, b, err)
			}
			if swapped && f.HasEffect() {
				t.Errorf("%s, swapped: it has an effect", tt.name)
			}
		}
	}
}

// TestBindWhileReading: a file that changes while the plugin reads it is not read on.
func TestBindWhileReading(t *testing.T) {
	inside, f := twoFolders(t)
	same := true
	at := place(inside, "safe/x")
	at.Bind = func(*os.File) func() bool { return func() bool { return same } }
	f.SetAccess(Access{Places: []Place{at}})
	file, e := f.OpenFile("safe/x", sys.O_RDONLY, 0)
	if e != 0 {
		t.Fatal(e)
	}
	defer file.Close()
	b := make([]byte, 2)
	if n, e := file.Read(b); n != 2 || e != 0 {
		t.Fatalf("%d bytes, errno %d", n, e)
	}
	same = false
	if n, e := file.Read(b); n != 0 || e != sys.EIO {
		t.Errorf("read on: %d bytes, errno %d", n, e)
	}
	if n, e := file.Pread(b, 0); n != 0 || e != sys.EIO {
		t.Errorf("read at a place: %d bytes, errno %d", n, e)
	}
}
