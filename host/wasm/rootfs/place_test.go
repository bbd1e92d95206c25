//go:build unix

package rootfs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero/experimental/sys"

	"errand/build/must"
	"errand/build/swap"
	"errand/host/realpath"
)

// twoFolders is a mounted folder with the folders safe and Private and the link way, which
// leads to safe.
func twoFolders(t *testing.T) (inside string, f *FS) {
	t.Helper()
	inside, err := filepath.EvalSymlinks(t.TempDir())
	must.Succeed(t, err)
	for _, dir := range []string{"safe", "Private"} {
		must.Succeed(t, os.MkdirAll(filepath.Join(inside, dir, "empty"), 0o755))
		for _, file := range []string{"x", "y"} {
			must.Succeed(t, os.WriteFile(filepath.Join(inside, dir, file), []byte(dir), 0o644))
		}
	}
	must.Succeed(t, os.Symlink("safe", filepath.Join(inside, "way")))
	f, err = Open(inside, false, &Account{OpenFiles: maxOpen}, &Quota{Bytes: 1 << 40, MaxFile: 1 << 30})
	must.Succeed(t, err)
	t.Cleanup(func() { f.Close() })
	return inside, f
}

// place is where a name leads now.
func place(inside, name string) Place {
	located := realpath.Locate(filepath.Join(inside, name))
	cut := func(real string) string {
		rel, err := filepath.Rel(inside, real)
		if err != nil || !filepath.IsLocal(rel) {
			return ""
		}
		return rel
	}
	return Place{Name: name, Real: cut(located.Real), Entry: cut(located.Entry)}
}

func readAll(f *FS, name string) (string, sys.Errno) {
	file, e := f.OpenFile(name, sys.O_RDONLY, 0)
	if e != 0 {
		return "", e
	}
	defer file.Close()
	b := make([]byte, 100)
	n, e := file.Read(b)
	return string(b[:n]), e
}

func writeAll(f *FS, name, text string) sys.Errno {
	file, e := f.OpenFile(name, sys.O_CREAT|sys.O_WRONLY|sys.O_TRUNC, 0)
	if e != 0 {
		return e
	}
	defer file.Close()
	_, e = file.Write([]byte(text))
	return e
}

// TestPlaces changes links after policy has decided about a name.
func TestPlaces(t *testing.T) {
	relink := func(name, target string) func(inside string) error {
		return func(inside string) error {
			if err := os.RemoveAll(filepath.Join(inside, name)); err != nil {
				return err
			}
			return os.Symlink(target, filepath.Join(inside, name))
		}
	}
	tests := []struct {
		name   string
		named  string
		change func(inside string) error
		do     func(f *FS) sys.Errno
		want   sys.Errno
	}{
		{"nothing changes", "way/x", nil, func(f *FS) sys.Errno { return writeAll(f, "way/x", "new") }, 0},
		{"the link leads elsewhere", "way/x", relink("way", "Private"), func(f *FS) sys.Errno { return writeAll(f, "way/x", "new") }, 0},
		{"the link leads elsewhere, reading", "way/x", relink("way", "Private"), func(f *FS) sys.Errno {
			if got, e := readAll(f, "way/x"); got != "safe" || e != 0 {
				return sys.EIO
			}
			return 0
		}, 0},
		{"the target becomes a link", "way/x", relink("safe", "Private"), func(f *FS) sys.Errno { return writeAll(f, "way/x", "new") }, sys.EPERM},
		{"the target becomes a link, reading", "way/x", relink("safe", "Private"), func(f *FS) sys.Errno { _, e := readAll(f, "way/x"); return e }, sys.EPERM},
		{"the target becomes a link, looking", "way/x", relink("safe", "Private"), func(f *FS) sys.Errno { _, e := f.Stat("way/x"); return e }, sys.EPERM},
		{"the file becomes a link", "way/x", relink("safe/x", "../Private/x"), func(f *FS) sys.Errno { return writeAll(f, "way/x", "new") }, sys.EPERM},
		{"the file becomes a link, reading", "safe/x", relink("safe/x", "../Private/x"), func(f *FS) sys.Errno { _, e := readAll(f, "safe/x"); return e }, sys.EPERM},
		{"a new file becomes a link", "safe/new", relink("safe/new", "../Private/new"), func(f *FS) sys.Errno { return writeAll(f, "safe/new", "new") }, sys.EPERM},
		{"a file in the folder", "way", relink("way", "Private"), func(f *FS) sys.Errno { return writeAll(f, "way/new", "new") }, 0},
		{"a file in the folder's target", "way", relink("way", "Private"), func(f *FS) sys.Errno { return writeAll(f, "safe/new", "new") }, 0},
		{"another name of the same file", "way/x", relink("way", "Private"), func(f *FS) sys.Errno { return writeAll(f, "Private/x", "new") }, sys.EACCES},
		{"the link itself", "way", relink("way", "Private"), func(f *FS) sys.Errno { return f.Unlink("way") }, 0},
		{"a folder is made", "way/a", relink("way", "Private"), func(f *FS) sys.Errno { return f.Mkdir("way/a", 0) }, 0},
		{"a file is moved", "way", relink("way", "Private"), func(f *FS) sys.Errno { return f.Rename("way/x", "way/z") }, 0},
		{"times", "way/x", relink("way", "Private"), func(f *FS) sys.Errno { return f.Utimens("way/x", 1, 1) }, 0},
		{"a link out of the folder that leads in later", "out", relink("out", "Private"), func(f *FS) sys.Errno { _, e := f.Stat("out/x"); return e }, sys.EPERM},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inside, f := twoFolders(t)
			must.Succeed(t, os.Symlink(t.TempDir(), filepath.Join(inside, "out")))
			named := place(inside, tt.named)
			if tt.change != nil {
				must.Succeed(t, tt.change(inside))
			}
			f.SetAccess(Access{Paths: []string{tt.named}, Places: []Place{named}})
			if e := tt.do(f); e != tt.want {
				t.Errorf("%v, want %v", e, tt.want)
			}
			untouched(t, inside)
		})
	}
}

// untouched checks that the folder Private is as twoFolders made it.
func untouched(t *testing.T, inside string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(inside, "Private"))
	if err != nil || len(entries) != 3 {
		t.Fatalf("the folder holds %v, %v", entries, err)
	}
	for _, name := range []string{"x", "y"} {
		b, err := os.ReadFile(filepath.Join(inside, "Private", name))
		if err != nil || string(b) != "Private" {
			t.Fatalf("%s is %q, %v", name, b, err)
		}
		if info, err := os.Stat(filepath.Join(inside, "Private", name)); err != nil || info.ModTime().Year() < 2000 {
			t.Fatalf("%s has another time: %v", name, err)
		}
	}
}

// TestPlacesWhileLinksChange changes a link all the time. A call that may change what the
// link leads to when it begins changes nothing else, and reads by its own name nothing else.
func TestPlacesWhileLinksChange(t *testing.T) {
	for _, decided := range []bool{true, false} {
		t.Run(fmt.Sprintf("decided=%t", decided), func(t *testing.T) {
			inside, f := twoFolders(t)
			stop := swap.Link(t, filepath.Join(inside, "way"), "safe", "Private")
			calls, changes := 0, 0
			for range 1000 {
				named := place(inside, "way")
				a := Access{Paths: []string{"safe"}}
				if decided {
					if named.Real != "safe" {
						continue // policy denies it
					}
					a = Access{Paths: []string{"way"}, Places: []Place{named}}
				}
				calls++
				f.SetAccess(a)
				count := func(e sys.Errno) {
					if e == 0 {
						changes++
					}
				}
				if got, e := readAll(f, "way/x"); decided && e == 0 && !strings.HasPrefix("safe", got) && got != "new" {
					t.Fatalf("%q was read", got)
				}
				count(writeAll(f, "way/x", "new"))
				count(writeAll(f, "way/new", "new"))
				count(f.Rename("way/new", "way/moved"))
				count(f.Unlink("way/moved"))
				count(f.Mkdir("way/made", 0))
				count(f.Rmdir("way/made"))
				count(f.Utimens("way/y", 1, 1))
				untouched(t, inside)
			}
			stop()
			if calls == 0 || changes == 0 {
				t.Errorf("%d calls, %d changes", calls, changes)
			}
		})
	}
}
