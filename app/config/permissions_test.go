package config

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestWritableByOthers checks that a configuration that other users can write is
// refused, with the file, its mode and the cure.
func TestWritableByOthers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes mean nothing there")
	}
	for mode, refused := range map[os.FileMode]string{
		0o600: "", 0o644: "", 0o400: "", 0o755: "",
		0o622: "0622", 0o664: "0664", 0o666: "0666", 0o602: "0602", 0o777: "0777",
	} {
		name := filepath.Join(t.TempDir(), "errand.toml")
		if err := os.WriteFile(name, []byte("[browser]\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
		link := filepath.Join(t.TempDir(), "link.toml")
		if err := os.Symlink(name, link); err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{name, link} {
			_, err := Load(Options{File: file, Env: []string{"HOME=" + t.TempDir()}})
			if (err != nil) != (refused != "") {
				t.Errorf("%04o: %v", mode, err)
			}
			if err != nil && (!strings.Contains(err.Error(), refused) || !strings.Contains(err.Error(), file)) {
				t.Errorf("%04o: %v does not name the mode and the file", mode, err)
			}
		}
	}
}
