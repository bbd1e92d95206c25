package codecache_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"errand/build/must"
	"errand/host/wasm/codecache"
)

func open(t *testing.T, dir, key string) *codecache.Cache {
	t.Helper()
	c, err := codecache.Open(dir, key)
	must.Succeed(t, err)
	return c
}

func folder(t *testing.T, c *codecache.Cache, key string) *codecache.Folder {
	t.Helper()
	f, err := c.Folder(key)
	must.Succeed(t, err)
	return f
}

// sealed makes a cache with one sealed folder and answers where all is.
func sealed(t *testing.T) (dir, key string, f *codecache.Folder) {
	t.Helper()
	dir, key = filepath.Join(t.TempDir(), "cache"), filepath.Join(t.TempDir(), "data", "cache.key")
	f = folder(t, open(t, dir, key), "module 1")
	if f.Sealed {
		t.Fatal("a new folder is sealed")
	}
	write(t, filepath.Join(f.Path(), "engine", "code"), "machine code")
	must.Succeed(t, f.Seal())
	return dir, key, f
}

func write(t *testing.T, name, content string) {
	t.Helper()
	must.Succeed(t, os.MkdirAll(filepath.Dir(name), 0o700))
	must.Succeed(t, os.WriteFile(name, []byte(content), 0o600))
}

func TestSealedEntryStays(t *testing.T) {
	dir, key, f := sealed(t)
	for range 2 {
		again := folder(t, open(t, dir, key), "module 1")
		b, err := os.ReadFile(filepath.Join(again.Path(), "engine", "code"))
		if !again.Sealed || again.Removed || err != nil || string(b) != "machine code" {
			t.Fatalf("sealed %v, removed %v, content %q, %v", again.Sealed, again.Removed, b, err)
		}
	}
	if other := folder(t, open(t, dir, key), "module 2"); other.Sealed || other.Path() == f.Path() {
		t.Error("another key answers the same folder")
	}
}

// TestChangedIsRemoved: whatever was done to a folder, what is in it is gone
// before anybody reads it.
func TestChangedIsRemoved(t *testing.T) {
	for name, change := range map[string]func(dir, key, path string) error{
		"a byte": func(_, _, path string) error {
			return os.WriteFile(filepath.Join(path, "engine/code"), []byte("machine c0de"), 0o600)
		},
		"longer": func(_, _, path string) error {
			return os.WriteFile(filepath.Join(path, "engine/code"), []byte("machine code!"), 0o600)
		},
		"a file more": func(_, _, path string) error { return os.WriteFile(filepath.Join(path, "engine/more"), nil, 0o600) },
		"a file less": func(_, _, path string) error { return os.Remove(filepath.Join(path, "engine/code")) },
		"another name": func(_, _, path string) error {
			return os.Rename(filepath.Join(path, "engine/code"), filepath.Join(path, "engine/core"))
		},
		"a link in its place": func(_, _, path string) error {
			code := filepath.Join(path, "engine/code")
			if err := os.Rename(code, filepath.Join(path, "..", "..", "code")); err != nil {
				return err
			}
			return os.Symlink("../../../code", code)
		},
		"another seal": func(_, _, path string) error {
			return os.WriteFile(filepath.Join(path, "../seal"), make([]byte, 32), 0o600)
		},
		"no seal": func(_, _, path string) error { return os.Remove(filepath.Join(path, "../seal")) },
		"a file in place of the folder": func(_, _, path string) error {
			if err := os.RemoveAll(filepath.Dir(path)); err != nil {
				return err
			}
			return os.WriteFile(filepath.Dir(path), []byte("x"), 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, key, f := sealed(t)
			must.Succeed(t, change(dir, key, f.Path()))
			again := folder(t, open(t, dir, key), "module 1")
			if again.Sealed || !again.Removed {
				t.Errorf("sealed %v, removed %v", again.Sealed, again.Removed)
			}
			if left, err := os.ReadDir(again.Path()); err != nil || len(left) > 0 {
				t.Errorf("left in the folder: %v, %v", left, err)
			}
		})
	}
}

// TestFolderOfAnother: one folder's code and seal don't pass for another's.
func TestFolderOfAnother(t *testing.T) {
	dir, key, f := sealed(t)
	c := open(t, dir, key)
	other := folder(t, c, "module 2")
	must.Succeed(t, other.Seal())
	must.Succeed(t, os.RemoveAll(filepath.Dir(other.Path())))
	must.Succeed(t, os.Rename(filepath.Dir(f.Path()), filepath.Dir(other.Path())))
	if again := folder(t, c, "module 2"); again.Sealed || !again.Removed {
		t.Error("the code of one module passes for another's")
	}
}

// TestTwoDataFoldersShareACache checks that programs with keys of their own neither use nor delete
// each other's code.
func TestTwoDataFoldersShareACache(t *testing.T) {
	dir, key, f := sealed(t)
	one, two := open(t, dir, key), open(t, dir, filepath.Join(t.TempDir(), "cache.key"))
	own := folder(t, two, "module 1")
	if own.Sealed || own.Removed {
		t.Errorf("the code of another key: sealed %v, removed %v", own.Sealed, own.Removed)
	}
	write(t, filepath.Join(own.Path(), "engine", "code"), "own code")
	must.Succeed(t, own.Seal())
	must.Succeed(t, two.Forget("module 1"))
	for _, c := range []*codecache.Cache{one, two} {
		again := folder(t, c, "module 1")
		if again.Removed || again.Sealed != (c == one) {
			t.Errorf("after the second forgot its code: sealed %v, removed %v, of the first: %v", again.Sealed, again.Removed, c == one)
		}
		again.Drop()
	}
	must.Succeed(t, os.Rename(filepath.Dir(f.Path()), filepath.Dir(own.Path())))
	if again := folder(t, two, "module 1"); again.Sealed || !again.Removed {
		t.Error("the code of another key passes for its own")
	}
}

func TestKeyFile(t *testing.T) {
	dir, key, _ := sealed(t)
	info, err := os.Stat(key)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Fatalf("the key is %v, %v", info, err)
	}
	for name, spoil := range map[string]func() error{
		"too short":   func() error { return os.WriteFile(key, []byte("short"), 0o600) },
		"is a folder": func() error { return os.MkdirAll(filepath.Join(dir, "x"), 0o700) },
	} {
		must.Succeed(t, spoil())
		file := key
		if name == "is a folder" {
			file = filepath.Join(dir, "x")
		}
		if _, err := codecache.Open(dir, file); err == nil {
			t.Errorf("a key that %s is taken", name)
		}
	}
	if runtime.GOOS != "windows" {
		write(t, key, strings.Repeat("k", 32))
		os.Chmod(key, 0o644)
		if _, err := codecache.Open(dir, key); err == nil {
			t.Error("a key that others can read is taken")
		}
	}
}

// TestTwoStart: programs that start together agree on a key.
func TestTwoStart(t *testing.T) {
	dir, key := t.TempDir(), filepath.Join(t.TempDir(), "key")
	var wg sync.WaitGroup
	for n := range 8 {
		wg.Go(func() {
			c, err := codecache.Open(dir, key)
			if err != nil {
				t.Error(err)
				return
			}
			f, err := c.Folder(fmt.Sprint(n))
			if err != nil {
				t.Error(err)
				return
			}
			if err := f.Seal(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	c := open(t, dir, key)
	for n := range 8 {
		if f := folder(t, c, fmt.Sprint(n)); !f.Sealed {
			t.Errorf("folder %d is sealed with another key", n)
		}
	}
}

// TestTogether: two programs that compile the same module don't get into each
// other's way, and one of them keeps what it made.
func TestTogether(t *testing.T) {
	dir, key, _ := sealed(t)
	c := open(t, dir, key)
	one, two := folder(t, c, "m"), folder(t, c, "m")
	write(t, filepath.Join(one.Path(), "a"), "a")
	write(t, filepath.Join(two.Path(), "a"), "a")
	must.Succeed(t, one.Seal())
	_ = two.Seal() // which may find that it is late
	two.Drop()
	if f := folder(t, c, "m"); !f.Sealed || f.Removed {
		t.Errorf("sealed %v, removed %v", f.Sealed, f.Removed)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 2 {
		t.Errorf("left: %v, %v", left, err)
	}
}

func TestPrune(t *testing.T) {
	dir, key, first := sealed(t)
	c := open(t, dir, key)
	for n := range codecache.MaxEntries {
		must.Succeed(t, folder(t, c, fmt.Sprint("more ", n)).Seal())
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != codecache.MaxEntries {
		t.Errorf("%d files and folders are left, %v", len(left), err)
	}
	if _, err := os.Stat(first.Path()); err == nil {
		t.Error("the folder that was used least is still there")
	}
}
