//go:build linux

package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"errand/build/must"
	"errand/build/poll"
)

// TestShowPageHidesAddress: the browser is started with a file's name,
// which only this person can read, and not with the address.
func TestShowPageHidesAddress(t *testing.T) {
	bin, dir := t.TempDir(), filepath.Join(t.TempDir(), "cache")
	told := filepath.Join(bin, "told")
	script := "#!/bin/sh\nprintf '%s' \"$1\" > " + told + ".new\nmv " + told + ".new " + told + "\n"
	must.Succeed(t, os.WriteFile(filepath.Join(bin, "xdg-open"), []byte(script), 0o755))
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	const target = `http://127.0.0.1:1/#token=SECRET&"x`
	remove, err := ShowPage(t.Context(), dir, target)
	must.Succeed(t, err)
	var b []byte
	poll.WaitUntil(func() bool { // it exists before it has been written
		b, err = os.ReadFile(told)
		return len(b) > 0
	})
	name, isFile := strings.CutPrefix(string(b), "file://")
	info, statErr := os.Stat(name)
	if err != nil || !isFile || statErr != nil || info.Mode().Perm() != 0o600 || strings.Contains(string(b), "SECRET") {
		t.Fatalf("it was told %q: %v, %v", b, err, statErr)
	}
	page, err := os.ReadFile(name)
	if err != nil || !strings.Contains(string(page), `content="0; url=http://127.0.0.1:1/#token=SECRET&amp;&#34;x"`) {
		t.Errorf("page %s, %v", page, err)
	}
	if err := remove(); err != nil || there(name) {
		t.Errorf("left: %v", err)
	}
	t.Setenv("PATH", bin+"/none")
	if _, err := ShowPage(t.Context(), dir, target); err == nil {
		t.Error("without a browser it says nothing")
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}
