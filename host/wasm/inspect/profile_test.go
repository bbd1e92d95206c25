package inspect_test

import (
	"slices"
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/wasm/inspect"
)

func TestMeasure(t *testing.T) {
	for name, b := range fixtures(t) {
		p, err := inspect.Measure(b)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		sections, functions, code := 0, 0, 0
		for _, s := range p.Sections {
			sections += s.Size
			if s.Name == "code" {
				code = s.Size
			}
		}
		for _, f := range p.Functions {
			functions += f.Size
			if f.Name == "" {
				t.Errorf("%s has a function without a name", name)
			}
		}
		// What is not in sections is their heads, some bytes for each.
		if head := len(b) - sections; head < 8 || head > 8+7*len(p.Sections) {
			t.Errorf("%s: sections are %d of %d bytes", name, sections, len(b))
		}
		if head := code - functions; head < 0 || head > 5+5*len(p.Functions) {
			t.Errorf("%s: functions are %d of %d bytes of code", name, functions, code)
		}
		if !slices.IsSortedFunc(p.Functions, func(a, b inspect.Part) int { return b.Size - a.Size }) {
			t.Errorf("%s: the biggest don't come first", name)
		}
	}
}

// TestMeasureIsBounded: what is no module, or one of a million sections, is told
// at once and in a few lines.
func TestMeasureIsBounded(t *testing.T) {
	head := []byte("\x00asm\x01\x00\x00\x00")
	if _, err := inspect.Measure(append(slices.Clone(head), make([]byte, 1<<20)...)); err == nil {
		t.Error("padding is a module")
	}
	many := slices.Clone(head)
	for i := range 1 << 20 {
		many = append(many, 0, 3, 2, 'a'+byte(i>>4)%16, 'a'+byte(i)%16)
	}
	p, err := inspect.Measure(many)
	total := 0
	for _, s := range p.Sections {
		total += s.Size
	}
	if err != nil || len(p.Sections) > 101 || total != 3<<20 {
		t.Errorf("%d sections of %d bytes, %v", len(p.Sections), total, err)
	}
}

// TestWithoutDebug: what is left out is for debugging, and the module says the
// same of itself.
func TestWithoutDebug(t *testing.T) {
	seen := 0
	for name, b := range fixtures(t) {
		before, err := inspect.Measure(b)
		must.Succeed(t, err)
		short, err := inspect.WithoutDebug(b)
		must.Succeed(t, err)
		after, err := inspect.Measure(short)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if after.Debug > 0 || after.Named != before.Named || len(after.Functions) != len(before.Functions) || len(short) > len(b)-before.Debug {
			t.Errorf("%s: %d bytes of %d are left, %d of them for debugging; there were %d", name, len(short), len(b), after.Debug, before.Debug)
		}
		if before.Debug > 0 {
			seen++
		}
	}
	if seen == 0 {
		t.Error("no fixture has debug sections")
	}
	if _, err := inspect.WithoutDebug([]byte("\x00asm\x01\x00\x00\x00\x00\x7f")); err == nil {
		t.Error("half a module was taken")
	}
}

func TestAsks(t *testing.T) {
	all := fixtures(t)
	for name, want := range map[string]string{
		"http.wasm":         `abi = "extism" hosts = ["…"]`,
		"count_vowels.wasm": `abi = "extism" [config.…] state = "sticky"`,
		"fs.wasm":           "[[paths]]",
	} {
		i, err := inspect.Read(all[name])
		must.Succeed(t, err)
		var lines []string
		for _, a := range i.Asks() {
			lines = append(lines, a.Line)
		}
		if got := strings.Join(lines, " "); !strings.Contains(got, want) {
			t.Errorf("%s asks for %q, want %q in it", name, got, want)
		}
	}
}

func TestForeignImports(t *testing.T) {
	tests := []struct{ module, name, kind, typ, want string }{
		{"env", "abort", "func", "", "--use abort="},
		{"env", "emscripten_memcpy_big", "func", "", "Emscripten"},
		{"env", "my_function", "func", "", "link its definition"},
		{"wasi:io/streams@0.2.0", "drop", "func", "", "preview 1"},
		{"__wbindgen_placeholder__", "__wbindgen_describe", "func", "", "wasm-bindgen"},
		{"gojs", "runtime.wasmExit", "func", "", "GOOS=wasip1"},
		{"extism:host/env", "new_thing", "func", "", "PDK"},
		{"extism:host/user", "kv_read", "func", "", "another program"},
		{"wasi_snapshot_preview1", "fd_write", "func", "(i32, i32, i32, i32) -> (i32)", ""},
		{"wasi_snapshot_preview1", "fd_write", "func", "(i32) -> (i32)", "declare it as (i32, i32, i32, i32) -> (i32)"},
		{"extism:host/env", "length", "func", "(i32) -> (i32)", "64 bits"},
		{"extism:host/env", "alloc", "memory", "", "--import-memory"},
		{"env", "memory", "memory", "", "wasm32-wasip1-threads"},
		{"env", "__indirect_function_table", "table", "", "--import-table"},
		{"GOT.mem", "x", "global", "", "-fPIC"},
		{"mystery", "f", "func", "", "link its definition into the module"},
	}
	for _, tt := range tests {
		i := inspect.Import{Module: tt.module, Name: tt.name, Kind: tt.kind, Type: tt.typ}
		if got := i18n.English().Text(i.Fix()); !strings.Contains(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%s: %q, want %q in it", i, got, tt.want)
		}
	}
}

// FuzzMeasure: any bytes are measured without a panic, and what can be measured
// can be measured without what is for debugging.
func FuzzMeasure(f *testing.F) {
	for _, b := range fixtures(f) {
		if len(b) < 4<<10 {
			f.Add(b)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if _, err := inspect.Measure(b); err != nil {
			return
		}
		short, err := inspect.WithoutDebug(b)
		must.Succeed(t, err)
		if p, err := inspect.Measure(short); err != nil || p.Debug > 0 {
			t.Errorf("%d bytes for debugging are left, %v", p.Debug, err)
		}
	})
}
