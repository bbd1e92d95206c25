package wasm_test

import (
	"testing"

	"errand/host/wasm"
	"errand/host/wasm/manifest"
)

func session(t testing.TB, h *wasm.Host, m wasm.Module, state manifest.State, o wasm.CallOptions) *wasm.Session {
	t.Helper()
	s, err := h.Session(m, state, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// BenchmarkSession times calls that find an instance ready.
func BenchmarkSession(b *testing.B) {
	h := newHost(b, wasm.Options{})
	for _, state := range []manifest.State{manifest.Fresh, manifest.Sticky} {
		for _, m := range []struct{ file, function, input string }{
			{"noop.wasm", "run_test", ""}, {"hello.wasm", "run_test", ""}, {"count_vowels.wasm", "count_vowels", "hello world"},
		} {
			b.Run(string(state)+"/"+m.file, func(b *testing.B) {
				s := session(b, h, fixture(b, m.file), state, wasm.CallOptions{})
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
