//go:build unix

package config

import (
	"os"
	"path/filepath"
	"testing"

	"errand/build/must"
)

// TestCheckAsk checks which folders the user can be asked to allow: none with keys, settings,
// programs or files of Errand in it, also by another path, and none that is shared or missing.
func TestCheckAsk(t *testing.T) {
	home := t.TempDir()
	for _, folder := range []string{"Pictures/2024", "Pictures/.hidden", "a..b", ".ssh/keys", ".config/errand", ".mozilla", ".other", "snap/firefox", "dotfiles", "bin", "shared", "data/errand"} {
		must.Succeed(t, os.MkdirAll(filepath.Join(home, folder), 0o700))
	}
	must.Succeed(t, os.Chmod(filepath.Join(home, "shared"), 0o777|os.ModeSticky))
	must.Succeed(t, os.WriteFile(filepath.Join(home, "Pictures/file"), nil, 0o600))
	must.Succeed(t, os.WriteFile(filepath.Join(home, "dotfiles/bashrc"), nil, 0o600))
	for link, target := range map[string]string{"photos": "Pictures", "keys": ".ssh", "below": ".ssh/keys", "up": "..", ".bashrc": "dotfiles/bashrc", "loop": "loop", "visible": ".other"} {
		must.Succeed(t, os.Symlink(target, filepath.Join(home, link)))
	}
	t.Setenv("PATH", filepath.Join(home, "bin")+string(filepath.ListSeparator)+"/usr/bin")
	l, err := Load(Options{Env: []string{"HOME=" + home, "XDG_DATA_HOME=" + home + "/data"}})
	must.Succeed(t, err)
	for folder, want := range map[string]bool{
		"Pictures": true, "Pictures/2024": true, "photos": true, "photos/2024": true, "a..b": true,
		"Pictures/.hidden": false, "Pictures/file": false, "Pictures/none": false, "": false, "..": false, "../..": false,
		".ssh": false, "keys": false, "below": false, "up": false, ".config": false, ".config/errand": false, ".mozilla": false, ".other": false, "visible": false,
		"snap": false, "snap/firefox": false, "dotfiles": false, "bin": false, "shared": false, "data": false, "data/errand": false, "loop": false,
		"/": false, "/etc": false, "/usr/share": false, "/proc/self/root" + home + "/Pictures": false, "relative": false,
	} {
		if !filepath.IsAbs(folder) && folder != "relative" {
			folder = filepath.Join(home, folder)
		}
		if err := l.CheckAsk(folder); (err == nil) != want {
			t.Errorf("%s: %v", folder, err)
		}
	}
}
