// Package must is for steps of a test that have to succeed. Only tests import it.
package must

import (
	"os"
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
