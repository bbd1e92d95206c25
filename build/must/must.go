// Package must is for steps of a test that have to succeed. Only tests import it.
package must

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Succeed ends the test if err is not nil.
func Succeed(t testing.TB, err error) {
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
}

// ReadFile returns the content of a file. It ends the test if the file cannot be read.
func ReadFile(t testing.TB, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(name)
	Succeed(t, err)
	return content
}

// ReadJSONL returns the values of a file that has one JSON value a line. It ends the test if a
// line has no value of type T, or if the file has no lines.
func ReadJSONL[T any](t testing.TB, name string) []T {
	t.Helper()
	var values []T
	for line := range bytes.Lines(ReadFile(t, name)) {
		var v T
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatalf("%s: %v in %s", name, err, line)
		}
		values = append(values, v)
	}
	if len(values) == 0 {
		t.Fatalf("%s is empty", name)
	}
	return values
}

// JSON returns a value as JSON. It ends the test if the value has no JSON.
func JSON(t testing.TB, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	Succeed(t, err)
	return text
}

// ShareKey gives a data folder the key that all homes of tests have, so that a program which uses
// it finds the plugins that programs of other tests compiled into the same cache.
func ShareKey(t testing.TB, data string) {
	t.Helper()
	Succeed(t, os.MkdirAll(data, 0o700))
	Succeed(t, os.WriteFile(filepath.Join(data, "plugin-code.key"), []byte(strings.Repeat("k", 32)), 0o600))
}
