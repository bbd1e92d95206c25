package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"errand/host/realpath"
	"errand/planner/message"
)

// Limits of the policies in Rego.
const (
	maxRegoFiles = 100
	maxRegoBytes = 512 << 10 // of all files
)

// RegoFile is a policy file with its text.
type RegoFile struct {
	Name string `json:"name"` // relative to the folder of errand.toml, with slashes
	Text string `json:"text"`
}

// regoTests ends the names of files with tests of policies, which decide nothing.
const regoTests = "_test.rego"

// IsTest reports whether the file has tests.
func (f RegoFile) IsTest() bool { return strings.HasSuffix(f.Name, regoTests) }

// readRego reads the files that policy.rego names. Without a file, a pattern is a fault: a policy
// that is not there would allow everything.
func (l *Loaded) readRego(report reporter) {
	dir, total := filepath.Dir(l.Paths.File), 0
	for i, pattern := range l.Policy.Rego {
		key := fmt.Sprintf("policy.rego[%d]", i)
		full := l.Paths.Resolve(filepath.FromSlash(pattern))
		if !filepath.IsAbs(full) {
			full = filepath.Join(dir, full)
		}
		names, err := regoNames(full)
		if err != nil {
			report(key, message.FromError(err))
			continue
		}
		for _, name := range names {
			short, err := filepath.Rel(dir, name)
			if err != nil || strings.HasPrefix(short, "..") {
				short = name
			}
			short = filepath.ToSlash(short)
			if slices.ContainsFunc(l.Rego, func(f RegoFile) bool { return f.Name == short }) {
				continue
			}
			text, err := readPolicy(name)
			if err != nil {
				report(key, message.New("config.unreadable_rego", "file", short, "cause", fileFault(name, err)))
				continue
			}
			if total += len(text); total > maxRegoBytes || len(l.Rego) >= maxRegoFiles {
				report(key, message.New("config.too_much_rego", "files", maxRegoFiles, "bytes", maxRegoBytes))
				return
			}
			l.Rego = append(l.Rego, RegoFile{short, text})
		}
	}
}

// regoNames lists the policy files that a pattern matches. A folder stands for those in it.
func regoNames(pattern string) ([]string, error) {
	if info, err := os.Stat(pattern); err == nil && info.IsDir() {
		pattern = filepath.Join(pattern, "*.rego")
	}
	names, err := filepath.Glob(pattern)
	if err != nil {
		return nil, message.Error("config.bad_rego_pattern", "pattern", pattern)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasSuffix(name, ".rego") })
	if len(names) == 0 {
		return nil, message.Error("config.no_rego_file", "pattern", pattern)
	}
	return names, nil
}

// ReadRego reads the policy files of a pattern, a folder or one file.
func ReadRego(pattern string) ([]RegoFile, error) {
	names, err := regoNames(filepath.FromSlash(pattern))
	if err != nil {
		return nil, err
	}
	var files []RegoFile
	for _, name := range names {
		text, err := readPolicy(name)
		if err != nil {
			return nil, err
		}
		files = append(files, RegoFile{filepath.ToSlash(name), text})
	}
	return files, nil
}

// readPolicy reads a file that nobody else can change.
func readPolicy(name string) (string, error) {
	info, err := os.Stat(name)
	if err != nil {
		return "", err
	}
	if err := checkPermissions(name, info); err != nil {
		return "", err
	}
	text, err := realpath.ReadFile(name, maxRegoBytes)
	if err == nil && !utf8.Valid(text) {
		err = message.Error("config.rego_not_text", "file", name)
	}
	return string(text), err
}

// RegoFault is the fault of a policy file as a fault of the configuration. file is empty if the fault
// is of no one file.
func (l *Loaded) RegoFault(file string, line int, m message.Message) Problem {
	if file == "" {
		return Problem{l.Source("policy.rego"), 0, "policy.rego", m}
	}
	return Problem{file, line, "", m}
}
