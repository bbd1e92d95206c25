package extism_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"

	"errand/host/wasm/extism"
)

// TestMemoryGrowsInPlace checks that a large memory is neither copied nor on the Go
// heap, and that growing keeps its content.
func TestMemoryGrowsInPlace(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Log("only Linux maps memories")
		return
	}
	const limit = 64<<20 + 1000 // not a multiple of a page
	text := strings.Repeat("content", 1000)
	g := newWorld(t, wazero.NewRuntimeConfigInterpreter()).guest(t, &extism.Call{}, limit, text)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	blocks := 0
	for g.call("alloc", 1<<20) != 0 {
		blocks++
	}
	runtime.ReadMemStats(&after)
	if blocks != 63 {
		t.Errorf("allocated %d blocks of 1 MiB, want 63", blocks)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 4<<20 {
		t.Errorf("growing to 64 MiB allocated %d KiB on the Go heap", n>>10)
	}
	if got := g.call("length", g.call("input_offset")); got != uint64(len(text)) {
		t.Errorf("the input has %d bytes, want %d", got, len(text))
	}
	for at := range uint64(len(text)) {
		if b := g.call("input_load_u8", at); byte(b) != text[at] {
			t.Fatalf("byte %d of the input is %q, want %q", at, byte(b), text[at])
		}
	}
}

// BenchmarkGrow measures a plugin that allocates 64 MiB.
func BenchmarkGrow(b *testing.B) {
	w := newWorld(b, wazero.NewRuntimeConfigCompiler())
	for b.Loop() {
		g := w.guest(b, &extism.Call{}, 64<<20, "")
		for g.call("alloc", 1<<20) != 0 {
			continue
		}
		g.k.Close()
	}
}
