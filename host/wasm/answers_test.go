package wasm_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/wasm"
)

// answers is an Extism plugin whose function go has the output text, or with fails the error
// text, repeated to length bytes.
func answers(t *testing.T, text string, fails bool, length int) []byte {
	set := "output_set"
	end := "(call $set (local.get $at) (i64.const %d)) (i32.const 0)"
	if fails {
		set, end = "error_set", "(call $set (local.get $at)) (i32.const 1) ;; %d"
	}
	params := "(param i64 i64)"
	if fails {
		params = "(param i64)"
	}
	quoted := ""
	for _, c := range []byte(text) {
		quoted += fmt.Sprintf("\\%02x", c)
	}
	return assemble(t, fmt.Sprintf(`
	  (import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
	  (import "extism:host/env" "store_u8" (func $store (param i64 i32)))
	  (import "extism:host/env" "%s" (func $set %s))
	  (memory 1) (data (i32.const 0) "%s")
	  (func (export "go") (result i32) (local $at i64) (local $i i32)
	    (local.set $at (call $alloc (i64.const %d)))
	    (loop $copy
	      (call $store (i64.add (local.get $at) (i64.extend_i32_u (local.get $i))) (i32.load8_u (i32.rem_u (local.get $i) (i32.const %d))))
	      (local.set $i (i32.add (local.get $i) (i32.const 1)))
	      (br_if $copy (i32.lt_u (local.get $i) (i32.const %d))))
	    `+end+`
	  )`, set, params, quoted, length, len(text), length, length))
}

// TestAnswersAreUTF8: an answer that is not valid UTF-8 is no answer, whatever the ABI,
// and never becomes replacement characters.
func TestAnswersAreUTF8(t *testing.T) {
	const head = "schema = 1\nid = \"u\"\nversion = \"1\"\nmodule = \"m.wasm\"\n"
	const oneTool = "[[tool]]\nname = \"u\"\nfunction = \"go\"\ndescription = \"d\"\nside_effect_class = \"read\"\neffect = \"read\"\n"
	for _, tt := range []struct{ name, abi, answer, code string }{
		{"a text", "extism", "caf\xe9", "bad_output"},
		{"a text in JSON", "extism", "{\"a\":\"caf\xe9\"}", "bad_output"},
		{"a key in JSON", "extism", "{\"caf\xe9\":1}", "bad_output"},
		{"half a character at the end", "extism", "\"\xc3\"", "bad_output"},
		{"a surrogate in UTF-8", "extism", "\"\xed\xa0\xbd\"", "bad_output"},
		{"valid JSON", "extism", "{\"a\":\"café\"}", ""},
		{"a valid text", "extism", "café", ""},
		{"a content block", "hyper-mcp", "{\"content\":[{\"type\":\"text\",\"text\":\"caf\xe9\"}]}", "bad_output"},
		{"structured content", "hyper-mcp", "{\"structuredContent\":{\"a\":\"caf\xe9\"}}", "bad_output"},
		{"a valid content block", "hyper-mcp", "{\"content\":[{\"type\":\"text\",\"text\":\"café\"}]}", ""},
	} {
		t.Run(tt.abi+" "+tt.name, func(t *testing.T) {
			module := answers(t, tt.answer, false, len(tt.answer))
			if tt.abi == "hyper-mcp" {
				module = answersAs(t, tt.answer)
			}
			p, err := newHost(t, wasm.Options{}).Load(fstest.MapFS{"plugin.toml": {Data: []byte(head + "abi = \"" + tt.abi + "\"\n" + oneTool)}, "m.wasm": {Data: module}})
			must.Succeed(t, err)
			r, err := p.Tools()[0].Call(t.Context(), tool.Call{Tool: "u", ActionID: "a1", Args: map[string]any{}})
			must.Succeed(t, err)
			if tt.code == "" && r.Error == nil {
				if b, _ := json.Marshal(r.Payload); !strings.Contains(string(b), "café") {
					t.Errorf("payload %s", b)
				}
				return
			}
			if r.Error == nil || r.Error.Code != tt.code {
				t.Errorf("%#v, %v; want %q", r.Payload, r.Error, tt.code)
			}
		})
	}
}

// answersAs is a hyper-mcp plugin whose tools have this output.
func answersAs(t *testing.T, text string) []byte {
	quoted := ""
	for _, c := range []byte(text) {
		quoted += fmt.Sprintf("\\%02x", c)
	}
	return assemble(t, fmt.Sprintf(`
	  (import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
	  (import "extism:host/env" "store_u8" (func $store (param i64 i32)))
	  (import "extism:host/env" "output_set" (func $set (param i64 i64)))
	  (memory 1) (data (i32.const 0) "%s")
	  (func (export "list_tools") (result i32) (i32.const 0))
	  (func (export "call_tool") (result i32) (local $at i64) (local $i i32)
	    (local.set $at (call $alloc (i64.const %d)))
	    (loop $copy
	      (call $store (i64.add (local.get $at) (i64.extend_i32_u (local.get $i))) (i32.load8_u (local.get $i)))
	      (local.set $i (i32.add (local.get $i) (i32.const 1)))
	      (br_if $copy (i32.lt_u (local.get $i) (i32.const %d))))
	    (call $set (local.get $at) (i64.const %d)) (i32.const 0))`, quoted, len(text), len(text), len(text)))
}

// TestLongTextsAreCut: what a plugin writes into an error is cut before it reaches a
// person.
func TestLongTextsAreCut(t *testing.T) {
	const most = 6 << 10 // with the other words
	long := strings.Repeat("x", 20<<20)
	short := func(t *testing.T, e *tool.Error) {
		t.Helper()
		if e == nil {
			t.Fatal("no error")
		}
		for what, text := range map[string]string{"message": i18n.English().Text(e.Message), "hint": i18n.English().Text(e.Hint), "code": e.Code, "details": strings.Join(e.Details, "\n")} {
			if len(text) > most {
				t.Errorf("the %s has %d bytes", what, len(text))
			}
		}
	}
	const manifest = "schema = 1\nid = \"u\"\nversion = \"1\"\nmodule = \"m.wasm\"\nabi = \"extism\"\n[limits]\noutput = \"64MiB\"\n[[tool]]\nname = \"u\"\nfunction = \"go\"\ndescription = \"d\"\nside_effect_class = \"read\"\neffect = \"read\"\n"
	t.Run("error_set", func(t *testing.T) {
		m := wasm.Module{Name: "m.wasm", Bytes: answers(t, "long ", true, 20<<20)}
		h := newHost(t, wasm.Options{})
		out, err := h.Call(t.Context(), m, "go", nil, wasm.CallOptions{})
		must.Succeed(t, err)
		if text := i18n.English().Text(out.Error); len(text) > most || !strings.HasPrefix(text, "long long") {
			t.Errorf("the error has %d bytes", len(text))
		}
		p, err := h.Load(fstest.MapFS{"plugin.toml": {Data: []byte(manifest)}, "m.wasm": {Data: m.Bytes}})
		must.Succeed(t, err)
		r, err := p.Tools()[0].Call(t.Context(), tool.Call{Tool: "u", ActionID: "a1", Args: map[string]any{}})
		must.Succeed(t, err)
		short(t, r.Error)
	})
	t.Run("a typed error", func(t *testing.T) {
		call := rogueTools(t, wasm.Options{})
		text := strings.Repeat("y", 30<<10)
		r := call("rogue.say", map[string]any{"answer": `{"ok":false,"error":{"code":"` + text + `","message":"` + text + `","hint":"` + text + `"}}`})
		short(t, r.Error)
	})
	for name, answer := range map[string]string{
		"a block's type": `{"content":[{"type":"` + long[:30<<10] + `"}]}`,
		"a key twice":    `{"content":[],"` + long[:30<<10] + `":{"a":1,"a":2}}`,
		"a number":       `{"content":[],"isError":1` + strings.Repeat("0", 30<<10) + `}`,
	} {
		t.Run("hyper-mcp: "+name, func(t *testing.T) {
			const manifest = "schema = 1\nid = \"u\"\nversion = \"1\"\nmodule = \"m.wasm\"\nabi = \"hyper-mcp\"\n[[tool]]\nname = \"u\"\nfunction = \"go\"\ndescription = \"d\"\nside_effect_class = \"read\"\neffect = \"read\"\n"
			p, err := newHost(t, wasm.Options{}).Load(fstest.MapFS{"plugin.toml": {Data: []byte(manifest)}, "m.wasm": {Data: answersAs(t, answer)}})
			must.Succeed(t, err)
			r, err := p.Tools()[0].Call(t.Context(), tool.Call{Tool: "u", ActionID: "a1", Args: map[string]any{}})
			must.Succeed(t, err)
			short(t, r.Error)
		})
	}
	t.Run("names of functions", func(t *testing.T) {
		_, err := newHost(t, wasm.Options{}).Call(t.Context(), wasm.Module{Name: "m.wasm", Bytes: assemble(t, extismImport+`(func (export "`+long[:60_000]+`"))`)}, long[:50_000], nil, wasm.CallOptions{})
		short(t, tool.AsError(err))
	})
	t.Run("many functions", func(t *testing.T) {
		text := extismImport
		for i := range 2000 {
			text += fmt.Sprintf(`(func (export "function number %d"))`, i)
		}
		_, err := newHost(t, wasm.Options{}).Call(t.Context(), wasm.Module{Name: "m.wasm", Bytes: assemble(t, text)}, "go", nil, wasm.CallOptions{})
		short(t, tool.AsError(err))
		if hint := i18n.English().Text(tool.AsError(err).Hint); !strings.Contains(hint, "and 1970 more") {
			t.Errorf("hint %q", hint)
		}
	})
	t.Run("imports", func(t *testing.T) {
		_, err := newHost(t, wasm.Options{}).Call(t.Context(), wasm.Module{Name: "m.wasm", Bytes: assemble(t, `(import "`+long[:60_000]+`" "`+long[:60_000]+`" (func)) (func (export "go"))`)}, "go", nil, wasm.CallOptions{})
		short(t, tool.AsError(err))
	})
	t.Run("a trap", func(t *testing.T) {
		_, err := newHost(t, wasm.Options{}).Call(t.Context(), wasm.Module{Name: "m.wasm", Bytes: assemble(t, extismImport+`(func (export "`+long[:60_000]+`") (unreachable))`)}, long[:60_000], nil, wasm.CallOptions{})
		short(t, tool.AsError(err))
	})
}
