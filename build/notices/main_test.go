package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"errand/build/must"
)

func TestLicencesOfAModule(t *testing.T) {
	tests := []struct {
		name  string
		files []string
		want  []string // none: an error
	}{
		{"the usual one", []string{"LICENSE", "README.md", "main.go"}, []string{"LICENSE"}},
		{"other spellings, and what must go along", []string{"Licence.txt", "NOTICE", "COPYING.LESSER"}, []string{"COPYING.LESSER", "Licence.txt", "NOTICE"}},
		{"none", []string{"README.md", "unlicensed.go"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for _, f := range tt.files {
				must.Succeed(t, os.WriteFile(filepath.Join(dir, f), nil, 0o644))
			}
			got, err := licences(dir)
			for i := range got {
				got[i] = filepath.Base(got[i])
			}
			if !slices.Equal(got, tt.want) || (err == nil) != (len(tt.want) > 0) {
				t.Errorf("licences = %q, %v; want %q", got, err, tt.want)
			}
		})
	}
}

// TestTheProgramSaysWhatItContains takes a program that is surely there: the test
// itself.
func TestTheProgramSaysWhatItContains(t *testing.T) {
	own, err := os.Executable()
	must.Succeed(t, err)
	page := filepath.Join(t.TempDir(), "licenses.md")
	must.Succeed(t, os.WriteFile(page, []byte("what the page is made of\n"), 0o644))
	t.Chdir("../..") // the root of the repository
	var out strings.Builder
	must.Succeed(t, write(&out, []string{own}, "", page))
	for _, want := range []string{"Go's runtime", "Go module github.com/pelletier/go-toml/v2 ", "Permission is hereby granted", "what the page is made of", "Kevin Atkinson", "Alexander I. Lebedev"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in it", want)
		}
	}
}

func TestACrateWithoutALicenceIsSaid(t *testing.T) {
	lock := filepath.Join(t.TempDir(), "Cargo.lock")
	text := "[[package]]\nname = \"ours\"\nversion = \"1.0.0\"\n\n[[package]]\nname = \"no-such-crate\"\nversion = \"9.9.9\"\nsource = \"registry\"\n"
	must.Succeed(t, os.WriteFile(lock, []byte(text), 0o644))
	if _, err := crateNotices(lock); err == nil || !strings.Contains(err.Error(), "no-such-crate 9.9.9") {
		t.Errorf("crateNotices = %v", err)
	}
}
