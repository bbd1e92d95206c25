//go:build unix

package realpath_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"errand/build/must"
	"errand/build/poll"
	"errand/build/swap"
	"errand/host/realpath"
	"errand/host/tool"
)

// home is a folder with the folders safe and Private, each with a file x that has the
// folder's name.
func home(t *testing.T) string {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	must.Succeed(t, err)
	for _, name := range []string{"safe", "Private", "safe/inner", "Private/inner"} {
		must.Succeed(t, os.MkdirAll(filepath.Join(home, name), 0o755))
		must.Succeed(t, os.WriteFile(filepath.Join(home, name, "x"), []byte(name), 0o600))
	}
	return home
}

func link(t *testing.T, target, path string) {
	t.Helper()
	must.Succeed(t, os.Symlink(target, path))
}

func TestOpen(t *testing.T) {
	dir := home(t)
	link(t, dir+"/safe", dir+"/link")
	link(t, "safe", dir+"/relative")
	link(t, dir+"/nowhere", dir+"/broken")
	link(t, "../Private", dir+"/safe/up")
	outside := t.TempDir()
	tests := []struct {
		name, folder string
		want         error
	}{
		{"a folder", dir + "/safe", nil},
		{"the granted folder", dir, nil},
		{"a folder in it", dir + "/safe/inner", nil},
		{"a link inside", dir + "/link", realpath.ErrLink},
		{"a relative link inside", dir + "/relative", realpath.ErrLink},
		{"below a link", dir + "/link/inner", realpath.ErrLink},
		{"a link up", dir + "/safe/up/inner", realpath.ErrLink},
		{"a broken link", dir + "/broken", realpath.ErrLink},
		{"missing", dir + "/safe/none", fs.ErrNotExist},
		{"outside", outside, fs.ErrPermission},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := realpath.Open([]string{dir}, tt.folder)
			if !errors.Is(err, tt.want) {
				t.Fatalf("%v, want %v", err, tt.want)
			}
			if err == nil {
				got.Close()
			}
		})
	}
}

// TestMake creates folders below a granted one, and never below the target of a link.
func TestMake(t *testing.T) {
	dir := home(t)
	link(t, dir+"/Private", dir+"/link")
	roots := []string{dir, dir + "/safe/later", filepath.Join(t.TempDir(), "new")}
	tests := []struct {
		name, folder string
		want         error
	}{
		{"there", dir + "/safe", nil},
		{"two folders", dir + "/safe/a/b", nil},
		{"a granted folder in another", roots[1] + "/a", nil},
		{"a granted folder that is missing", roots[2] + "/a", nil},
		{"below a link", dir + "/link/a", realpath.ErrLink},
		{"below a file", dir + "/safe/x/a", errors.ErrUnsupported},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := realpath.Make(roots, tt.folder, 0o755)
			switch {
			case err == nil:
				got.Close()
				if tt.want != nil {
					t.Error("it was opened")
				}
			case tt.want == nil, !errors.Is(tt.want, errors.ErrUnsupported) && !errors.Is(err, tt.want):
				t.Errorf("%v, want %v", err, tt.want)
			}
		})
	}
	if _, err := os.Stat(dir + "/Private/a"); err == nil {
		t.Error("a folder was made at the target of a link")
	}
}

func TestOpenFile(t *testing.T) {
	tests := []struct {
		name string
		file string
		flag int
		want string // content afterwards; "" if it can't be opened
	}{
		{"read", "x", os.O_RDONLY, "safe"},
		{"truncate", "x", os.O_RDWR | os.O_TRUNC, "new"},
		{"create", "y", os.O_RDWR | os.O_CREATE, "new"},
		{"create, exists", "x", os.O_RDWR | os.O_CREATE, "newe"},
		{"create anew, exists", "x", os.O_RDWR | os.O_CREATE | os.O_EXCL, ""},
		{"link", "link", os.O_RDWR | os.O_TRUNC, ""},
		{"link to nothing", "broken", os.O_RDWR | os.O_CREATE, ""},
		{"missing", "none", os.O_RDWR, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := home(t)
			link(t, "inner/x", dir+"/safe/link")
			link(t, "later", dir+"/safe/broken")
			root, err := os.OpenRoot(dir + "/safe")
			must.Succeed(t, err)
			defer root.Close()
			f, err := realpath.OpenFile(root, tt.file, tt.flag, 0o600)
			if (err == nil) != (tt.want != "") {
				t.Fatal(err)
			}
			if err == nil {
				if tt.flag != os.O_RDONLY {
					if _, err := io.WriteString(f, "new"); err != nil {
						t.Error(err)
					}
				}
				f.Close()
				if got, _ := os.ReadFile(filepath.Join(dir, "safe", tt.file)); string(got) != tt.want {
					t.Errorf("%q, want %q", got, tt.want)
				}
			}
			if _, err := os.Lstat(dir + "/safe/later"); err == nil {
				t.Error("the target of a link was made")
			}
			if got, _ := os.ReadFile(dir + "/safe/inner/x"); string(got) != "safe/inner" {
				t.Errorf("the target of a link is %q", got)
			}
		})
	}
}

// TestOpenWhileLinksChange opens a path that has no link, while one of its folders is a link
// from time to time.
func TestOpenWhileLinksChange(t *testing.T) {
	dir := home(t)
	swap.Link(t, dir+"/way", dir+"/safe", dir+"/Private")
	opened, refused := 0, 0
	for goesOn := tries(5_000); goesOn(opened); {
		real, ok := realpath.Resolve(dir + "/way/inner")
		if !ok || real != dir+"/safe/inner" {
			continue // policy refuses it
		}
		folder, err := realpath.Open([]string{dir}, dir+"/way/inner")
		if err == nil {
			folder.Close()
			t.Fatal("a link was followed")
		}
		if folder, err = realpath.Open([]string{dir}, real); err != nil {
			refused++
			continue
		}
		f, err := realpath.OpenFile(folder, "x", os.O_RDONLY, 0)
		must.Succeed(t, err)
		b, _ := io.ReadAll(f)
		f.Close()
		folder.Close()
		if opened++; string(b) != "safe/inner" {
			t.Fatalf("%q was read", b)
		}
	}
	if opened == 0 {
		t.Errorf("nothing was opened, %d refused", refused)
	}
}

// tries returns a function that reports whether a test tries again: at least so often, and
// further until something was opened, which takes a busy machine more.
func tries(least int) (goesOn func(opened int) bool) {
	end := time.Now().Add(poll.Patience)
	return func(opened int) bool {
		least--
		return least >= 0 || opened == 0 && time.Now().Before(end)
	}
}

// TestFolderBecomesLink swaps a folder itself with a link: what is opened is the folder.
func TestFolderBecomesLink(t *testing.T) {
	dir := home(t)
	must.Succeed(t, os.Rename(dir+"/safe", dir+"/aside"))
	done := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for n := 0; ; n++ {
			select {
			case <-done:
				return
			default:
			}
			_ = os.Symlink(dir+"/Private", dir+"/safe")
			_ = os.Remove(dir + "/safe")
			_ = os.Rename(dir+"/aside", dir+"/safe")
			if n%2 == 0 {
				runtime.Gosched() // with one processor, hardly anything else would find the folder
			}
			_ = os.Rename(dir+"/safe", dir+"/aside")
		}
	}()
	opened := 0
	for goesOn := tries(5_000); goesOn(opened); {
		folder, err := realpath.Open([]string{dir}, dir+"/safe")
		if err != nil {
			continue
		}
		if b, err := folder.ReadFile("x"); err == nil {
			if opened++; string(b) != "safe" {
				t.Fatalf("%q was read", b)
			}
		}
		folder.Close()
	}
	close(done)
	<-ended
	if opened == 0 {
		t.Error("nothing was opened")
	}
}

func TestPlaceOfCall(t *testing.T) {
	decided := tool.Call{Places: []tool.Place{{Path: "/h/way/x", Real: "/h/other", Entry: "/h/safe/x"}, {Path: "/h/folder", Real: "/h/real", Entry: "/h/folder"}}}
	circle := tool.Call{Places: []tool.Place{{Path: "/h/loop"}}}
	tests := []struct {
		name        string
		call        tool.Call
		path        string
		entry, real string // "": links lead in a circle
	}{
		{"itself", decided, "/h/way/x", "/h/safe/x", "/h/other"},
		{"another spelling", decided, "/h//way/./x", "/h/safe/x", "/h/other"},
		{"its folder", decided, "/h/way", "", "/h/safe"},
		{"a file in a folder", decided, "/h/folder/new", "/h/real/new", ""},
		{"a folder", decided, "/h/folder/", "/h/folder", "/h/real"},
		{"a circle", circle, "/h/loop", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.entry != "" || tt.real == "" {
				if got, ok := realpath.EntryIn(tt.call, tt.path); ok != (tt.entry != "") || ok && got != tt.entry {
					t.Errorf("entry %q, %t; want %q", got, ok, tt.entry)
				}
			}
			if tt.real != "" || tt.entry == "" {
				if got, ok := realpath.RealIn(tt.call, tt.path); ok != (tt.real != "") || ok && got != tt.real {
					t.Errorf("real %q, %t; want %q", got, ok, tt.real)
				}
			}
		})
	}
}
