package rootfs

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero/experimental/sys"

	"errand/build/must"
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
	must.Succeed(t, err)
	root.SetAccess(Access{FullAccess: true})
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

// TestOpenFilesAreCounted: files that a call left open count toward one limit for all
// folders. The folder that WASI keeps open does not count.
func TestOpenFilesAreCounted(t *testing.T) {
	account := &Account{OpenFiles: 3}
	var roots []*FS
	for range 2 {
		root, err := Open(t.TempDir(), true, account, nil)
		must.Succeed(t, err)
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
		if got := account.CountOpen(roots...); got != want {
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

// created is a new file in a folder of its own.
func created(t *testing.T, account *Account, quota *Quota) sys.File {
	t.Helper()
	root, err := Open(t.TempDir(), false, account, quota)
	must.Succeed(t, err)
	root.SetAccess(Access{FullAccess: true})
	t.Cleanup(func() { root.Close() })
	f, e := root.OpenFile("a", sys.O_CREAT|sys.O_RDWR, 0)
	if e != 0 {
		t.Fatal(e)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// TestHoles: what lies between a file's end and what is written beyond it counts as
// written, once, however the plugin gets there.
func TestHoles(t *testing.T) {
	account := &Account{OpenFiles: 10}
	quota := &Quota{Bytes: 1 << 20, MaxFile: 1 << 20}
	f := created(t, account, quota)
	for _, step := range []struct {
		name string
		do   func() sys.Errno
		cost uint64
	}{
		{"at an offset", func() sys.Errno { _, e := f.Pwrite([]byte("x"), 999); return e }, 1000},
		{"in the hole", func() sys.Errno { _, e := f.Pwrite([]byte("x"), 500); return e }, 1},
		{"after a seek", func() sys.Errno {
			if _, e := f.Seek(1999, 0); e != 0 {
				return e
			}
			_, e := f.Write([]byte("x"))
			return e
		}, 1000},
		{"and on from there", func() sys.Errno { _, e := f.Write([]byte("x")); return e }, 1},
		{"made longer", func() sys.Errno { return f.Truncate(3000) }, 999},
		{"at its end", func() sys.Errno { _, e := f.Pwrite([]byte("x"), 3000); return e }, 1},
	} {
		before := quota.writtenBytes
		if e := step.do(); e != 0 || quota.writtenBytes-before != step.cost {
			t.Errorf("%s: %d bytes counted (%v), want %d", step.name, quota.writtenBytes-before, e, step.cost)
		}
	}
}

// TestPauses: reading and writing much stops now and then to see whether the plugin
// may go on, and what is read and written is the same.
func TestPauses(t *testing.T) {
	paused := 0
	account := &Account{OpenFiles: 10, Pause: func() { paused++ }}
	f := created(t, account, &Quota{Bytes: 1 << 30, MaxFile: 1 << 30})
	text := make([]byte, 4*chunkSize+1)
	for i := range text {
		text[i] = byte(i / 1000)
	}
	rewound := func() {
		t.Helper()
		if _, e := f.Seek(0, 0); e != 0 {
			t.Fatal(e)
		}
	}
	into := make([]byte, len(text)+chunkSize)
	for _, step := range []struct {
		name string
		do   func() (int, sys.Errno)
	}{
		{"Write", func() (int, sys.Errno) { return f.Write(text) }},
		{"Read", func() (int, sys.Errno) { rewound(); return f.Read(into) }},
		{"Pwrite", func() (int, sys.Errno) { return f.Pwrite(text, 0) }},
		{"Pread", func() (int, sys.Errno) { return f.Pread(into, 0) }},
	} {
		paused = 0
		n, e := step.do()
		if n != len(text) || e != 0 || paused != 5 && paused != 6 { // one more finds a file's end
			t.Errorf("%s: %d of %d bytes, %v, with %d pauses", step.name, n, len(text), e, paused)
		}
		if reads := strings.HasSuffix(strings.ToLower(step.name), "read"); reads && !bytes.Equal(into[:n], text) {
			t.Errorf("%s read something else", step.name)
		}
		clear(into)
		if n, e := f.Pread(into, int64(len(text))); n != 0 || e != 0 {
			t.Errorf("%s: at the end %d bytes, %v", step.name, n, e)
		}
	}
}
