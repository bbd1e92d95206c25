package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"errand/app/config"
	"errand/build/must"
)

// TestConfigurationDocument wants docs/configuration.md as it is generated.
// UPDATE=1 writes it.
func TestConfigurationDocument(t *testing.T) {
	const name = "../../docs/configuration.md"
	want := configurationDocument()
	if os.Getenv("UPDATE") != "" {
		must.Succeed(t, os.WriteFile(name, want, 0o644))
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
			t.Errorf("app/config/reference.toml does not describe %s", e.Key)
		}
	}
	reads := regexp.MustCompile(`(?:Getenv|LookupEnv)\("([A-Z_]+)"\)|env\["([A-Z_]+)"\]`)
	described := variableNames()
	for _, top := range []string{"app", "host", "cmd", "main.go"} {
		must.Succeed(t, filepath.WalkDir(filepath.Join("../..", top), func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "testdata") || filepath.Base(filepath.Dir(path)) == "desktoptest" {
				return err
			}
			b, err := os.ReadFile(path)
			for _, m := range reads.FindAllStringSubmatch(string(b), -1) {
				if name := m[1] + m[2]; !slices.Contains(described, name) {
					t.Errorf("%s reads %s, which app/config/reference.toml does not describe", path, name)
				}
			}
			return err
		}))
	}
}

// variableNames lists the environment variables in [config.Variables], including those
// that their descriptions mention.
func variableNames() []string {
	var out []string
	for _, v := range config.Variables() {
		for word := range strings.FieldsFuncSeq(v.Name+" "+v.Doc, func(r rune) bool { return r != '_' && (r < 'A' || r > 'Z') }) {
			out = append(out, word)
		}
	}
	return out
}

// configurationDocument returns docs/configuration.md.
func configurationDocument() []byte {
	var b bytes.Buffer
	b.WriteString("# Configuration\n\n")
	intro, commands, _ := strings.Cut(configurationIntro, "\n\n")
	fmt.Fprintf(&b, "%s\n\n```sh\n", intro)
	for line := range strings.Lines(commands) {
		command, what, _ := strings.Cut(strings.TrimPrefix(line, "  "), "   ")
		fmt.Fprintf(&b, "%-22s # %s", command, strings.TrimLeft(what, " "))
	}
	b.WriteString("```\n\nThis page is generated from the code: `UPDATE=1 go test ./build/man` writes it.\n\n## Keys\n")
	table := "\x00"
	for _, e := range config.Reference() {
		if name := tableOf(e.Key); name != table {
			table = name
			fmt.Fprintf(&b, "\n### %s\n\n", table)
		}
		fmt.Fprintf(&b, "- `%s`: %s", e.Key, e.Doc)
		for _, line := range facts(e) {
			fmt.Fprintf(&b, "\n  %s", line)
		}
		b.WriteString("\n")
	}
	b.WriteString("\n## Environment variables\n\nA variable named ERRAND_SECTION_KEY sets a key, as listed above. These set none:\n\n")
	for _, v := range config.Variables() {
		fmt.Fprintf(&b, "- `%s`: %s\n", v.Name, v.Doc)
	}
	return b.Bytes()
}

// tableOf returns the table of a key, as written in errand.toml.
func tableOf(key string) string {
	if list, _, ok := strings.Cut(key, "[]"); ok {
		return "[[" + list + "]]"
	}
	i := strings.LastIndexByte(key, '.')
	if i < 0 {
		return "[[" + key + "]]"
	}
	return "[" + key[:i] + "]"
}
