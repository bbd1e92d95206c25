package wasm_test

import (
	"testing"

	"errand/host/tool"
	"errand/host/wasm"
	"errand/host/wasm/manifest"
)

// TestNewInstanceReasons: a module whose state can't be reset runs, and the report says why.
func TestNewInstanceReasons(t *testing.T) {
	// A table that the module changes: metered, with a new instance for each call.
	held := mod{funcs: []fn{{"f", toI32, tableBomb}}, table: []uint64{1}}.bytes()
	if f, err := wasm.Foresee(t.Context(), wasm.Module{Name: "held.wasm", Bytes: held}, 1); f.NewInstance.IsZero() || err != nil {
		t.Errorf("a module that changes a table: %+v, %v", f, err)
	}
	h := newHost(t, wasm.Options{})
	s := session(t, h, wasm.Module{Name: "held.wasm", Bytes: held}, manifest.Fresh, wasm.CallOptions{})
	for range 3 {
		if out, err := s.Call(t.Context(), "f", nil); err != nil || out.ExitCode != -1 {
			t.Errorf("code %d, %v", out.ExitCode, err)
		}
	}
	if standing, err := s.InstanceState(t.Context()); err != nil || standing.NotShared.IsZero() {
		t.Errorf("standing %+v, %v", standing, err)
	}
	if f, err := wasm.Foresee(t.Context(), fixture(t, "hello.wasm"), 1); !f.NewInstance.IsZero() || err != nil {
		t.Errorf("an ordinary module: %+v, %v", f, err)
	}
	_, err := wasm.Foresee(t.Context(), wasm.Module{Name: "m.wasm", Bytes: []byte("\x00asm")}, 1)
	wantError(t, err, tool.ToolUnavailable, "bad_module")
}

// TestForgedFuel: a module that sets the global which the rewriter is to add is
// not valid, and is refused.
func TestForgedFuel(t *testing.T) {
	h := newHost(t, wasm.Options{})
	for n := range byte(6) {
		code := mod{funcs: []fn{{"f", nothing, append([]byte{0x42, 0x7f, 0x24, n}, loopForever...)}}}.bytes() // i64.const -1 global.set n
		_, err := h.Call(t.Context(), wasm.Module{Name: "m.wasm", Bytes: code}, "f", nil, wasm.CallOptions{})
		wantError(t, err, tool.ToolUnavailable, "bad_module")
	}
}
