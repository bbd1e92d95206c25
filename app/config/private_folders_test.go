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

// TestCheckAskDrives: a folder of a drive that a user plugged in is asked about, although the folder that
// drives are mounted in is in a private one. The rest of that stays private, also by links and from a drive.
func TestCheckAskDrives(t *testing.T) {
	top := t.TempDir()
	at := func(path string) string { return filepath.Join(top, path) }
	for _, folder := range []string{"home", "run/media/me/STICK/photos", "run/media/me/STICK/.hidden", "run/secrets/keys", "run/lock", "var"} {
		must.Succeed(t, os.MkdirAll(at(folder), 0o700))
	}
	for link, target := range map[string]string{"run/media/me/STICK/up": "../../../secrets", "run/media/me/STICK/top": "../../..", "var/run": "../run", "home/stick": "../run/media/me/STICK", "run/media/me/etc": "/etc"} {
		must.Succeed(t, os.Symlink(target, at(link)))
	}
	lines := privateLines
	t.Cleanup(func() { privateLines = lines })
	privateLines = func() []string { return []string{at("run"), "!" + at("run/media"), at("var"), "/etc"} }
	t.Setenv("PATH", "/usr/bin")
	l, err := Load(Options{Env: []string{"HOME=" + at("home")}})
	must.Succeed(t, err)
	for folder, want := range map[string]bool{
		"run/media/me/STICK": true, "run/media/me/STICK/photos": true, "home/stick/photos": true, "run/media/me": true,
		"run": false, "run/media": false, "run/secrets": false, "run/secrets/keys": false, "run/media/me/STICK/.hidden": false,
		"run/media/me/STICK/up": false, "run/media/me/STICK/up/keys": false, "run/media/me/STICK/top": false, "run/media/me/etc": false, "run/media/me/NONE": false, "var/run/media/me/STICK": false, "": false,
	} {
		if err := l.CheckAsk(at(folder)); (err == nil) != want {
			t.Errorf("%s: %v", folder, err)
		}
	}
}
