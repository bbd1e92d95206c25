//go:build unix

package doctor

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"errand/app/config"
	"errand/app/i18n"
	"errand/build/must"
	"errand/host/browser/chromium"
)

// TestOpenToOthers checks that files and folders of the program which other users can open
// are reported once, and that only the user can open them afterwards.
func TestOpenToOthers(t *testing.T) {
	for _, tt := range []struct {
		name  string
		place string // below the data folder; a name that ends in / is a folder; "": the folder itself
		mode  os.FileMode
		open  bool
	}{
		{"the data folder", "", 0o755, true},
		{"the data folder, without its list", "", 0o711, true},
		{"the record", "errand.db", 0o644, true},
		{"the journal of the record", "errand.db-wal", 0o644, true},
		{"the shared memory of the record", "errand.db-shm", 0o604, true},
		{"files of a run", "artifacts/ab/report.pdf", 0o644, true},
		{"a folder of files", "artifacts/ab/", 0o755, true},
		{"the plugins folder", "plugins/", 0o777, true},
		{"a plugin that somebody put there", "plugins/greet/greet.wasm", 0o644, true},
		{"the lock of plugins", "plugins.lock", 0o666, true},
		{"the key of compiled plugins", "plugin-code.key", 0o644, true},
		{"a browser profile", "profiles/work/", 0o755, true},
		{"a socket", "window.sock", 0o666, true},
		{"a program", "bin/tool", 0o755, true},
		{"what others can only write", "drop.txt", 0o602, true},
		{"all is closed", "errand.db", 0o600, false},
		{"a read-only file", "errand.db", 0o400, false},
		{"inside a browser profile", "profiles/work/Cookies", 0o644, false},
		{"a link to another file", "link", 0o644, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, err := os.MkdirTemp("", "data") // a socket's path is short
			must.Succeed(t, err)
			t.Cleanup(func() { os.RemoveAll(dir) })
			at, outside := filepath.Join(dir, filepath.FromSlash(tt.place)), filepath.Join(t.TempDir(), "outside")
			folder := filepath.Dir(at)
			if strings.HasSuffix(tt.place, "/") || tt.place == "" {
				folder = at
			}
			err = os.MkdirAll(folder, 0o700)
			switch {
			case folder == at:
			case strings.HasSuffix(at, ".sock"):
				l, lerr := net.Listen("unix", at)
				if err = lerr; err == nil {
					t.Cleanup(func() { l.Close() })
				}
			case tt.place == "link":
				err = errors.Join(os.WriteFile(outside, nil, 0o600), os.Symlink(outside, at))
			default:
				err = errors.Join(err, os.WriteFile(at, []byte("x"), 0o600))
			}
			must.Succeed(t, errors.Join(err, os.Chmod(at, tt.mode)))
			conf := &config.Loaded{}
			conf.Paths.Data, conf.Paths.Cache, conf.Paths.State = dir, filepath.Join(dir, "no cache"), dir
			d := &Doctor{Config: conf}
			first, second := d.checkPermissions(), d.checkPermissions()
			text := i18n.English().Text(first.Detail)
			if want := map[bool]Status{true: Warn, false: OK}[tt.open]; first.Status != want || tt.open && !strings.Contains(text, strings.TrimSuffix(at, "/")) {
				t.Errorf("%s: %q, want %s with the path", first.Status, text, want)
			}
			if second.Status != OK {
				t.Errorf("the second time: %s: %s", second.Status, i18n.English().Text(second.Detail))
			}
			info, err := os.Stat(at)
			must.Succeed(t, err)
			want := tt.mode
			if tt.open {
				want &^= 0o077
			}
			if info.Mode().Perm() != want {
				t.Errorf("mode %04o, want %04o", info.Mode().Perm(), want)
			}
			if b, err := os.ReadFile(at); tt.open && info.Mode().IsRegular() && (err != nil || string(b) != "x") {
				t.Errorf("the user reads %q, %v", b, err)
			}
		})
	}
}

// TestSecretsInTheConfig checks that a configuration with settings of plugins, which may be
// secret, is reported if others can read it.
func TestSecretsInTheConfig(t *testing.T) {
	const secret, plain = "[plugins.weather.config]\nkey = \"x\"\n", "[browser]\nshow = \"never\"\n"
	for _, tt := range []struct {
		name, text string
		mode       fs.FileMode
		want       Status
	}{
		{"a secret, closed", secret, 0o600, OK},
		{"a secret that all read", secret, 0o644, Warn},
		{"a secret that others read", secret, 0o604, Warn},
		{"nothing secret", plain, 0o644, OK},
		{"a plugin without settings", "[plugins.weather]\nenabled = true\n", 0o644, OK},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "errand.toml")
			must.Succeed(t, errors.Join(os.WriteFile(file, []byte(tt.text), 0o600), os.Chmod(file, tt.mode)))
			conf, err := config.Load(config.Options{File: file, Env: []string{"HOME=" + t.TempDir()}})
			must.Succeed(t, err)
			d := &Doctor{Config: conf}
			if c := d.checkConfig(); c.Status != tt.want || c.Hint.IsZero() != (tt.want == OK) {
				t.Errorf("%s %s, cure %s; want %s", c.Status, i18n.English().Text(c.Detail), i18n.English().Text(c.Hint), tt.want)
			}
		})
	}
}

// TestFullProfiles checks that a profile which no browser can use any more is named.
func TestFullProfiles(t *testing.T) {
	for _, tt := range []struct {
		name string
		size int64 // of a file in the profile; negative: there is no profile
		want bool
	}{
		{"none", -1, false},
		{"empty", 0, false},
		{"at the limit", chromium.MaxProfile, false},
		{"over the limit", chromium.MaxProfile + 1, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			conf, err := config.Load(config.Options{Env: []string{"HOME=" + home}})
			must.Succeed(t, err)
			if tt.size >= 0 {
				folder := filepath.Join(conf.Paths.Data, "profiles", "work", "data", "Default")
				must.Succeed(t, os.MkdirAll(folder, 0o700))
				file := filepath.Join(folder, "x")
				must.Succeed(t, errors.Join(os.WriteFile(file, nil, 0o600), os.Truncate(file, tt.size)))
			}
			c, found := (&Doctor{Config: conf}).checkProfiles()
			text := i18n.English().Text(c.Detail) + i18n.English().Text(c.Hint)
			if found != tt.want || found && (c.Status != Warn || !strings.Contains(text, "work") || !strings.Contains(text, "errand profile remove work")) {
				t.Errorf("%t, %s", found, text)
			}
		})
	}
}
