package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"errand/app/config"
)

// TestConfigurationDocument wants docs/configuration.md as it is generated.
// UPDATE=1 writes it.
func TestConfigurationDocument(t *testing.T) {
	const name = "../../docs/configuration.md"
	want := configurationDocument()
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(name, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not current (%v): UPDATE=1 go test ./build/man writes it", name, err)
	}
}

// TestEveryKeyIsDescribed: each key and each variable that the program reads.
func TestEveryKeyIsDescribed(t *testing.T) {
	for _, e := range config.Reference() {
		if e.Doc == "" {
			t.Errorf("app/config/reference.go does not describe %s", e.Key)
		}
	}
	reads := regexp.MustCompile(`(?:Getenv|LookupEnv)\("([A-Z_]+)"\)|env\["([A-Z_]+)"\]`)
	described := config.VariableNames()
	for _, top := range []string{"app", "host", "cmd", "main.go"} {
		err := filepath.WalkDir(filepath.Join("../..", top), func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "testdata") {
				return err
			}
			b, err := os.ReadFile(path)
			for _, m := range reads.FindAllStringSubmatch(string(b), -1) {
				if name := m[1] + m[2]; !slices.Contains(described, name) {
					t.Errorf("%s reads %s, which app/config/reference.go does not describe", path, name)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
