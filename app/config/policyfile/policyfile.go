// Package policyfile reads the files of policies that are written in Rego.
package policyfile

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"errand/host/realpath"
	"errand/planner/message"
)

// Limits of all files together.
const (
	MaxFiles = 100
	MaxBytes = 512 << 10
)

// suffix ends the names of policy files, and testSuffix of those with tests.
const (
	suffix     = ".rego"
	testSuffix = "_test.rego"
)

// File is a policy file with its text.
type File struct {
	Name string `json:"name"` // with slashes; relative to the folder of errand.toml if that names it
	Text string `json:"text"`
}

// IsTest reports whether the file has tests, which decide nothing.
func (f File) IsTest() bool { return strings.HasSuffix(f.Name, testSuffix) }

// Read reads the files that a pattern matches. A folder stands for the policy files in it. Without a
// file it fails: a policy that isn't there would allow everything. check refuses files that other
// users can change; nil refuses none. The names are relative to dir, if they are in it.
func Read(pattern, dir string, check func(name string, info os.FileInfo) error) ([]File, error) {
	names, err := find(pattern)
	if err != nil {
		return nil, err
	}
	var files []File
	total := 0
	for _, name := range names {
		text, err := read(name, check)
		if err != nil {
			return nil, message.Error("config.unreadable_rego", "file", name, "cause", err)
		}
		if total += len(text); total > MaxBytes || len(files) == MaxFiles {
			return nil, TooMuchError()
		}
		if short, err := filepath.Rel(dir, name); err == nil && filepath.IsLocal(short) {
			name = short
		}
		files = append(files, File{filepath.ToSlash(name), text})
	}
	return files, nil
}

// TooMuchError is the error of files beyond the limits.
func TooMuchError() error {
	return message.Error("config.too_much_rego", "files", MaxFiles, "bytes", MaxBytes)
}

func find(pattern string) ([]string, error) {
	if info, err := os.Stat(pattern); err == nil && info.IsDir() {
		pattern = filepath.Join(pattern, "*"+suffix)
	}
	names, err := filepath.Glob(pattern)
	if err != nil {
		return nil, message.Error("config.bad_rego_pattern", "pattern", pattern)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasSuffix(name, suffix) })
	if len(names) == 0 {
		return nil, message.Error("config.no_rego_file", "pattern", pattern)
	}
	return names, nil
}

func read(name string, check func(string, os.FileInfo) error) (string, error) {
	info, err := os.Stat(name)
	if err != nil {
		return "", err
	}
	if check != nil {
		if err := check(name, info); err != nil {
			return "", err
		}
	}
	text, err := realpath.ReadFile(name, MaxBytes)
	if err == nil && !utf8.Valid(text) {
		err = message.Error("config.rego_not_text", "file", name)
	}
	return string(text), err
}
