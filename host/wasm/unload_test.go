package wasm_test

import (
	"context"
	"runtime"
	"testing"
	"testing/fstest"
	"time"

	"errand/build/must"
	"errand/build/poll"
	"errand/host/tool"
	"errand/host/wasm"
	"errand/planner/message"
)

// loadRogue loads the rogue with one tool of the class read.
func loadRogue(t testing.TB, h *wasm.Host, name string) (*wasm.Plugin, tool.Tool) {
	t.Helper()
	p, err := h.Load(fstest.MapFS{
		"plugin.toml": {Data: []byte(rogueManifest + "[[tool]]\nname = \"rogue." + name + "\"\ndescription = \"d\"\nside_effect_class = \"read\"\neffect = \"read\"\nargs_schema = '{\"type\":\"object\"}'\n")},
		"rogue.wasm":  {Data: rogue(t)},
	})
	must.Succeed(t, err)
	return p, p.Tools()[0]
}

// TestUnload: closing a plugin ends its calls and lets none in after it; the same
// plugin, loaded beside it or again, knows nothing of that.
func TestUnload(t *testing.T) {
	lines := make(chan struct{}, 1)
	h := newHost(t, wasm.Options{Log: func(context.Context, string, string, message.Message) {
		select {
		case lines <- struct{}{}:
		default:
		}
	}})
	p, loud := loadRogue(t, h, "chatter")
	other, echo := loadRogue(t, h, "echo")
	must.Succeed(t, p.Prepare(t.Context()))
	ended := make(chan tool.Result, 1)
	go func() {
		r, _ := loud.Call(context.Background(), tool.Call{Tool: "rogue.chatter", Args: map[string]any{}})
		ended <- r
	}()
	<-lines
	must.Succeed(t, p.Close(t.Context()))
	select {
	case r := <-ended: // by its own end, if it was as quick as that
		if r.Error != nil && r.Error.Code != "plugin_unloaded" && r.Error.Code != "log_lines_limit" {
			t.Errorf("the call ended as %v", r.Error)
		}
	case <-time.After(poll.Patience):
		t.Fatal("closing returned while a call was running")
	}
	if r, err := loud.Call(t.Context(), tool.Call{Tool: "rogue.chatter"}); err != nil || r.Error == nil || r.Error.Code != "plugin_unloaded" {
		t.Errorf("a call after the end: %+v (%v)", r, err)
	}
	if err := p.Prepare(t.Context()); tool.AsError(err).Code != "plugin_unloaded" {
		t.Errorf("compiled after the end: %v", err)
	}
	if err := p.Close(t.Context()); err != nil {
		t.Errorf("closing again: %v", err)
	}
	again, anew := loadRogue(t, h, "echo")
	for _, tl := range []tool.Tool{echo, anew} {
		if r, err := tl.Call(t.Context(), tool.Call{Tool: "rogue.echo", Args: map[string]any{}}); err != nil || !r.OK {
			t.Errorf("another plugin of the same module: %+v (%v)", r, err)
		}
	}
	for _, p := range []*wasm.Plugin{other, again} {
		if err := p.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// TestUnloadBreaksOff: a plugin that would run on for ever is stopped.
func TestUnloadBreaksOff(t *testing.T) {
	h := newHost(t, wasm.Options{})
	p, loop := loadRogue(t, h, "loop")
	must.Succeed(t, p.Prepare(t.Context()))
	ended := make(chan tool.Result, 1)
	began := make(chan struct{})
	go func() {
		close(began)
		r, _ := loop.Call(context.Background(), tool.Call{Tool: "rogue.loop", Args: map[string]any{}})
		ended <- r
	}()
	<-began
	must.Succeed(t, p.Close(t.Context()))
	if r := <-ended; r.Error == nil || r.Error.Code != "plugin_unloaded" {
		t.Errorf("the loop ended as %+v", r.Error)
	}
}

// TestUnloadLeavesNothing loads, calls and closes a plugin over and over.
func TestUnloadLeavesNothing(t *testing.T) {
	h := newHost(t, wasm.Options{})
	cycle := func() {
		p, echo := loadRogue(t, h, "echo")
		if r, err := echo.Call(t.Context(), tool.Call{Tool: "rogue.echo", Args: map[string]any{}}); err != nil || !r.OK {
			t.Fatalf("%+v (%v)", r, err)
		}
		must.Succeed(t, p.Close(t.Context()))
	}
	measure := func() (goroutines int, heap uint64) {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return runtime.NumGoroutine(), m.HeapAlloc
	}
	cycle()
	goroutines, heap := measure()
	for range 20 {
		cycle()
	}
	g, m := measure()
	if g > goroutines+2 {
		t.Errorf("%d goroutines became %d", goroutines, g)
	}
	if m > heap+8<<20 { // one compiled rogue is more than that
		t.Errorf("%d bytes of heap became %d", heap, m)
	}
}
