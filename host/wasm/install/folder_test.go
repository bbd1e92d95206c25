package install_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/wasm/install"
)

// TestFolder checks that a plugin's folder and an installation read the same files.
func TestFolder(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{filepath.Join(outside, "secret"): "s", filepath.Join(dir, "a.wasm"): "a"} {
		must.Succeed(t, os.WriteFile(name, []byte(text), 0o600))
	}
	for name, target := range map[string]string{
		"out": filepath.Join(outside, "secret"), "up": "../" + filepath.Base(outside) + "/secret", "in": "a.wasm", "gone": "b.wasm", "loop": "loop",
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip(err) // a system where links are not everyone's
		}
	}
	const leads = "it is a link that is broken or leads out of the folder"
	for name, want := range map[string]string{
		"a.wasm": "", "in": "", "out": leads, "up": leads, "loop": leads, "gone": "no such file", "b.wasm": "no such file", "../secret": "invalid", "/etc/passwd": "invalid",
	} {
		t.Run(name, func(t *testing.T) {
			b, err := fs.ReadFile(install.Folder(dir), name)
			_, statErr := fs.Stat(install.Folder(dir), name)
			if want == "" && (err != nil || statErr != nil || string(b) != "a") {
				t.Errorf("read %q, %v, %v", b, err, statErr)
			}
			if want != "" && (err == nil || !strings.Contains(i18n.English().Error(err), want) || statErr == nil || !strings.Contains(i18n.English().Error(statErr), want)) {
				t.Errorf("errors are %v and %v, want %q", err, statErr, want)
			}
		})
	}
	if _, err := fs.Stat(install.Folder(filepath.Join(dir, "none")), "a"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
}
