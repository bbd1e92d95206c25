//go:build unix

package rootfs

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tetratelabs/wazero/experimental/sys"

	"errand/build/must"
)

// scene is a folder to be shown, beside one that must not be, with links from
// one to the other.
type scene struct {
	inside, outside string
	*FS
}

func newScene(t *testing.T, readOnly bool) scene {
	t.Helper()
	base := t.TempDir()
	s := scene{inside: filepath.Join(base, "inside"), outside: filepath.Join(base, "outside")}
	for _, dir := range []string{s.inside, s.outside, filepath.Join(s.inside, "dir"), filepath.Join(s.outside, "dir")} {
		must.Succeed(t, os.Mkdir(dir, 0o700))
	}
	must.Succeed(t, os.WriteFile(filepath.Join(s.inside, "file"), []byte("inside"), 0o600))
	must.Succeed(t, os.WriteFile(filepath.Join(s.inside, "dir/file"), []byte("deeper"), 0o600))
	must.Succeed(t, os.WriteFile(filepath.Join(s.outside, "secret"), []byte("secret"), 0o600))
	for link, target := range map[string]string{
		"abs":        filepath.Join(s.outside, "secret"),
		"absdir":     s.outside,
		"rel":        "../outside/secret",
		"reldir":     "../outside",
		"dir/up":     "../../outside/secret",
		"chain":      "reldir/secret",
		"root":       "/",
		"etc":        "/etc",
		"ok":         "dir/file",
		"okdir":      "dir",
		"loop":       "loop",
		"dangling":   "../outside/new",
		"danglingin": "new",
	} {
		must.Succeed(t, os.Symlink(target, filepath.Join(s.inside, link)))
	}
	var err error
	s.FS, err = Open(s.inside, readOnly, &Account{OpenFiles: maxOpen}, &Quota{Bytes: 1 << 30, MaxFile: 1 << 30})
	must.Succeed(t, err)
	s.SetAccess(Access{FullAccess: true})
	t.Cleanup(func() {
		must.Succeed(t, s.Close())
		// Whatever was tried, nothing outside has changed.
		if b, err := os.ReadFile(filepath.Join(s.outside, "secret")); err != nil || string(b) != "secret" {
			t.Errorf("the secret outside is %q now (%v)", b, err)
		}
		entries, err := os.ReadDir(s.outside)
		must.Succeed(t, err)
		if len(entries) != 2 {
			t.Errorf("the folder outside holds %v now", entries)
		}
		if n := s.account.open; n != 0 {
			t.Errorf("%d files are counted as open at the end", n)
		}
	})
	return s
}

// escapes are ways to name what lies outside.
var escapes = []string{
	"abs", "rel", "chain", "dir/up", "absdir/secret", "reldir/secret", "okdir/up", "okdir/../reldir/secret",
	"root/etc/passwd", "etc/passwd", "dangling",
	"../outside/secret", "dir/../../outside/secret", "./../outside/secret", "../../../../../../etc/passwd", "..", "dir/../..",
	"absdir/../outside/secret", "reldir/../outside/secret", "reldir/dir/../secret",
}

// TestNoEscape tries every operation on every way out.
func TestNoEscape(t *testing.T) {
	for _, p := range escapes {
		t.Run(p, func(t *testing.T) {
			s := newScene(t, false)
			for _, flag := range []sys.Oflag{
				sys.O_RDONLY, sys.O_RDWR, sys.O_WRONLY, sys.O_RDWR | sys.O_CREAT, sys.O_WRONLY | sys.O_CREAT | sys.O_TRUNC,
				sys.O_RDWR | sys.O_CREAT | sys.O_EXCL, sys.O_RDWR | sys.O_APPEND, sys.O_RDONLY | sys.O_DIRECTORY, sys.O_RDONLY | sys.O_NOFOLLOW,
			} {
				if f, e := s.OpenFile(p, flag, 0); e == 0 {
					f.Close()
					t.Errorf("OpenFile with flags %#x worked", flag)
				}
			}
			if _, e := s.Stat(p); e == 0 {
				t.Error("Stat worked")
			}
			if e := s.Mkdir(p+"/new", 0); e == 0 {
				t.Error("Mkdir worked")
			}
			if e := s.Rename("file", path.Join(p, "moved")); e == 0 {
				t.Error("Rename out worked")
			}
			if e := s.Rename(p+"/secret", "moved"); e == 0 {
				t.Error("Rename in worked")
			}
			if e := s.Unlink(p + "/secret"); e == 0 {
				t.Error("Unlink worked")
			}
			if e := s.Rmdir(p + "/dir"); e == 0 {
				t.Error("Rmdir worked")
			}
			if e := s.Utimens(p, 0, 0); e == 0 {
				t.Error("Utimens worked")
			}
			if e := s.Link(p, "hard"); e == 0 {
				t.Error("Link worked")
			}
			if e := s.Symlink("../outside/secret", "soft"); e == 0 {
				t.Error("Symlink worked")
			}
			if e := s.Chmod(p, 0o777); e == 0 {
				t.Error("Chmod worked")
			}
		})
	}
}

// TestFolderMovedAway: renaming what a path leads through can't turn an open
// folder's path into one that leads out.
func TestFolderMovedAway(t *testing.T) {
	s := newScene(t, false)
	if e := s.Mkdir("a", 0); e != 0 {
		t.Fatal(e)
	}
	if e := s.Mkdir("a/b", 0); e != 0 {
		t.Fatal(e)
	}
	// a/b/../../outside is inside/outside, which is not there, whatever a is.
	must.Succeed(t, os.Rename(filepath.Join(s.inside, "a/b"), filepath.Join(s.inside, "b")))
	must.Succeed(t, os.Symlink(s.outside, filepath.Join(s.inside, "a/b")))
	if _, e := s.OpenFile("a/b/secret", sys.O_RDONLY, 0); e == 0 {
		t.Error("a link that took a folder's place was followed")
	}
	// The folder itself may move: its handle stays where it is.
	must.Succeed(t, os.Rename(s.inside, s.inside+"-moved"))
	must.Succeed(t, os.Symlink(s.outside, s.inside))
	if _, e := s.OpenFile("secret", sys.O_RDONLY, 0); e == 0 {
		t.Error("a link that took the root's place was followed")
	}
}

func TestNotFiles(t *testing.T) {
	s := newScene(t, false)
	must.Succeed(t, syscall.Mkfifo(filepath.Join(s.inside, "pipe"), 0o600))
	for _, flag := range []sys.Oflag{sys.O_RDONLY, sys.O_WRONLY, sys.O_RDWR} {
		if _, e := s.OpenFile("pipe", flag, 0); e != sys.EPERM {
			t.Errorf("opening a pipe with flags %#x: %v", flag, e)
		}
	}
	if e := s.Unlink("pipe"); e != 0 {
		t.Errorf("a pipe may be removed: %v", e)
	}
}

// TestHardLinks: a file that has another name, which may lie outside, is read and
// removed by the name inside, and never changed.
func TestHardLinks(t *testing.T) {
	s := newScene(t, false)
	must.Succeed(t, os.Link(filepath.Join(s.outside, "secret"), filepath.Join(s.inside, "hard")))
	before, err := os.Stat(filepath.Join(s.outside, "secret"))
	must.Succeed(t, err)
	for _, flag := range []sys.Oflag{
		sys.O_WRONLY, sys.O_RDWR | sys.O_TRUNC, sys.O_WRONLY | sys.O_CREAT | sys.O_TRUNC, sys.O_RDWR | sys.O_APPEND,
	} {
		if e := opens(s.FS, "hard", flag); e != sys.EPERM {
			t.Errorf("opening with flags %#x: %v", flag, e)
		}
	}
	f, e := s.OpenFile("hard", sys.O_RDWR, 0) // every right, by a toolchain that asks for all
	if e != 0 {
		t.Fatal(e)
	}
	if _, e := f.Write([]byte("changed")); e == 0 {
		t.Error("Write worked")
	}
	if e := f.Truncate(0); e == 0 {
		t.Error("Truncate worked")
	}
	if e := f.Utimens(0, 0); e != sys.EPERM {
		t.Errorf("Utimens of an open file: %v", e)
	}
	f.Close()
	if e := s.Utimens("hard", 0, 0); e != sys.EPERM {
		t.Errorf("Utimens: %v", e)
	}
	if after, err := os.Stat(filepath.Join(s.outside, "secret")); err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("its time is %v, was %v (%v)", after.ModTime(), before.ModTime(), err)
	}
	if got := content(t, s.FS, "hard"); got != "secret" {
		t.Errorf("it reads %q", got)
	}
	if e := s.Rename("file", "hard"); e != 0 { // which takes the name from it
		t.Errorf("Rename over it: %v", e)
	}
	must.Succeed(t, os.Link(filepath.Join(s.outside, "secret"), filepath.Join(s.inside, "again")))
	if e := s.Unlink("again"); e != 0 {
		t.Errorf("Unlink: %v", e)
	}
}

func TestReadOnly(t *testing.T) {
	s := newScene(t, true)
	if got := content(t, s.FS, "ok"); got != "deeper" {
		t.Errorf("a link inside leads to %q", got)
	}
	tests := map[string]func() sys.Errno{
		"create":   func() sys.Errno { return opens(s.FS, "new", sys.O_RDWR|sys.O_CREAT) },
		"write":    func() sys.Errno { return opens(s.FS, "file", sys.O_WRONLY) },
		"truncate": func() sys.Errno { return opens(s.FS, "file", sys.O_RDWR|sys.O_TRUNC) },
		"append":   func() sys.Errno { return opens(s.FS, "file", sys.O_RDWR|sys.O_APPEND) },
		"mkdir":    func() sys.Errno { return s.Mkdir("new", 0) },
		"rename":   func() sys.Errno { return s.Rename("file", "new") },
		"unlink":   func() sys.Errno { return s.Unlink("file") },
		"rmdir":    func() sys.Errno { return s.Rmdir("dir") },
		"utimens":  func() sys.Errno { return s.Utimens("file", 0, 0) },
		"chmod":    func() sys.Errno { return s.Chmod("file", 0) },
		"link":     func() sys.Errno { return s.Link("file", "new") },
		"symlink":  func() sys.Errno { return s.Symlink("file", "new") },
	}
	for name, try := range tests {
		if e := try(); e != sys.EROFS {
			t.Errorf("%s: %v, want %v", name, e, sys.EROFS)
		}
	}
	f, e := s.OpenFile("file", sys.O_RDWR, 0) // as toolchains open what they only read
	if e != 0 {
		t.Fatal(e)
	}
	defer f.Close()
	if _, e := f.Write([]byte("x")); e != sys.EBADF {
		t.Errorf("write: %v", e)
	}
	if e := f.Truncate(0); e != sys.EBADF {
		t.Errorf("truncate: %v", e)
	}
	if e := f.Utimens(0, 0); e != sys.EROFS {
		t.Errorf("utimens: %v", e)
	}
}

func opens(f *FS, name string, flag sys.Oflag) sys.Errno {
	file, e := f.OpenFile(name, flag, 0)
	if e == 0 {
		file.Close()
	}
	return e
}

func content(t *testing.T, f *FS, name string) string {
	t.Helper()
	file, e := f.OpenFile(name, sys.O_RDONLY, 0)
	if e != 0 {
		t.Fatalf("open %s: %v", name, e)
	}
	defer file.Close()
	var out []byte
	buf := make([]byte, 4)
	for {
		n, e := file.Read(buf)
		if e != 0 {
			t.Fatal(e)
		}
		if n == 0 {
			return string(out)
		}
		out = append(out, buf[:n]...)
	}
}

func TestWork(t *testing.T) {
	s := newScene(t, false)
	f, e := s.OpenFile("new", sys.O_RDWR|sys.O_CREAT|sys.O_EXCL, 0)
	if e != 0 {
		t.Fatal(e)
	}
	if n, e := f.Write([]byte("0123456789")); n != 10 || e != 0 {
		t.Errorf("Write: %d, %v", n, e)
	}
	if n, e := f.Pwrite([]byte("ab"), 3); n != 2 || e != 0 {
		t.Errorf("Pwrite: %d, %v", n, e)
	}
	if e := f.Truncate(8); e != 0 {
		t.Errorf("Truncate: %v", e)
	}
	buf := make([]byte, 3)
	if n, e := f.Pread(buf, 2); n != 3 || e != 0 || string(buf) != "2ab" {
		t.Errorf("Pread: %d, %v, %q", n, e, buf)
	}
	if at, e := f.Seek(2, io.SeekStart); at != 2 || e != 0 {
		t.Errorf("Seek: %d, %v", at, e)
	}
	if e := f.SetAppend(true); e != 0 || !f.IsAppend() {
		t.Errorf("SetAppend: %v", e)
	}
	if at, _ := f.Seek(0, io.SeekCurrent); at != 2 {
		t.Errorf("SetAppend moved the offset to %d", at)
	}
	if _, e := f.Write([]byte("!")); e != 0 {
		t.Errorf("append: %v", e)
	}
	for name, e := range map[string]sys.Errno{"Sync": f.Sync(), "Datasync": f.Datasync(), "Utimens": f.Utimens(sys.UTIME_OMIT, 1e9), "Close": f.Close()} {
		if e != 0 {
			t.Errorf("%s: %v", name, e)
		}
	}
	if got := content(t, s.FS, "new"); got != "012ab567!" {
		t.Errorf("content is %q", got)
	}
	st, e := s.Stat("new")
	if e != 0 || st.Size != 9 || st.Mtim != 1e9 {
		t.Errorf("Stat: %+v, %v", st, e)
	}

	if e := opens(s.FS, "new", sys.O_RDWR|sys.O_CREAT|sys.O_EXCL); e != sys.EEXIST {
		t.Errorf("create again: %v", e)
	}
	if e := opens(s.FS, "dir", sys.O_RDWR); e != sys.EISDIR {
		t.Errorf("write to a folder: %v", e)
	}
	for _, flag := range []sys.Oflag{sys.O_RDWR, sys.O_WRONLY, sys.O_TRUNC} {
		for _, name := range []string{"dir", ".", "okdir"} {
			if e := opens(s.FS, name, flag|sys.O_DIRECTORY); e != sys.EISDIR && name != "okdir" || e == 0 {
				t.Errorf("write to the folder %s, as a folder: %v", name, e)
			}
		}
	}
	if e := opens(s.FS, "file", sys.O_RDONLY|sys.O_DIRECTORY); e != sys.ENOTDIR {
		t.Errorf("file as a folder: %v", e)
	}
	if e := opens(s.FS, "file/", sys.O_RDONLY); e != sys.ENOTDIR {
		t.Errorf("file with a slash: %v", e)
	}
	if e := opens(s.FS, "loop", sys.O_RDONLY); e == 0 {
		t.Error("a link to itself was opened")
	}
	if e := s.Rmdir("dir"); e != sys.ENOTEMPTY {
		t.Errorf("Rmdir of a full folder: %v", e)
	}
	if e := s.Rmdir("file"); e != sys.ENOTDIR {
		t.Errorf("Rmdir of a file: %v", e)
	}
	if e := s.Unlink("dir"); e != sys.EISDIR {
		t.Errorf("Unlink of a folder: %v", e)
	}
	for _, e := range []sys.Errno{s.Rmdir("."), s.Rename(".", "x"), s.Mkdir(".", 0)} {
		if e == 0 {
			t.Error("the folder itself was changed")
		}
	}
	if e := s.Unlink("absdir"); e != 0 { // the link, not what it leads to
		t.Errorf("Unlink of a link: %v", e)
	}
	if target, e := s.Readlink("ok"); target != "dir/file" || e != 0 {
		t.Errorf("Readlink: %q, %v", target, e)
	}
}

func TestReaddir(t *testing.T) {
	s := newScene(t, false)
	d, e := s.OpenFile("dir/", sys.O_RDONLY|sys.O_DIRECTORY, 0)
	if e != 0 {
		t.Fatal(e)
	}
	defer d.Close()
	if isDir, _ := d.IsDir(); !isDir {
		t.Error("a folder is none")
	}
	for range 2 {
		var got []string
		for {
			entries, e := d.Readdir(1)
			if e != 0 {
				t.Fatal(e)
			}
			if len(entries) == 0 {
				break
			}
			kind := "file"
			if entries[0].Type&fs.ModeSymlink != 0 {
				kind = "link"
			}
			got = append(got, entries[0].Name+" "+kind)
			if st, e := s.Lstat("dir/" + entries[0].Name); e != 0 || st.Ino != entries[0].Ino || st.Ino == 0 {
				t.Errorf("%s has the number %d, Lstat has %d (%v)", entries[0].Name, entries[0].Ino, st.Ino, e)
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff([]string{"file file", "up link"}, got); diff != "" {
			t.Errorf("entries (-want +got):\n%s", diff)
		}
		if _, e := d.Seek(0, io.SeekStart); e != 0 {
			t.Fatal(e)
		}
	}
	if _, e := d.Read(make([]byte, 1)); e != sys.EISDIR {
		t.Errorf("Read of a folder: %v", e)
	}
	if _, e := d.Write([]byte("x")); e != sys.EISDIR {
		t.Errorf("Write to a folder: %v", e)
	}
}

const maxOpen = 128

func TestMaxOpen(t *testing.T) {
	s := newScene(t, false)
	var files []sys.File
	for range maxOpen {
		f, e := s.OpenFile("file", sys.O_RDONLY, 0)
		if e != 0 {
			t.Fatal(e)
		}
		files = append(files, f)
	}
	if e := opens(s.FS, "file", sys.O_RDONLY); e != sys.EAGAIN {
		t.Errorf("one more: %v", e)
	}
	files[0].Close()
	files[0].Close() // twice counts once
	if e := opens(s.FS, "file", sys.O_RDONLY); e != 0 {
		t.Errorf("after one was closed: %v", e)
	}
	for _, f := range files {
		f.Close()
	}
}

func TestErrno(t *testing.T) {
	tests := []struct {
		err  error
		want sys.Errno
	}{
		{nil, 0},
		{io.EOF, 0},
		{sys.EROFS, sys.EROFS},
		{&fs.PathError{Err: syscall.ENOTEMPTY}, sys.ENOTEMPTY},
		{&os.LinkError{Err: syscall.EXDEV}, sys.EIO},
		{fs.ErrNotExist, sys.ENOENT},
		{fs.ErrExist, sys.EEXIST},
		{fs.ErrClosed, sys.EBADF},
		{fs.ErrInvalid, sys.EINVAL},
		{errors.New("path escapes from parent"), sys.EPERM},
	}
	for _, tt := range tests {
		if got := errno(tt.err); got != tt.want {
			t.Errorf("errno(%v) = %v, want %v", tt.err, got, tt.want)
		}
	}
}

// FuzzPaths: whatever a path is, what it opens is inside.
func FuzzPaths(f *testing.F) {
	for _, p := range escapes {
		f.Add(p)
	}
	f.Add("file")
	f.Add("\x00")
	f.Add(strings.Repeat("dir/../", 500) + "file")
	base := f.TempDir()
	inside := filepath.Join(base, "inside")
	for _, dir := range []string{inside, filepath.Join(base, "outside"), filepath.Join(inside, "dir")} {
		must.Succeed(f, os.Mkdir(dir, 0o700))
	}
	for name, text := range map[string]string{"inside/file": "inside", "inside/dir/file": "inside", "outside/secret": "outside"} {
		must.Succeed(f, os.WriteFile(filepath.Join(base, name), []byte(text), 0o600))
	}
	for link, target := range map[string]string{"up": "..", "dir/up": "../..", "abs": base, "ok": "dir"} {
		must.Succeed(f, os.Symlink(target, filepath.Join(inside, link)))
	}
	root, err := Open(inside, true, &Account{OpenFiles: maxOpen}, nil)
	must.Succeed(f, err)
	f.Cleanup(func() { root.Close() })
	f.Fuzz(func(t *testing.T, p string) {
		file, e := root.OpenFile(p, sys.O_RDONLY, 0)
		if e != 0 {
			return
		}
		defer file.Close()
		if isDir, _ := file.IsDir(); isDir {
			return
		}
		buf := make([]byte, 16)
		if n, e := file.Read(buf); e != 0 || string(buf[:n]) != "inside" {
			t.Errorf("%q opened %q (%v)", p, buf[:n], e)
		}
	})
}
