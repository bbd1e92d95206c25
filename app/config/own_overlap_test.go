//go:build unix

package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"errand/build/must"
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
				must.Succeed(t, os.MkdirAll(filepath.Join(home, folder), 0o700))
			}
			for file, mode := range map[string]os.FileMode{"Documents/chrome": 0o700, "Documents/x.sh": 0o700, "Documents/x.txt": 0o600, "bin/in-path": 0o700} {
				must.Succeed(t, os.WriteFile(filepath.Join(home, file), nil, mode))
			}
			for link, target := range map[string]string{"link": "Documents/plugins", "linked/sample": "Documents/plugins", "chrome": "Documents/chrome"} {
				must.Succeed(t, os.Symlink(filepath.Join(home, target), filepath.Join(home, link)))
			}
			t.Setenv("PATH", os.Getenv("PATH")+":"+filepath.Join(home, "bin"))
			file := filepath.Join(home, ".config/errand/errand.toml")
			text := strings.ReplaceAll(tt.toml, "HOME", home)
			env := []string{"HOME=" + home}
			write := func(roots string) {
				must.Succeed(t, os.WriteFile(file, []byte("[files]\nroots = ["+roots+"]\n"+text), 0o600))
			}
			write("")
			l, err := Load(Options{Env: env})
			must.Succeed(t, err)
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

// TestSameFolder checks that a place is found by what it is if its path is written in another
// way, as on a file system that ignores case.
func TestSameFolder(t *testing.T) {
	home := t.TempDir()
	for _, folder := range []string{"own/recipes", "other"} {
		must.Succeed(t, os.MkdirAll(filepath.Join(home, folder), 0o700))
	}
	must.Succeed(t, os.Symlink(filepath.Join(home, "own"), filepath.Join(home, "OWN")))
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
	must.Succeed(b, err)
	for b.Loop() {
		must.Succeed(b, l.Grantable(filepath.Join(home, "Documents")))
	}
}
