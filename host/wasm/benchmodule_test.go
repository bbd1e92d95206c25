package wasm_test

import (
	"os/exec"
	"testing"
)

// TestBenchmarkModule: the module of the benchmark program, which has requirements
// of its own, names all that the host needs.
func TestBenchmarkModule(t *testing.T) {
	list := exec.Command("go", "list", "-mod=readonly", "-deps", "-f", "{{with .Error}}{{.}}{{end}}", ".")
	list.Dir = "testdata/bench"
	if said, err := list.CombinedOutput(); err != nil {
		t.Errorf("go mod tidy in host/wasm/testdata/bench mends it: %v\n%s", err, said)
	}
}
