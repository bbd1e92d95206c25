//go:build unix

package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"errand/build/must"
)

// searchHome makes a home folder with folders and links, and its configuration with the default
// roots.
func searchHome(t *testing.T, links [][2]string) (string, *Loaded) {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	must.Succeed(t, err)
	for _, folder := range []string{"Documents/bin/deep", "bin", "Desktop", "Documents2"} {
		must.Succeed(t, os.MkdirAll(filepath.Join(home, folder), 0o700))
	}
	for _, file := range []string{"Documents/bin/tool", "bin/tool"} {
		must.Succeed(t, os.WriteFile(filepath.Join(home, file), []byte("#!/bin/sh\n"), 0o700))
	}
	for _, link := range links {
		must.Succeed(t, os.Symlink(filepath.Join(home, link[1]), filepath.Join(home, link[0])))
	}
	l, err := Load(Options{Env: []string{"HOME=" + home}})
	must.Succeed(t, err)
	return home, l
}

// TestSearchPath checks that a folder of PATH which tools may change is left out, also through links
// and relative to the working directory.
func TestSearchPath(t *testing.T) {
	home, l := searchHome(t, [][2]string{{"link", "Documents/bin"}, {"Desktop/out", "bin"}, {"chain", "Desktop/out"}})
	t.Chdir(filepath.Join(home, "Documents"))
	for _, tt := range []struct {
		dir        string
		changeable bool
	}{
		{"/usr/bin", false},
		{home + "/bin", false},
		{home + "/Documents2", false},
		{home, false},
		{home + "/missing", false},
		{home + "/Documents", true},
		{home + "/Documents/bin", true},
		{home + "/Documents/bin/deep", true},
		{home + "/Documents/bin/later", true},
		{home + "/bin/../Documents/bin/", true},
		{home + "/link", true},
		{home + "/Desktop/out", true},
		{home + "/chain", true},
		{"bin", true},
		{".", true},
		{"", true},
	} {
		t.Run(tt.dir, func(t *testing.T) {
			path := strings.Join([]string{"/usr/local/bin", tt.dir, "/bin"}, ":")
			safe, changeable := l.SearchPath(path)
			if slices.Contains(changeable, tt.dir) != tt.changeable || slices.Contains(safe, tt.dir) == tt.changeable {
				t.Errorf("safe %q, changeable %q", safe, changeable)
			}
			if safe[0] != "/usr/local/bin" || safe[len(safe)-1] != "/bin" {
				t.Errorf("the others are not there in their order: %q", safe)
			}
		})
	}
}

// TestCheckProgram checks that a program which tools may change is refused, also by a link.
func TestCheckProgram(t *testing.T) {
	home, l := searchHome(t, [][2]string{{"bin/linked", "Documents/bin/tool"}, {"Documents/bin/away", "bin/tool"}})
	for path, runs := range map[string]bool{
		"bin/tool": true, "Documents/bin/tool": false, "bin/linked": false, "Documents/bin/away": false,
	} {
		if err := l.CheckProgram(filepath.Join(home, path)); (err == nil) != runs {
			t.Errorf("%s: %v", path, err)
		}
	}
}
