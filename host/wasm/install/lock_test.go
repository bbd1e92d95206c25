package install

import (
	"strings"
	"testing"

	"errand/build/must"
)

// FuzzLock checks that an accepted lock stays the same when it is written and read again, and
// that it names only folders below its plugin's.
func FuzzLock(f *testing.F) {
	digest := strings.Repeat("a", 64)
	f.Add("version = 1\n")
	f.Add("version = 1\n[[plugin]]\nid = 'go'\nversion = '1'\nfolder = '1-a'\nmodule_sha256 = '" + digest + "'\nmanifest_sha256 = '" + digest +
		"'\nsource = '/x'\ninstalled_at = 2026-03-01T12:00:00Z\nrights_sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'\nrights = []\n[plugin.grants]\ninbox = ['/home/ann']\n")
	f.Add("version = 2\n")
	f.Add("[[plugin]]\n[[plugin]]\n")
	f.Fuzz(func(t *testing.T, text string) {
		l, err := parseLock([]byte(text))
		if err != nil {
			return
		}
		for _, e := range l.Plugins {
			if e.Folder == "" || strings.ContainsAny(e.Folder, `/\`) || strings.HasPrefix(e.Folder, ".") {
				t.Errorf("the folder %q was accepted", e.Folder)
			}
		}
		written, err := l.text()
		must.Succeed(t, err)
		back, err := parseLock(written)
		if err != nil || len(back.Plugins) != len(l.Plugins) {
			t.Fatalf("%v\n%s", err, written)
		}
		for i := range back.Plugins {
			if !equalEntries(&back.Plugins[i], &l.Plugins[i]) {
				t.Errorf("%+v was read back as %+v", l.Plugins[i], back.Plugins[i])
			}
		}
	})
}
