//go:build unix

package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestProgramFolders checks that no tool gets a folder in which errand.toml has something that
// Errand runs, as [files] roots and as the grant of a plugin.
func TestProgramFolders(t *testing.T) {
	for _, tt := range []struct {
		name string
		toml string
		root string // in the home folder
		want bool   // refused
	}{
		{"plugins in a root", "[plugins]\ndirs = [\"~/Documents/plugins\"]", "Documents", true},
		{"the folder of plugins", "[plugins]\ndirs = [\"~/Documents\"]", "Documents", true},
		{"in the folder of plugins", "[plugins]\ndirs = [\"~/dev\"]", "dev/sample", true},
		{"beside the plugins", "[plugins]\ndirs = [\"~/dev\"]", "Documents", false},
		{"the second folder of plugins", "[plugins]\ndirs = [\"~/dev\", \"~/Documents/plugins\"]", "Documents", true},
		{"plugins through a link", "[plugins]\ndirs = [\"~/link\"]", "Documents", true},
		{"a link among the plugins", "[plugins]\ndirs = [\"~/linked\"]", "Documents", true},
		{"plugins that are not there yet", "[plugins]\ndirs = [\"~/Documents/later\"]", "Documents", true},
		{"the browser", "[browser]\nbin = \"HOME/Documents/chrome\"", "Documents", true},
		{"the browser elsewhere", "[browser]\nbin = \"HOME/dev/chrome\"", "Documents", false},
		{"the browser through a link", "[browser]\nbin = \"HOME/chrome\"", "Documents", true},
		{"the browser by its name", "[browser]\nbin = \"in-path\"", "bin", true},
		{"an app", "[[apps]]\nid = \"x\"\nname = \"X\"\nexec = [\"HOME/Documents/x.sh\"]", "Documents", true},
		{"a script of an app", "[[apps]]\nid = \"x\"\nname = \"X\"\nexec = [\"sh\", \"HOME/Documents/x.sh\"]", "Documents", true},
		{"a document of an app", "[[apps]]\nid = \"x\"\nname = \"X\"\nexec = [\"sh\", \"HOME/Documents/x.txt\"]", "Documents", false},
		{"an app elsewhere", "[[apps]]\nid = \"x\"\nname = \"X\"\nexec = [\"HOME/dev/x.sh\"]", "Documents", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			for _, folder := range []string{".config/errand", "Documents/plugins", "dev/sample", "linked", "bin"} {
				if err := os.MkdirAll(filepath.Join(home, folder), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			for file, mode := range map[string]os.FileMode{"Documents/chrome": 0o700, "Documents/x.sh": 0o700, "Documents/x.txt": 0o600, "bin/in-path": 0o700} {
				if err := os.WriteFile(filepath.Join(home, file), nil, mode); err != nil {
					t.Fatal(err)
				}
			}
			for link, target := range map[string]string{"link": "Documents/plugins", "linked/sample": "Documents/plugins", "chrome": "Documents/chrome"} {
				if err := os.Symlink(filepath.Join(home, target), filepath.Join(home, link)); err != nil {
					t.Fatal(err)
				}
			}
			t.Setenv("PATH", os.Getenv("PATH")+":"+filepath.Join(home, "bin"))
			file := filepath.Join(home, ".config/errand/errand.toml")
			text := strings.ReplaceAll(tt.toml, "HOME", home)
			env := []string{"HOME=" + home}
			write := func(roots string) {
				if err := os.WriteFile(file, []byte("[files]\nroots = ["+roots+"]\n"+text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			write("")
			l, err := Load(Options{Env: env})
			if err != nil {
				t.Fatal(err)
			}
			if err := l.Grantable(filepath.Join(home, tt.root)); (err != nil) != tt.want {
				t.Errorf("grant: %v", err)
			}
			write(`"~/` + tt.root + `"`)
			if _, err := Load(Options{Env: env}); (err != nil) != tt.want {
				t.Errorf("root: %v", err)
			}
		})
	}
}

// TestMountedPlaces checks that a folder is refused that shows Errand's own files because
// they are mounted there.
func TestMountedPlaces(t *testing.T) {
	const text = `22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 8:2 / /home rw - ext4 /dev/sda2 rw
31 22 8:3 / /data rw - ext4 /dev/sda3 rw
40 30 8:2 /me/.config/errand /home/me/Documents/cfg rw - ext4 /dev/sda2 rw
41 30 8:2 /me/.config/errand/recipes /home/me/Music/r rw - ext4 /dev/sda2 rw
42 30 8:2 / /home/me/all rw - ext4 /dev/sda2 rw
43 22 8:2 /me/.config /srv/a\040b rw - ext4 /dev/sda2 rw
44 30 8:3 /me/.config/errand /home/me/Pictures/x rw - ext4 /dev/sda3 rw
45 30 8:2 /me/.config/errand2 /home/me/Videos/x rw - ext4 /dev/sda2 rw
46 30 8:2 /me/.config/errand /home/me/old rw - ext4 /dev/sda2 rw
47 46 8:3 /empty /home/me/old rw - ext4 /dev/sda3 rw
bad line
`
	m := parseMounts(text)
	if len(m) != 11 {
		t.Fatalf("%d mounts: %v", len(m), m)
	}
	for dir, want := range map[string]bool{
		"/home/me/Documents":       true,  // a mount below it
		"/home/me/Documents/cfg":   true,  // a mount
		"/home/me/Documents/cfg/a": true,  // in a mount
		"/home/me/Documents/other": false, // beside the mount
		"/home/me/Music":           true,  // a part of the place
		"/home/me/all/me":          true,  // the whole disk
		"/home/me/all/you":         false, // another folder of it
		"/srv/a b":                 true,  // a name with a space
		"/srv":                     true,
		"/home/me/Pictures":        false, // the same path of another disk
		"/home/me/Videos":          false, // a name that begins like it
		"/home/me/old":             false, // covered by a later mount
		"/data":                    false,
	} {
		if got := m.overlap(m.reachable(dir), "/home/me/.config/errand"); got != want {
			t.Errorf("%s: %v", dir, got)
		}
	}
}

// TestSameFolder checks that a place is found by what it is if its path is written in another
// way, as on a file system that ignores case.
func TestSameFolder(t *testing.T) {
	home := t.TempDir()
	for _, folder := range []string{"own/recipes", "other"} {
		if err := os.MkdirAll(filepath.Join(home, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(home, "own"), filepath.Join(home, "OWN")); err != nil {
		t.Fatal(err)
	}
	known := identities{}
	for path, want := range map[string]bool{"OWN": true, "OWN/recipes": true, "OWN/none": true, "other": false, ".": false} {
		if got := known.contains(filepath.Join(home, "own"), filepath.Join(home, path)); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

func BenchmarkGrantable(b *testing.B) {
	home := b.TempDir()
	l, err := Fallback(Options{Env: []string{"HOME=" + home}})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := l.Grantable(filepath.Join(home, "Documents")); err != nil {
			b.Fatal(err)
		}
	}
}
