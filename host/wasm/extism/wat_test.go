package extism_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"errand/build/must"
)

// TestKernelIsItsSource checks that the embedded module is the assembled source.
func TestKernelIsItsSource(t *testing.T) {
	if _, err := exec.LookPath("wat2wasm"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("there is no wat2wasm: install wabt")
		}
		t.Skip(err)
	}
	out := filepath.Join(t.TempDir(), "kernel.wasm")
	if b, err := exec.Command("wat2wasm", "kernel.wat", "-o", out).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	want := must.ReadFile(t, out)
	got := must.ReadFile(t, "kernel.wasm")
	if !bytes.Equal(got, want) {
		t.Error("kernel.wasm is not what kernel.wat assembles to: run go generate ./host/wasm/extism")
	}
}

// TestKernelHasNoLoops checks that the kernel has no loops. It is not metered, so each of its
// functions must take a limited time.
func TestKernelHasNoLoops(t *testing.T) {
	source := must.ReadFile(t, "kernel.wat")
	code := regexp.MustCompile(`;;.*`).ReplaceAll(source, nil)
	for _, op := range []string{"loop", "memory.fill", "memory.copy", "memory.init", "call_indirect", "table."} {
		if bytes.Contains(code, []byte("("+op)) {
			t.Errorf("kernel.wat has a %s", op)
		}
	}
	calls := map[string][]string{}
	var in string
	for _, m := range regexp.MustCompile(`\(func (\$\w+)?|\(call (\$\w+)`).FindAllSubmatch(code, -1) {
		if len(m[2]) > 0 {
			calls[in] = append(calls[in], string(m[2]))
		} else {
			in = string(m[1])
		}
	}
	var deepest func(f string, n int) int
	deepest = func(f string, n int) int {
		most := n
		for _, callee := range calls[f] {
			if n < 10 {
				most = max(most, deepest(callee, n+1))
			}
		}
		return most
	}
	for f := range calls {
		if deepest(f, 0) > 3 {
			t.Errorf("calls of %s are nested so deep that it may call itself", f)
		}
	}
}
