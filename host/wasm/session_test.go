package wasm_test

import (
	"context"
	"testing"

	"errand/build/must"
	"errand/host/wasm"
	"errand/host/wasm/manifest"
)

func session(t testing.TB, h *wasm.Host, m wasm.Module, state manifest.State, o wasm.CallOptions) *wasm.Session {
	t.Helper()
	s, err := h.Session(m, state, o)
	must.Succeed(t, err)
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return s
}

// BenchmarkSession times calls that find an instance ready.
func BenchmarkSession(b *testing.B) {
	h := newHost(b, wasm.Options{})
	for _, state := range []manifest.State{manifest.Fresh, manifest.Sticky} {
		for _, m := range []struct {
			wasm.Module
			function, input string
		}{
			{fixture(b, "noop.wasm"), "run_test", ""},
			{fixture(b, "hello.wasm"), "run_test", ""},
			{fixture(b, "count_vowels.wasm"), "count_vowels", "hello world"},
			{guest(b, "pdk-go"), "run", "ann"},
		} {
			b.Run(string(state)+"/"+m.Name, func(b *testing.B) {
				s := session(b, h, m.Module, state, wasm.CallOptions{})
				if _, err := s.InstanceState(b.Context()); err != nil {
					b.Fatal(err)
				}
				b.ReportAllocs()
				for b.Loop() {
					if _, err := s.Call(b.Context(), m.function, []byte(m.input)); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
