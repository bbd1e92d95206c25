package keyfile_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"errand/build/must"
	"errand/host/keyfile"
)

func TestOpen(t *testing.T) {
	name := filepath.Join(t.TempDir(), "data", "a.key")
	first, err := keyfile.Open(name)
	if err != nil || len(first) != keyfile.Size {
		t.Fatalf("%d bytes, %v", len(first), err)
	}
	again, err := keyfile.Open(name)
	if err != nil || !bytes.Equal(first, again) {
		t.Errorf("another key: %v", err)
	}
	other, err := keyfile.Open(filepath.Join(filepath.Dir(name), "b.key"))
	if err != nil || bytes.Equal(first, other) {
		t.Errorf("another file has the same key: %v", err)
	}
	if info, err := os.Stat(name); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(name), ".key-*")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

func TestRefusedKeys(t *testing.T) {
	for name, spoil := range map[string]func(file string) error{
		"short":  func(f string) error { return os.WriteFile(f, []byte("short"), 0o600) },
		"empty":  func(f string) error { return os.WriteFile(f, nil, 0o600) },
		"long":   func(f string) error { return os.WriteFile(f, make([]byte, 33), 0o600) },
		"folder": func(f string) error { return os.Mkdir(f, 0o700) },
		"link": func(f string) error {
			if err := os.WriteFile(f+"2", make([]byte, 32), 0o600); err != nil {
				return err
			}
			return os.Symlink(f+"2", f)
		},
		"readable by the group": func(f string) error { return os.WriteFile(f, make([]byte, 32), 0o640) },
		"writable by others":    func(f string) error { return os.WriteFile(f, make([]byte, 32), 0o602) },
	} {
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS == "windows" && name != "short" && name != "folder" {
				t.Skip("modes mean nothing here")
			}
			file := filepath.Join(t.TempDir(), "a.key")
			must.Succeed(t, spoil(file))
			if name == "writable by others" { // whatever the umask
				os.Chmod(file, 0o602)
			}
			if key, err := keyfile.Open(file); err == nil {
				t.Errorf("taken: %d bytes", len(key))
			}
		})
	}
}

// TestOpenAtOnce: programs that start together use the same key.
func TestOpenAtOnce(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.key")
	var keys [8][]byte
	var wg sync.WaitGroup
	for i := range keys {
		wg.Go(func() { keys[i], _ = keyfile.Open(name) })
	}
	wg.Wait()
	for _, key := range keys {
		if len(key) != keyfile.Size || !bytes.Equal(key, keys[0]) {
			t.Errorf("%x and %x", key, keys[0])
		}
	}
}
