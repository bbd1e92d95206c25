//go:build unix

package realpath

import (
	"os"
	"path/filepath"
	"testing"

	"errand/build/must"
)

// TestDrives: the folders of drives that users plug in are not private, although they are mounted in a
// private folder. The rest of that stays private, also by links and from a drive.
func TestDrives(t *testing.T) {
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
	privateLines = func() []string { return []string{"~/.ssh", at("run"), "!" + at("run/media"), at("var"), "/etc"} }
	for folder, want := range map[string]bool{
		"run/media/me/STICK": false, "run/media/me/STICK/photos": false, "home/stick/photos": false, "run/media/me": false, "run/media/me/NONE": false,
		"run": true, "run/media": true, "run/secrets": true, "run/secrets/keys": true, "run/media/me/STICK/.hidden": true,
		"run/media/me/STICK/up": true, "run/media/me/STICK/up/keys": true, "run/media/me/STICK/top": true, "run/media/me/etc": true, "var/run/media/me/STICK": true,
		"home/.ssh/keys": true, "home/Pictures": false, "": true,
	} {
		if got := isPrivate(at("home"), at(folder)); got != want {
			t.Errorf("%s: %t", folder, got)
		}
	}
}

// TestPrivateLines: the built-in list has the folder of drives, and nothing of it is a relative path.
func TestPrivateLines(t *testing.T) {
	private, open := PrivateFolders("/home/me")
	if len(open) == 0 || len(private) < 20 {
		t.Fatalf("%q, %q", private, open)
	}
	for _, folder := range append(private, open...) {
		if !filepath.IsAbs(folder) && folder[1] != ':' {
			t.Errorf("%q", folder)
		}
	}
}
