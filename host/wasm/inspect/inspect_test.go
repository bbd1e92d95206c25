package inspect_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/i18n"
	"errand/build/must"
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
		b := must.ReadFile(t, f)
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
			must.Succeed(t, err)
			if i.ABI != tt.abi || !i.Problem.IsZero() {
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
		{"gzip", "\x1f\x8b\x08\x00", "but an archive packed by gzip: errand plugin install takes one"},
		{"zip", "PK\x03\x04..", "but a zip archive"},
		{"text", "(module)", "wat2wasm"},
		{"text behind comments", "\n;; a plugin\n  ;; of mine\n(module)", "wat2wasm"},
		{"comments alone", ";;", `begins with ";;"`},
		{"a component's text", "(component)", "of a component"},
		{"a pointer", "version https://git-lfs.github.com/spec/v1\n", "git lfs pull"},
		{"a page", "<!doctype html>", "a server may have sent"},
		{"header cut", "\x00asm\x01\x00", "truncated"},
		{"version", "\x00asm\x02\x00\x00\x00", "version 02 00 00 00"},
		{"section longer than the file", "\x00asm\x01\x00\x00\x00\x01\x7f\x01", "truncated"},
		{"count longer than the section", "\x00asm\x01\x00\x00\x00\x02\x05\xff\xff\xff\xff\x0f", "truncated"},
		{"number without end", "\x00asm\x01\x00\x00\x00\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", "64 bits"},
		{"text after the module", "\x00asm\x01\x00\x00\x00\x01\x01\x00junk", "at byte 11 (of 15) is not part of a module: something was appended"},
		{"a line's end after the module", "\x00asm\x01\x00\x00\x00\x0a\x01\x00\n", "at byte 11 (of 12) is not part of a module: something was appended"},
		{"zeros after the module", "\x00asm\x01\x00\x00\x00\x01\x01\x00\x00\x00\x00", "at byte 11 (of 14) is a custom section without a name"},
		{"another module after it", "\x00asm\x01\x00\x00\x00\x01\x01\x00\x00asm\x01\x00\x00\x00", "the section at byte 11 (of 19) continues beyond the end, or something was appended"},
		{"component", "\x00asm\x0d\x00\x01\x00", "component"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			i, err := inspect.Read([]byte(tt.in))
			got := i18n.English().Text(i.Problem)
			if err != nil {
				got = i18n.English().Error(err)
			}
			if !strings.Contains(got, tt.want) {
				t.Errorf("it says %q, want %q in it", got, tt.want)
			}
		})
	}
}

// TestLaterFeatures: what this host can't run is read all the same, so that the
// reason why can be told.
func TestLaterFeatures(t *testing.T) {
	const references = "\x00asm\x01\x00\x00\x00\x01\x0a\x02\x60\x00\x00\x60\x02\x63\x00\x7f\x00" // a type and (func (param (ref null 0) i32))
	tests := []struct{ name, text, function string }{                                            // or code
		{"exceptions", `(import "m" "t" (tag (param i32))) (tag) (func (export "f") (throw 0 (i32.const 1)))`, "() -> ()"},
		{"typed references", references + "\x03\x02\x01\x01\x07\x05\x01\x01f\x00\x00\x0a\x04\x01\x02\x00\x0b", "(ref, i32) -> ()"},
		{"an imported reference", references + "\x02\x09\x01\x01m\x01g\x03\x63\x00\x00\x03\x02\x01\x01\x07\x05\x01\x01f\x00\x00\x0a\x04\x01\x02\x00\x0b", "(ref, i32) -> ()"},
		{"two memories of 64 bits", `(memory i64 1) (memory 1) (func (export "f") (result i64) (i64.const 1))`, "() -> (i64)"},
		{"threads", `(import "m" "memory" (memory 1 2 shared)) (func (export "f"))`, "() -> ()"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := []byte(tt.text)
			if strings.HasPrefix(tt.text, "(") {
				b = wat(t, tt.text)
			}
			i, err := inspect.Read(b)
			must.Succeed(t, err)
			if f := i.Func("f"); f == nil || f.Type != tt.function {
				t.Errorf("f is %+v, want of type %s", f, tt.function)
			}
			if _, err := inspect.Measure(b); err != nil {
				t.Errorf("Measure: %v", err)
			}
		})
	}
}

// wat assembles a module from its text.
func wat(t *testing.T, text string) []byte {
	t.Helper()
	in, out := filepath.Join(t.TempDir(), "in.wat"), filepath.Join(t.TempDir(), "out.wasm")
	must.Succeed(t, os.WriteFile(in, []byte("(module "+text+")"), 0o600))
	if said, err := exec.Command("wat2wasm", "--enable-all", "--no-check", in, "-o", out).CombinedOutput(); err != nil {
		t.Fatalf("wat2wasm, of the package wabt: %v\n%s", err, said)
	}
	return must.ReadFile(t, out)
}

// FuzzRead: any bytes are read without a panic, and what can be read says the same
// of itself without what is for debuggers.
func FuzzRead(f *testing.F) {
	for _, b := range fixtures(f) {
		if len(b) < 4<<10 {
			f.Add(b)
		}
	}
	f.Add([]byte("\x00asm\x01\x00\x00\x00\x04\x04\x01\x70\x00\x01\x00\x08\x07.debug_"))
	f.Fuzz(func(t *testing.T, b []byte) {
		i, err := inspect.Read(b)
		if err != nil || i.ABI == inspect.Component {
			return
		}
		plain, err := inspect.WithoutDebug(b)
		if err != nil {
			t.Fatalf("WithoutDebug: %v", err)
		}
		again, err := inspect.Read(plain)
		if err != nil {
			t.Fatalf("the module without debug sections: %v", err)
		}
		again.SHA256, again.Size = i.SHA256, i.Size
		if diff := cmp.Diff(i, again); diff != "" {
			t.Errorf("without debug sections it says otherwise (-before +after):\n%s", diff)
		}
		if twice, err := inspect.WithoutDebug(plain); err != nil || !bytes.Equal(twice, plain) {
			t.Errorf("WithoutDebug twice: %v", err)
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
