//go:build unix

package rootfs

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tetratelabs/wazero/experimental/sys"

	"errand/build/must"
)

// TestAccess: a call changes what its access permits, wherever links lead, and nothing
// else.
func TestAccess(t *testing.T) {
	write := func(name string) func(*FS) sys.Errno {
		return func(f *FS) sys.Errno {
			file, e := f.OpenFile(name, sys.O_CREAT|sys.O_WRONLY|sys.O_TRUNC, 0)
			if e == 0 {
				_, e = file.Write([]byte("changed"))
				file.Close()
			}
			return e
		}
	}
	mkdir := func(name string) func(*FS) sys.Errno { return func(f *FS) sys.Errno { return f.Mkdir(name, 0) } }
	unlink := func(name string) func(*FS) sys.Errno { return func(f *FS) sys.Errno { return f.Unlink(name) } }
	rename := func(from, to string) func(*FS) sys.Errno {
		return func(f *FS) sys.Errno { return f.Rename(from, to) }
	}
	both := func(first, second func(*FS) sys.Errno) func(*FS) sys.Errno {
		return func(f *FS) sys.Errno {
			if e := first(f); e != 0 {
				return e
			}
			return second(f)
		}
	}
	for _, tt := range []struct {
		name   string
		access Access
		do     func(*FS) sys.Errno
		want   sys.Errno
	}{
		{"nothing", Access{}, write("dir/file"), sys.EROFS},
		{"nothing, by a new file", Access{}, write("new"), sys.EROFS},
		{"nothing, by a removal", Access{}, unlink("dir/file"), sys.EROFS},
		{"everything", Access{FullAccess: true}, write("dir/file"), 0},
		{"the file itself", Access{Paths: []string{"dir/file"}}, write("dir/file"), 0},
		{"the file is removed", Access{Paths: []string{"dir/file"}}, unlink("dir/file"), 0},
		{"a file beside it", Access{Paths: []string{"dir/file"}}, write("other/file"), sys.EACCES},
		{"a name that begins alike", Access{Paths: []string{"dir/file"}}, write("dir/file2"), sys.EACCES},
		{"its folder", Access{Paths: []string{"dir/file"}}, func(f *FS) sys.Errno { return f.Rmdir("dir") }, sys.EACCES},
		{"a file in the folder", Access{Paths: []string{"dir"}}, write("dir/new"), 0},
		{"the folder with a dot", Access{Paths: []string{"./other/../dir/"}}, write("dir/new"), 0},
		{"another way to write it", Access{Paths: []string{"dir"}}, write("other/../dir/./new"), 0},
		{"out of the folder by dots", Access{Paths: []string{"dir"}}, write("dir/../other/file"), sys.EACCES},
		{"the whole root", Access{Paths: []string{"."}}, write("other/file"), 0},
		{"a new file and its folders", Access{Paths: []string{"a/b/c"}}, both(both(mkdir("a"), mkdir("a/b")), write("a/b/c")), 0},
		{"folders that the call created are removed again", Access{Paths: []string{"a/b"}}, both(mkdir("a"), func(f *FS) sys.Errno { return f.Rmdir("a") }), 0},
		{"a folder above that was there", Access{Paths: []string{"empty/b"}}, func(f *FS) sys.Errno { return f.Rmdir("empty") }, sys.EACCES},
		{"another folder", Access{Paths: []string{"a/b"}}, mkdir("c"), sys.EACCES},
		{"another file in a folder that the call created", Access{Paths: []string{"a/b"}}, both(mkdir("a"), write("a/c")), sys.EACCES},
		{"a folder above that is there", Access{Paths: []string{"dir/a"}}, mkdir("dir"), sys.EEXIST},
		{"a file itself", Access{Itself: []string{"dir/file"}}, write("dir/file"), 0},
		{"a file itself is removed", Access{Itself: []string{"dir/file"}}, unlink("dir/file"), 0},
		{"a folder itself, not its files", Access{Itself: []string{"dir"}}, write("dir/file"), sys.EACCES},
		{"a folder itself, not a new file", Access{Itself: []string{"dir"}}, write("dir/new"), sys.EACCES},
		{"a folder itself, by a link", Access{Itself: []string{"dir/aside"}}, write("other/file"), sys.EACCES},
		{"a folder itself is removed", Access{Itself: []string{"empty"}}, func(f *FS) sys.Errno { return f.Rmdir("empty") }, 0},
		{"a folder itself, after the call created it", Access{Itself: []string{"a"}}, both(mkdir("a"), write("a/b")), sys.EACCES},
		{"a new folder itself and those above", Access{Itself: []string{"a/b"}}, both(mkdir("a"), mkdir("a/b")), 0},
		{"the root itself", Access{Itself: []string{"."}}, write("new"), sys.EACCES},
		{"a folder itself is not moved with its files", Access{Itself: []string{"dir", "new"}}, rename("dir", "new"), sys.EACCES},
		{"a folder itself is not moved into another", Access{Itself: []string{"dir"}, Paths: []string{"other"}}, rename("dir", "other/dir"), sys.EACCES},
		{"a folder is not moved to a place itself", Access{Itself: []string{"new"}, Paths: []string{"other"}}, rename("other", "new"), sys.EACCES},
		{"a folder is moved as a whole", Access{Paths: []string{"dir", "new"}}, rename("dir", "new"), 0},
		{"a file itself is moved", Access{Itself: []string{"dir/file", "new"}}, rename("dir/file", "new"), 0},
		{"a folder itself, and all in another", Access{Itself: []string{"dir"}, Paths: []string{"other"}}, write("other/file"), 0},
		{"a link leads to another folder", Access{Paths: []string{"dir"}}, write("dir/aside/file"), sys.EACCES},
		{"a link leads to another file", Access{Paths: []string{"dir"}}, write("dir/asidefile"), sys.EACCES},
		{"a link leads to no file yet", Access{Paths: []string{"dir"}}, write("dir/asidenew"), sys.EACCES},
		{"a link is removed", Access{Paths: []string{"dir"}}, unlink("dir/asidefile"), 0},
		{"a named link stands for its target", Access{Paths: []string{"dir/aside"}}, write("dir/aside/file"), 0},
		{"and for the target's own path", Access{Paths: []string{"dir/aside"}}, write("other/file"), 0},
		{"a link out of the root", Access{Paths: []string{"out"}}, write("out/x"), sys.EPERM},
		{"a file is moved in", Access{Paths: []string{"dir"}}, rename("other/file", "dir/new"), sys.EACCES},
		{"a file is moved out", Access{Paths: []string{"dir"}}, rename("dir/file", "other/new"), sys.EACCES},
		{"a file is moved inside", Access{Paths: []string{"dir"}}, rename("dir/file", "dir/new"), 0},
		{"times", Access{Paths: []string{"dir"}}, func(f *FS) sys.Errno { return f.Utimens("other/file", 1, 1) }, sys.EACCES},
		{"times by a link", Access{Paths: []string{"dir"}}, func(f *FS) sys.Errno { return f.Utimens("dir/asidefile", 1, 1) }, sys.EACCES},
		{"reading elsewhere with all rights", Access{Paths: []string{"dir"}}, func(f *FS) sys.Errno {
			file, e := f.OpenFile("other/file", sys.O_RDWR, 0)
			if e != 0 {
				return e
			}
			defer file.Close()
			if _, e := file.Write([]byte("x")); e != sys.EBADF {
				t.Errorf("writing: %v, want %v", e, sys.EBADF)
			}
			_, e = file.Read(make([]byte, 1))
			return e
		}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inside := t.TempDir()
			for _, dir := range []string{"dir", "other", "empty"} {
				must.Succeed(t, os.Mkdir(filepath.Join(inside, dir), 0o755))
			}
			for _, file := range []string{"dir/file", "other/file"} {
				must.Succeed(t, os.WriteFile(filepath.Join(inside, file), []byte("mine"), 0o644))
			}
			for link, target := range map[string]string{"dir/aside": "../other", "dir/asidefile": "../other/file", "dir/asidenew": "../other/none", "out": "../../out"} {
				must.Succeed(t, os.Symlink(target, filepath.Join(inside, link)))
			}
			var outside []string
			f, err := Open(inside, false, &Account{OpenFiles: maxOpen, Denied: func(_ *FS, name string) { outside = append(outside, name) }}, &Quota{Bytes: 1 << 30, MaxFile: 1 << 30})
			must.Succeed(t, err)
			defer f.Close()
			f.SetAccess(tt.access)
			if e := tt.do(f); e != tt.want {
				t.Errorf("%v, want %v", e, tt.want)
			}
			if (len(outside) > 0) != (tt.want == sys.EACCES) {
				t.Errorf("reported as outside: %q", outside)
			}
			if b, err := os.ReadFile(filepath.Join(inside, "other/file")); tt.want != 0 && (err != nil || string(b) != "mine") {
				t.Errorf("the other file has %q (%v)", b, err)
			}
		})
	}
}

// TestAccessOfOpenFiles: a file that stays open between calls is written to only by
// calls that may change it.
func TestAccessOfOpenFiles(t *testing.T) {
	for _, tt := range []struct {
		name        string
		first, then Access
		want        sys.Errno
	}{
		{"the same call", Access{Paths: []string{"a"}}, Access{}, 0},
		{"a call that changes nothing", Access{FullAccess: true}, Access{}, sys.EBADF},
		{"a call that changes another file", Access{FullAccess: true}, Access{Paths: []string{"b"}}, sys.EBADF},
		{"a call that changes everything", Access{Paths: []string{"a"}}, Access{FullAccess: true}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, err := Open(t.TempDir(), false, &Account{OpenFiles: maxOpen}, &Quota{Bytes: 1 << 30, MaxFile: 1 << 30})
			must.Succeed(t, err)
			defer f.Close()
			f.SetAccess(tt.first)
			file, e := f.OpenFile("a", sys.O_CREAT|sys.O_RDWR, 0)
			if e != 0 {
				t.Fatal(e)
			}
			defer file.Close()
			if tt.name != "the same call" {
				f.SetAccess(tt.then)
			}
			if _, e := file.Write([]byte("x")); e != tt.want {
				t.Errorf("Write: %v, want %v", e, tt.want)
			}
			if e := file.Truncate(0); e != tt.want {
				t.Errorf("Truncate: %v, want %v", e, tt.want)
			}
			if e := file.SetAppend(true); (e == 0) != (tt.want == 0) {
				t.Errorf("SetAppend: %v", e)
			}
			if e := file.Utimens(1, 1); (e == 0) != (tt.want == 0) {
				t.Errorf("Utimens: %v", e)
			}
		})
	}
}

// TestRenameFolders: as in POSIX, a folder may replace an empty folder and nothing else.
func TestRenameFolders(t *testing.T) {
	for _, tt := range []struct {
		from, to string
		want     sys.Errno
	}{
		{"full", "empty", 0},
		{"empty", "other", 0},
		{"empty", "full", sys.ENOTEMPTY},
		{"empty", "file", sys.ENOTDIR},
		{"file", "empty", sys.EISDIR},
		{"empty", "empty", 0},
		{"full", "full", 0},
		{"full", "full/sub", sys.EINVAL},
		{"full", "new", 0},
	} {
		t.Run(tt.from+" to "+tt.to, func(t *testing.T) {
			dir := t.TempDir()
			for _, name := range []string{"full/sub", "empty", "other"} {
				must.Succeed(t, os.MkdirAll(filepath.Join(dir, name), 0o755))
			}
			must.Succeed(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o644))
			f, err := Open(dir, false, &Account{OpenFiles: maxOpen}, &Quota{Bytes: 1 << 30, MaxFile: 1 << 30})
			must.Succeed(t, err)
			defer f.Close()
			f.SetAccess(Access{FullAccess: true})
			if e := f.Rename(tt.from, tt.to); e != tt.want {
				t.Errorf("%v, want %v", e, tt.want)
			}
			_, err = os.Stat(filepath.Join(dir, "full", "sub"))
			if kept := err == nil; kept != (tt.want != 0 || tt.from != "full" || tt.to == "full") {
				t.Errorf("the folder is still there: %v", kept)
			}
		})
	}
}
