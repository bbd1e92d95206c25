package install_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/wasm/install"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func newStore(t *testing.T) (*install.Store, string) {
	t.Helper()
	data := filepath.Join(t.TempDir(), "data")
	return install.New(data, func() time.Time { return noon }), data
}

// bundle reads a plugin from a folder of its own.
func bundle(t *testing.T, files map[string]string) install.Bundle {
	t.Helper()
	b, err := install.Read(t.Context(), install.Origin{Place: write(t, files)})
	must.Succeed(t, err)
	return b
}

func version(t *testing.T, id, version string, more ...string) install.Bundle {
	t.Helper()
	return bundle(t, map[string]string{"plugin.toml": manifestOf(id, version, more...), id + ".wasm": string(module(version))})
}

func propose(t *testing.T, s *install.Store, b install.Bundle) install.Proposal {
	t.Helper()
	p, err := s.Propose(b, install.Signature{}, nil)
	must.Succeed(t, err)
	return p
}

func put(t *testing.T, s *install.Store, b install.Bundle) install.Entry {
	t.Helper()
	e, err := s.Install(t.Context(), propose(t, s, b))
	must.Succeed(t, err)
	return *find(t, s, e.ID)
}

func find(t *testing.T, s *install.Store, id string) *install.Entry {
	t.Helper()
	lock, err := s.ReadLock()
	must.Succeed(t, err)
	return lock.Find(id)
}

// tree lists the files below a folder, without the lock file of processes.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var names []string
	must.Succeed(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && path != dir && d.Name() != ".lock" {
			rel, _ := filepath.Rel(dir, path)
			names = append(names, filepath.ToSlash(rel))
		}
		return err
	}))
	return strings.Join(names, "\n")
}

// TestInstallUpdateDisableRemove checks the files and the lock after each step.
func TestInstallUpdateDisableRemove(t *testing.T) {
	s, data := newStore(t)
	if lock, err := s.ReadLock(); err != nil || len(lock.Plugins) != 0 {
		t.Fatalf("nothing is installed, and the lock says %+v (%v)", lock, err)
	}
	first := put(t, s, version(t, "go", "1.0.0"))
	if !first.Enabled || first.InstalledAt != noon || first.Signer != "" {
		t.Errorf("installed as %+v", first)
	}
	if err := s.Verify(first, install.Trust{}); err != nil {
		t.Errorf("what was installed does not hold: %v", err)
	}
	want := "plugins\nplugins/go\nplugins/go/" + first.Folder + "\nplugins/go/" + first.Folder + "/go.wasm\nplugins/go/" + first.Folder + "/plugin.toml\nplugins.lock"
	if got := tree(t, data); got != want {
		t.Errorf("on the disk:\n%s\nwant\n%s", got, want)
	}
	info, err := os.Stat(s.Folder(first))
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder has mode %v (%v)", info.Mode(), err)
	}

	second := put(t, s, version(t, "go", "1.1.0"))
	if second.Folder == first.Folder || second.Version != "1.1.0" {
		t.Errorf("updated to %+v", second)
	}
	if got := tree(t, filepath.Join(data, "plugins")); strings.Contains(got, first.Folder) {
		t.Errorf("the old version is still there:\n%s", got)
	}
	other := put(t, s, version(t, "a", "1.0.0"))
	for _, on := range []bool{false, true} {
		must.Succeed(t, s.Enable(t.Context(), *find(t, s, "go"), on))
		if e := find(t, s, "go"); e.Enabled != on || s.Verify(*e, install.Trust{}) != nil {
			t.Errorf("switched to %v, and it is %+v", on, e)
		}
	}
	must.Succeed(t, s.Remove(t.Context(), *find(t, s, "go")))
	must.Succeed(t, s.Remove(t.Context(), other))
	if got := tree(t, data); got != "plugins\nplugins.lock" {
		t.Errorf("after removal there is\n%s", got)
	}
}

// TestDisabledStaysDisabled checks that an update does not enable a disabled plugin.
func TestDisabledStaysDisabled(t *testing.T) {
	s, _ := newStore(t)
	must.Succeed(t, s.Enable(t.Context(), put(t, s, version(t, "go", "1.0.0")), false))
	if e := put(t, s, version(t, "go", "1.1.0")); e.Enabled {
		t.Error("an update enabled the plugin")
	}
}

func TestProposals(t *testing.T) {
	s, _ := newStore(t)
	p := propose(t, s, version(t, "go", "1.2.0", `hosts = ["a.example"]`))
	if p.Installed != nil || p.WidensRights() || p.IsInstalled || p.Downgrade {
		t.Errorf("a new plugin: %+v", p)
	}
	if _, err := s.Install(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name                    string
		version, more           string
		widens, downgrade, same bool
	}{
		{"the same", "1.2.0", `hosts = ["a.example"]`, false, false, true},
		{"newer", "1.10.0", `hosts = ["a.example"]`, false, false, false},
		{"older", "1.1.9", `hosts = ["a.example"]`, false, true, false},
		{"a version before the version", "1.2.0-rc1", `hosts = ["a.example"]`, false, true, false},
		{"another way of writing it", "v1.2", `hosts = ["a.example"]`, false, false, false},
		{"wider", "1.3.0", `hosts = ["a.example", "b.example"]`, true, false, false},
		{"narrower", "1.3.0", "", false, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := propose(t, s, version(t, "go", tt.version, tt.more))
			if p.WidensRights() != tt.widens || p.Downgrade != tt.downgrade || p.IsInstalled != tt.same || p.Installed == nil {
				t.Errorf("widens %v, downgrade %v, same %v", p.WidensRights(), p.Downgrade, p.IsInstalled)
			}
		})
	}
}

// TestGrants checks that only folders for roots in the manifest can be granted, and that an
// update keeps them.
func TestGrants(t *testing.T) {
	s, _ := newStore(t)
	const paths = "[[paths]]\nroot = \"inbox\"\n"
	inbox := map[string][]string{"inbox": {"/home/ann/Inbox"}}
	var e interface{ Error() string }
	if _, err := s.Propose(version(t, "go", "1.0.0"), install.Signature{}, inbox); !errors.As(err, &e) || code(err) != "no_such_root" {
		t.Errorf("a folder for nothing: %v", err)
	}
	p, err := s.Propose(version(t, "go", "1.0.0", paths), install.Signature{}, inbox)
	must.Succeed(t, err)
	if _, err := s.Install(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if e := put(t, s, version(t, "go", "1.1.0", paths)); len(e.Grants["inbox"]) != 1 {
		t.Errorf("after an update the folder is gone: %+v", e)
	}
	if e := put(t, s, version(t, "go", "1.2.0")); e.Grants != nil {
		t.Errorf("nobody asks for the folder, and it is granted: %+v", e)
	}
}

// TestTampered checks that every change on the disk is found, and that installing again repairs
// it.
func TestTampered(t *testing.T) {
	tests := []struct {
		name   string
		tamper func(dir string) error
		open   bool // found before the module is read
		says   string
	}{
		{"the module", func(dir string) error { return os.WriteFile(filepath.Join(dir, "go.wasm"), module("evil"), 0o600) }, false, "go.wasm was changed: the SHA-256 of its"},
		{"the manifest", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "plugin.toml"), []byte(manifestOf("go", "1.0.0", `hosts = ["evil.example"]`)), 0o600)
		}, true, "plugin.toml was changed"},
		{"one byte", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "plugin.toml"), []byte(manifestOf("go", "1.0.0")+"\n"), 0o600)
		}, true, "plugin.toml has 1 extra byte at its end; the rest is unchanged"},
		{"bytes at the module's end", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "go.wasm"), append(module("1.0.0"), "junk"...), 0o600)
		}, false, "go.wasm has 4 extra bytes at its end"},
		{"an empty module", func(dir string) error { return os.WriteFile(filepath.Join(dir, "go.wasm"), nil, 0o600) }, false, "go.wasm is now empty"},
		{"no module", func(dir string) error { return os.Remove(filepath.Join(dir, "go.wasm")) }, false, "its go.wasm is missing"},
		{"no folder", os.RemoveAll, true, "its plugin.toml is missing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, _ := newStore(t)
			b := version(t, "go", "1.0.0")
			e := put(t, s, b)
			must.Succeed(t, tt.tamper(s.Folder(e)))
			if err := s.Verify(e, install.Trust{}); code(err) != "plugin_tampered" || !strings.Contains(i18n.English().Error(err), tt.says) {
				t.Errorf("verify says %v", err)
			}
			if _, err := s.Open(e); tt.open && code(err) != "plugin_tampered" {
				t.Errorf("open says %v", err)
			}
			if e := put(t, s, b); s.Verify(e, install.Trust{}) != nil {
				t.Errorf("installed again, and %v", s.Verify(e, install.Trust{}))
			}
		})
	}
}

// TestUnlistedFolders checks that folders of plugins are found if the lock is lost, and that the
// next change removes them. Folders that a user put there are kept.
func TestUnlistedFolders(t *testing.T) {
	s, data := newStore(t)
	e := put(t, s, version(t, "go", "1.0.0"))
	lock, err := s.ReadLock()
	must.Succeed(t, err)
	if stray := s.UnlistedFolders(lock); len(stray) != 0 {
		t.Errorf("of what the lock names, %v is stray", stray)
	}
	own := filepath.Join(data, "plugins", "own")
	must.Succeed(t, errors.Join(os.Remove(filepath.Join(data, install.LockFile)), os.MkdirAll(own, 0o700), os.WriteFile(filepath.Join(own, "plugin.toml"), nil, 0o600)))
	if stray := s.UnlistedFolders(install.Lock{}); len(stray) != 1 || stray[0] != s.Folder(e) {
		t.Errorf("stray are %v, want %s", stray, s.Folder(e))
	}
	put(t, s, version(t, "b", "1.0.0"))
	if _, err := os.Stat(s.Folder(e)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the next change left it there (%v)", err)
	}
}

// TestBadLocks checks that an ambiguous or forged lock is refused, with its line.
func TestBadLocks(t *testing.T) {
	s, data := newStore(t)
	put(t, s, version(t, "go", "1.0.0", `hosts = ["a.example"]`))
	put(t, s, version(t, "b", "1.0.0"))
	name := filepath.Join(data, install.LockFile)
	good := must.ReadFile(t, name)
	tests := []struct{ name, old, new, want string }{
		{"a key", "enabled = true", "enabled = true\nmagic = 1", `unknown key "plugin.magic"`},
		{"a version to come", "version = 1\n", "version = 2\n", "version 2 is not supported"},
		{"no TOML", "[[plugin]]", "[[plugin", "line "},
		{"a right more", "host allow a.example", "host allow *", "its rights do not match"},
		{"a right that nobody knows", "host allow a.example", "fly free a.example", "unknown right"},
		{"a folder elsewhere", "folder = '", "folder = '../../", "is not the name of a folder"},
		{"an id that is a path", "id = 'b'", "id = '../b'", "not a plugin id"},
		{"out of order", "id = 'b'", "id = 'z'", "out of order"},
		{"twice", "id = 'b'", "id = 'go'", "out of order"},
		{"a digest", "module_sha256 = '", "module_sha256 = 'x", "64 hex digits"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if !strings.Contains(string(good), tt.old) {
				t.Fatalf("the lock has no %q:\n%s", tt.old, good)
			}
			must.Succeed(t, os.WriteFile(name, []byte(strings.Replace(string(good), tt.old, tt.new, 1)), 0o600))
			if _, err := s.ReadLock(); code(err) != "bad_lock" || !strings.Contains(i18n.English().Error(err), tt.want) {
				t.Errorf("error is %v, want %s", err, tt.want)
			}
		})
	}
}

// TestChangedMeanwhile checks that an installation fails if another version was installed after
// the user agreed.
func TestChangedMeanwhile(t *testing.T) {
	s, _ := newStore(t)
	mine := propose(t, s, version(t, "go", "1.0.0"))
	put(t, s, version(t, "go", "2.0.0"))
	if _, err := s.Install(t.Context(), mine); code(err) != "plugin_changed" {
		t.Errorf("installed over what was not seen: %v", err)
	}
	seen := *find(t, s, "go")
	must.Succeed(t, s.Enable(t.Context(), seen, false))
	if err := s.Remove(t.Context(), seen); code(err) != "plugin_changed" {
		t.Errorf("removed what was not seen: %v", err)
	}
}

// TestConcurrentChanges checks that concurrent changes wait for one another and that none is
// lost.
func TestConcurrentChanges(t *testing.T) {
	s, data := newStore(t)
	const n = 12
	bundles := make([]install.Bundle, n)
	for i := range bundles {
		bundles[i] = version(t, "p"+string(rune('a'+i)), "1.0.0")
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			other := install.New(data, time.Now) // as another process would
			p, err := other.Propose(bundles[i], install.Signature{}, nil)
			if err == nil {
				_, err = other.Install(t.Context(), p)
			}
			if err != nil {
				t.Errorf("install %s: %v", bundles[i].Manifest.ID, err)
			}
		})
	}
	wg.Wait()
	lock, err := s.ReadLock()
	if err != nil || len(lock.Plugins) != n {
		t.Fatalf("%d of %d are installed (%v)", len(lock.Plugins), n, err)
	}
	for _, e := range lock.Plugins {
		if err := s.Verify(e, install.Trust{}); err != nil {
			t.Error(err)
		}
	}
}

// TestUserFilesAreKept checks that sweep keeps folders that Errand did not make.
func TestUserFilesAreKept(t *testing.T) {
	s, data := newStore(t)
	own := filepath.Join(data, "plugins", "own")
	for _, dir := range []string{filepath.Join(own, "src"), filepath.Join(data, "plugins", "begun", "src")} {
		must.Succeed(t, os.MkdirAll(dir, 0o700))
	}
	must.Succeed(t, os.WriteFile(filepath.Join(own, "plugin.toml"), nil, 0o600))
	must.Succeed(t, s.Remove(t.Context(), put(t, s, version(t, "go", "1.0.0"))))
	if got := tree(t, filepath.Join(data, "plugins")); got != "begun\nbegun/src\nown\nown/plugin.toml\nown/src" {
		t.Errorf("left is\n%s", got)
	}
}

// TestLockTimeout: a program waits for the lock of another one until its deadline, and the
// error names the lock.
func TestLockTimeout(t *testing.T) {
	s, data := newStore(t)
	e := put(t, s, version(t, "go", "1.0.0"))
	other := flock.New(filepath.Join(data, "plugins", ".lock"))
	must.Succeed(t, other.Lock())
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := s.Remove(ctx, e); code(err) != "plugins_busy" {
		t.Errorf("while another program has the turn: %v", err)
	}
	must.Succeed(t, other.Unlock())
	if err := s.Remove(t.Context(), e); err != nil {
		t.Errorf("once it is done: %v", err)
	}
}

// TestInvalidFolderNames checks that a folder is not granted if the lock would have another name
// for it.
func TestInvalidFolderNames(t *testing.T) {
	s, data := newStore(t)
	p, err := s.Propose(version(t, "go", "1.0.0", "[[paths]]\nroot = \"inbox\"\n"), install.Signature{}, map[string][]string{"inbox": {"/home/ann/In\xffbox"}})
	must.Succeed(t, err)
	if _, err := s.Install(t.Context(), p); code(err) != "unwritable" {
		t.Errorf("granted: %v", err)
	}
	if _, err := os.Stat(filepath.Join(data, install.LockFile)); err == nil {
		t.Error("a lock was written")
	}
	put(t, s, version(t, "other", "1.0.0"))
	if got := tree(t, filepath.Join(data, "plugins")); strings.Contains("\n"+got, "\ngo") {
		t.Errorf("left is\n%s", got)
	}
}

// TestUnwritableFolder: the error names a folder that can't be written to.
func TestUnwritableFolder(t *testing.T) {
	data := t.TempDir()
	must.Succeed(t, os.WriteFile(filepath.Join(data, "plugins"), nil, 0o600))
	s := install.New(data, time.Now)
	if _, err := s.Install(t.Context(), propose(t, s, version(t, "go", "1.0.0"))); code(err) != "plugins_unwritable" || !strings.Contains(i18n.English().Error(err), data) {
		t.Errorf("installed where no folder can be: %v", err)
	}
}
