package rootfs

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/tetratelabs/wazero/experimental/sys"
)

// TestQuota: what is written is counted, however it is written, and a limit
// that is passed is told and changes nothing.
func TestQuota(t *testing.T) {
	var told []string
	account := &Account{OpenFiles: 10, Exceeded: func(limit string, value uint64) {
		told = append(told, fmt.Sprintf("%s %d", limit, value))
	}}
	quota := &Quota{Bytes: 20_000, MaxFile: 6000}
	inside := t.TempDir()
	root, err := Open(inside, false, account, quota)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	create := func(name string) sys.File {
		t.Helper()
		f, e := root.OpenFile(name, sys.O_CREAT|sys.O_RDWR, 0)
		if e != 0 {
			t.Fatal(e)
		}
		return f
	}
	steps := []struct {
		name string
		do   func(f sys.File) sys.Errno
		told string
		size int64 // of the file after it
	}{
		{"write", func(f sys.File) sys.Errno { _, e := f.Write(make([]byte, 4000)); return e }, "", 4000},
		{"write beyond the largest file", func(f sys.File) sys.Errno { _, e := f.Write(make([]byte, 2001)); return e }, "max_file 6000", 4000},
		{"far away", func(f sys.File) sys.Errno { _, e := f.Pwrite([]byte("x"), 1<<40); return e }, "max_file 6000", 4000},
		{"longer", func(f sys.File) sys.Errno { return f.Truncate(1 << 40) }, "max_file 6000", 4000},
		{"append", func(f sys.File) sys.Errno {
			if e := f.SetAppend(true); e != 0 {
				return e
			}
			_, e := f.Write(make([]byte, 2000))
			return e
		}, "", 6000},
		{"append beyond", func(f sys.File) sys.Errno { _, e := f.Write([]byte("x")); return e }, "max_file 6000", 6000},
		{"shorter", func(f sys.File) sys.Errno { return f.Truncate(10) }, "", 10},
		{"longer again", func(f sys.File) sys.Errno { return f.Truncate(5000) }, "", 5000},
		{"no longer append", func(f sys.File) sys.Errno { return f.SetAppend(false) }, "", 5000},
		{"over what is there", func(f sys.File) sys.Errno { _, e := f.Pwrite(make([]byte, 4000), 0); return e }, "", 5000},
		{"over it again", func(f sys.File) sys.Errno { _, e := f.Pwrite(make([]byte, 4000), 0); return e }, "quota 20000", 5000},
	}
	f := create("a")
	for _, s := range steps {
		told = nil
		e := s.do(f)
		if (e != 0) != (s.told != "") || s.told != "" && (len(told) != 1 || told[0] != s.told) {
			t.Errorf("%s: %v, told %q", s.name, e, told)
		}
		if info, err := os.Stat(filepath.Join(inside, "a")); err != nil || info.Size() != s.size {
			t.Errorf("%s: the file is %v, %v", s.name, info, err)
		}
	}
	f.Close()
	told = nil
	if e := root.Mkdir("d", 0); e == 0 || len(told) != 1 {
		t.Errorf("a folder beyond the quota: %v, %q", e, told)
	}
	if _, e := root.OpenFile("b", sys.O_CREAT|sys.O_RDWR, 0); e == 0 || len(told) != 2 {
		t.Errorf("a file beyond the quota: %v, %q", e, told)
	}
	if left, err := os.ReadDir(inside); err != nil || len(left) != 1 {
		t.Errorf("what is there: %v, %v", left, err)
	}
	quota.Begin()
	if e := root.Mkdir("d", 0); e != 0 {
		t.Errorf("a folder in the next call: %v", e)
	}
}

// TestLeft: files that a call left open are counted, the folder that WASI holds
// open isn't, and the limit is that of all folders together.
func TestLeft(t *testing.T) {
	account := &Account{OpenFiles: 3}
	var roots []*FS
	for range 2 {
		root, err := Open(t.TempDir(), true, account, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		roots = append(roots, root)
	}
	open := func(root *FS, want sys.Errno) sys.File {
		t.Helper()
		f, e := root.OpenFile(".", sys.O_RDONLY, fs.FileMode(0))
		if e != want {
			t.Fatalf("open: %v, want %v", e, want)
		}
		return f
	}
	left := func(want int) {
		t.Helper()
		if got := account.Left(roots...); got != want {
			t.Errorf("%d are left open, want %d", got, want)
		}
	}
	left(0)
	base := open(roots[0], 0)
	left(0)
	again := open(roots[0], 0)
	left(1)
	open(roots[1], 0)
	left(1)
	open(roots[1], sys.EAGAIN)
	again.Close()
	left(0)
	base.Close()
	left(0)
	open(roots[0], 0)
	left(1) // another may not take the place of the first
}
