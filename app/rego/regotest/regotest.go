// Package regotest finds or builds the compiler of policies for tests.
package regotest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"errand/app/rego"
)

// Compiler returns the compiler that ERRAND_REGO names, or else a new one.
func Compiler(t testing.TB) rego.Compiler {
	t.Helper()
	if path := os.Getenv("ERRAND_REGO"); path != "" {
		return rego.Compiler{Path: path}
	}
	module, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "errand-rego")
	build := exec.Command("go", "build", "-o", path, ".")
	build.Dir = filepath.Join(filepath.Dir(strings.TrimSpace(string(module))), "cmd", "errand-rego")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return rego.Compiler{Path: path}
}
