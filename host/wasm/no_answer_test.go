package wasm_test

import (
	"net/http"
	"testing"
	"testing/fstest"

	"errand/build/must"
	"errand/host/tool"
	"errand/host/wasm"
)

// TestBrokenOff: of a tool that changes something and that the host ended, nobody
// knows what it had done. That is an error of the call, and never an answer of the
// tool's, by which it would be taken to have done nothing.
func TestBrokenOff(t *testing.T) {
	module := assemble(t, `
	(import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
	(import "extism:host/env" "log_warn" (func $log (param i64)))
	(import "extism:host/env" "http_request" (func $request (param i64 i64) (result i64)))
	(import "extism:host/env" "output_set" (func $output (param i64 i64)))
	(import "extism:host/user" "notify_logging_message" (func $tell (param i64)))
	(memory 1)
	(func (export "plugin_trap") (unreachable))
	(func (export "memory_limit") (loop $more (br_if $more (i32.ne (memory.grow (i32.const 100)) (i32.const -1)))) (unreachable))
	(func (export "fuel_limit") (loop $more (br $more)))
	(func (export "output_limit") (call $output (call $alloc (i64.const 3000000)) (i64.const 3000000)))
	(func (export "log_lines_limit") (loop $more (call $log (i64.const 0)) (br $more)))
	(func (export "invalid_handle") (call $log (i64.const 4711)))
	(func (export "bad_http_request") (drop (call $request (call $alloc (i64.const 9)) (i64.const 0))))
	(func (export "message_too_long") (call $tell (call $alloc (i64.const 3000000))))`)
	h := newHost(t, wasm.Options{Client: func(string, []string) *http.Client { return &http.Client{Transport: endless{empty: true}} }})
	for _, code := range []string{
		"plugin_trap", "memory_limit", "fuel_limit", "output_limit", "log_lines_limit", "invalid_handle", "bad_http_request", "message_too_long",
	} {
		for class, more := range map[string]string{"write": `effect = "commit"`, "read": `effect = "read"`} {
			p, err := h.Load(fstest.MapFS{"m.wasm": {Data: module}, "plugin.toml": {Data: []byte("schema = 1\nid = \"b\"\nversion = \"1\"\nmodule = \"m.wasm\"\nabi = \"extism\"\nhosts = [\"example.com\"]\n" +
				"[limits]\nfuel = 100000000\n[[tool]]\nname = \"b\"\nfunction = \"" + code + "\"\ndescription = \"d\"\nside_effect_class = \"" + class + "\"\n" + more + "\n")}})
			must.Succeed(t, err)
			r, err := p.Tools()[0].Call(t.Context(), tool.Call{Tool: "b", ActionID: "a1"})
			if told := err != nil; told != (class == "write") {
				t.Errorf("%s of a tool of class %s: an error %v, an answer %+v", code, class, err, r)
			}
			if err == nil && r.Error != nil {
				err = r.Error
			}
			if e := tool.AsError(err); err == nil || e.Code != code {
				t.Errorf("%s: %+v", code, e)
			}
		}
	}
}
