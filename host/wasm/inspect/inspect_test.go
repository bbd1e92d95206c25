package inspect_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/host/wasm/inspect"
)

// fixtures are the plugins of the Extism Go SDK's tests, by file name.
func fixtures(t testing.TB) map[string][]byte {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/extism/go-sdk").Output()
	if err != nil {
		t.Fatalf("find the Extism Go SDK in the module cache: %v", err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "wasm", "*.wasm"))
	if err != nil || len(files) < 20 {
		t.Fatalf("the Extism Go SDK has %d modules (%v)", len(files), err)
	}
	all := map[string][]byte{}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(f)] = b
	}
	return all
}

func TestRead(t *testing.T) {
	all := fixtures(t)
	tests := []struct {
		file      string
		abi       inspect.ABI
		function  string
		toolchain string
		needs     []string
	}{
		{"count_vowels.wasm", inspect.Extism, "count_vowels", "rustc", []string{"config", "variables"}},
		{"hello.wasm", inspect.Extism, "run_test", "", []string{}},
		{"http.wasm", inspect.Extism, "run_test", "", []string{"network", "clock"}},
		{"std_command.wasm", inspect.Extism, "_start", "Go", []string{"clock", "random"}},
		{"println.wasm", inspect.Extism, "run_test", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			i, err := inspect.Read(all[tt.file])
			if err != nil {
				t.Fatal(err)
			}
			if i.ABI != tt.abi || i.Problem != "" {
				t.Errorf("abi %s, problem %q", i.ABI, i.Problem)
			}
			if f := i.Func(tt.function); f == nil || !strings.HasPrefix(f.Type, "() -> ") {
				t.Errorf("function %s is %+v; exports: %v", tt.function, f, i.Funcs())
			}
			if got := strings.Join(i.Toolchain, " "); !strings.Contains(got, tt.toolchain) {
				t.Errorf("toolchain is %q, want %q in it", got, tt.toolchain)
			}
			if i.Memory == nil || i.Memory.Min == 0 {
				t.Errorf("memory is %+v", i.Memory)
			}
			if diff := cmp.Diff(tt.needs, i.Needs); tt.needs != nil && diff != "" {
				t.Errorf("needs (-want +got):\n%s", diff)
			}
		})
	}
	for name, b := range all {
		if _, err := inspect.Read(b); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNotAModule(t *testing.T) {
	tests := []struct {
		name string
		in   string
		want string // of the error, or of the problem
	}{
		{"empty", "", "empty"},
		{"half a magic number", "\x00as", "truncated"},
		{"script", "#!/bin/sh", `not WebAssembly: it begins with "#!/b"`},
		{"header cut", "\x00asm\x01\x00", "truncated"},
		{"version", "\x00asm\x02\x00\x00\x00", "version 02 00 00 00"},
		{"section longer than the file", "\x00asm\x01\x00\x00\x00\x01\x7f\x01", "truncated"},
		{"count longer than the section", "\x00asm\x01\x00\x00\x00\x02\x05\xff\xff\xff\xff\x0f", "truncated"},
		{"number without end", "\x00asm\x01\x00\x00\x00\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", "64 bits"},
		{"component", "\x00asm\x0d\x00\x01\x00", "component"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			i, err := inspect.Read([]byte(tt.in))
			got := i.Problem
			if err != nil {
				got = err.Error()
			}
			if !strings.Contains(got, tt.want) {
				t.Errorf("it says %q, want %q in it", got, tt.want)
			}
		})
	}
}

func TestClampTables(t *testing.T) {
	header := "\x00asm\x01\x00\x00\x00"
	tests := []struct {
		name string
		in   string
		want string // "" for an error
	}{
		{"no table", header, header},
		{"bounded", header + "\x04\x05\x01\x70\x01\x01\x02", header + "\x04\x05\x01\x70\x01\x01\x02"},
		{"unbounded", header + "\x04\x04\x01\x70\x00\x01", header + "\x04\x07\x01\x70\x01\x01\x80\x80\x40"},
		{"bound too high", header + "\x04\x09\x01\x6f\x01\x00\xff\xff\xff\xff\x0f", header + "\x04\x07\x01\x6f\x01\x00\x80\x80\x40"},
		{"too big from the start", header + "\x04\x08\x01\x70\x00\x80\x80\x80\x80\x01", ""},
		{"cut", header + "\x04\x02\x01\x70", ""},
		{"longer than its contents", header + "\x04\x06\x01\x70\x01\x01\x02\x00", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := inspect.ClampTables([]byte(tt.in))
			if (err != nil) != (tt.want == "") {
				t.Fatalf("error is %v", err)
			}
			if err == nil && string(got) != tt.want {
				t.Errorf("got % x, want % x", got, tt.want)
			}
		})
	}
}

// FuzzRead: any bytes are read without a panic, and what can be read can be
// clamped to a module that says the same of itself.
func FuzzRead(f *testing.F) {
	for _, b := range fixtures(f) {
		if len(b) < 4<<10 {
			f.Add(b)
		}
	}
	f.Add([]byte("\x00asm\x01\x00\x00\x00\x04\x04\x01\x70\x00\x01"))
	f.Fuzz(func(t *testing.T, b []byte) {
		i, err := inspect.Read(b)
		if err != nil || i.Problem != "" {
			return
		}
		clamped, err := inspect.ClampTables(b)
		if err != nil {
			return
		}
		again, err := inspect.Read(clamped)
		if err != nil {
			t.Fatalf("the clamped module: %v", err)
		}
		again.SHA256, again.Size = i.SHA256, i.Size
		if diff := cmp.Diff(i, again); diff != "" {
			t.Errorf("clamping changed the module (-before +after):\n%s", diff)
		}
		if twice, err := inspect.ClampTables(clamped); err != nil || !bytes.Equal(twice, clamped) {
			t.Errorf("clamping twice: %v", err)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	code := fixtures(b)["count_vowels_std.wasm"]
	for b.Loop() {
		if _, err := inspect.Read(code); err != nil {
			b.Fatal(err)
		}
	}
}
