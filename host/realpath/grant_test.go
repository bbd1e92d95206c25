package realpath

import (
	"os"
	"path/filepath"
	"testing"
)

func TestGrantHint(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	t.Setenv("HOME", home)
	for _, dir := range []string{"Pictures", ".config", ".ssh/keys"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(".ssh", filepath.Join(home, "keys")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, path, want string }{
		{"a folder", home + "/Pictures", home + "/Pictures"},
		{"a new file in it", home + "/Pictures/x.png", home + "/Pictures"},
		{"a folder that is not there yet", home + "/Music/new/x.mp3", home + "/Music/new"},
		{"dots", home + "/Pictures/../Pictures/./x", home + "/Pictures"},
		{"a system folder", "/etc/hosts", ""},
		{"in one", "/usr/share/doc/x", ""},
		{"a drive", "/run/media/me/STICK/x", "/run/media/me/STICK"},
		{"where drives are", "/run/media", ""},
		{"keys", home + "/.ssh", ""},
		{"in a folder of keys", home + "/.ssh/keys/id", ""},
		{"keys by a link", home + "/keys/id", ""},
		{"a hidden folder", home + "/.other/x", ""},
		{"a private folder that is missing", home + "/.aws/x", ""},
		{"directly at home", home + "/x.txt", ""},
		{"home", home, ""},
		{"the folder of homes", filepath.Dir(home) + "/x", ""},
		{"directly in the root", "/x", ""},
		{"the root", "/", ""},
		{"not a full path", "x/y", ""},
	} {
		m := GrantHint(tt.path)
		got, _ := m.Params["folder"].(string)
		if got != tt.want || (got == "") != (m.Code == "files.choose_path_in_roots") {
			t.Errorf("%s: %s", tt.name, m)
		}
	}
}
