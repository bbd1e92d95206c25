package wasm_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/wasm"
	"errand/planner/message"
)

// TestMemoryInTotal: the calls that run have so much memory together and no more,
// their own and what they share with the host; one that gets none says so, and the
// next one has what others gave back.
func TestMemoryInTotal(t *testing.T) {
	module := assemble(t, `
	(import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
	(import "extism:host/env" "log_info" (func $log (param i64)))
	(memory 1)
	(func $grow (result i32) (i32.eq (memory.grow (i32.const 400)) (i32.const -1)))
	(func (export "hold") (result i32) (local $n i32) (local.set $n (call $grow)) (call $log (i64.const 0)) (local.get $n))
	(func (export "grow") (result i32) (call $grow))
	(func (export "breaks") (if (call $grow) (then (unreachable))))
	(func (export "alloc") (result i32) (i64.eqz (call $alloc (i64.const 26000000))))
	(func (export "small") (result i32) (i32.eq (memory.grow (i32.const 10)) (i32.const -1)))`)
	held, release := make(chan struct{}), make(chan struct{})
	h := newHost(t, wasm.Options{Memory: 40 << 20, Log: func(_ context.Context, plugin, _ string, _ message.Message) {
		if plugin == "a" {
			held <- struct{}{}
			<-release
		}
	}})
	load := func(id, class string) *wasm.Plugin {
		t.Helper()
		text := fmt.Sprintf("schema = 1\nid = %q\nversion = \"1\"\nmodule = \"m.wasm\"\nabi = \"extism\"\n", id)
		for _, f := range []string{"hold", "grow", "breaks", "alloc", "small"} {
			text += fmt.Sprintf("[[tool]]\nname = \"%s.%s\"\nfunction = %q\ndescription = \"d\"\nside_effect_class = %q\neffect = %q\n", id, f, f, class, map[string]string{"read": "read", "write": "commit"}[class])
		}
		p, err := h.Load(fstest.MapFS{"m.wasm": {Data: module}, "plugin.toml": {Data: []byte(text)}})
		must.Succeed(t, err)
		return p
	}
	a, b := load("a", "read"), map[string]*wasm.Plugin{"grow": load("b", "write"), "alloc": load("b2", "write")}
	b["breaks"], b["small"] = b["grow"], b["alloc"]
	call := func(p *wasm.Plugin, function string) *tool.Error {
		t.Helper()
		for _, tl := range p.Tools() {
			if name := tl.Spec().Name; strings.HasSuffix(name, "."+function) {
				r, err := tl.Call(t.Context(), tool.Call{Tool: name, ActionID: "a1"})
				if err != nil {
					return tool.AsError(err)
				}
				return r.Error
			}
		}
		t.Fatalf("no tool %s", function)
		return nil
	}
	for range 2 {
		for _, function := range []string{"grow", "breaks", "alloc", "small"} {
			if e := call(b[function], function); e != nil {
				t.Fatalf("%s, alone: %+v", function, e)
			}
		}
		ended := make(chan *tool.Error)
		go func() { ended <- call(a, "hold") }()
		<-held
		for _, function := range []string{"grow", "breaks", "alloc"} {
			e := call(b[function], function)
			if e == nil || e.Code != "total_memory_limit" || !strings.Contains(i18n.English().Text(e.Message), "plugin b") || !strings.Contains(i18n.English().Text(e.Message), "40MiB") || !strings.Contains(i18n.English().Text(e.Hint), "no setting") {
				t.Errorf("%s, beside another: %+v", function, e)
			}
		}
		if e := call(b["small"], "small"); e != nil {
			t.Errorf("what there is room for: %+v", e)
		}
		release <- struct{}{}
		if e := <-ended; e != nil {
			t.Errorf("the one that had it: %+v", e)
		}
	}
}
