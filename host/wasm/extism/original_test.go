package extism_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"errand/build/must"
	"errand/host/wasm/extism"
)

// theirs is Extism's own kernel, which its Go SDK embeds.
func theirs(t testing.TB, r wazero.Runtime) wazero.CompiledModule {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/extism/go-sdk").Output()
	must.Succeed(t, err)
	code := must.ReadFile(t, filepath.Join(strings.TrimSpace(string(dir)), "extism-runtime.wasm"))
	compiled, err := r.CompileModule(t.Context(), code)
	must.Succeed(t, err)
	return compiled
}

// twins are the same block in both kernels.
type twins struct{ ours, theirs, size uint64 }

// FuzzSameAsExtismsKernel checks that valid uses of blocks have the same results in this kernel
// and in Extism's own. Block offsets differ, and so do the results for invalid handles: Extism's
// kernel may return unrelated data or corrupt its own lists.
func FuzzSameAsExtismsKernel(f *testing.F) {
	f.Add([]byte("\x00\x0b\x00\x04\x00\x03\x06\x00\x03\x07\x00\x0b\x01\x00\x00\x02\x00\x00\x06\x00\x03"))
	f.Add([]byte("\x00\x20\x00\x09\x00\x20\x05\x00\x08\x0a\x00\x08\x01\x00\x00\x0a\x00\x08\x0b\x00\x00"))
	f.Add([]byte("\x00\x05\x00\x08\x00\x00\x01\x00\x00\x08\x01\x00\x0c\x00\x00\x00\x05\x00\x02\x00\x00"))
	f.Add([]byte("\x00\x30\x00\x01\x01\x00\x09\x01\x05\x01\x01\x00")) // freed, then the input, then freed again
	w := newWorld(f, wazero.NewRuntimeConfigInterpreter())
	original := theirs(f, w.runtime)
	f.Fuzz(func(t *testing.T, script []byte) {
		ctx := t.Context()
		script = script[:min(len(script), maxScript)]
		g := w.guest(t, &extism.Call{}, enough, "")
		other, err := w.runtime.InstantiateModule(ctx, original, wazero.NewModuleConfig().WithName(""))
		must.Succeed(t, err)
		defer other.Close(ctx)
		call := func(m api.Module, name string, params ...uint64) uint64 {
			results, err := m.ExportedFunction(name).Call(g.c, params...)
			if err != nil {
				t.Fatalf("%s%v: %v", name, params, err)
			}
			if len(results) == 0 {
				return 0
			}
			return results[0]
		}
		both := func(name string, ours, theirs []uint64) {
			t.Helper()
			if a, b := call(g.env, name, ours...), call(other, name, theirs...); a != b {
				t.Fatalf("%s: ours%v answers %d, theirs%v %d", name, ours, a, theirs, b)
			}
		}
		blocks := []twins{{}} // no block
		total := uint64(0)
		input, output, fault := twins{}, twins{}, twins{}
		for ; len(script) >= 3; script = script[3:] {
			b := blocks[int(script[1])%len(blocks)]
			at := uint64(script[2])
			switch script[0] % 14 {
			case 0:
				n := uint64(script[1]) * uint64(script[2]%4+1)
				if total += n + 64; total > 50_000 {
					return // theirs may reuse freed blocks before it grows
				}
				if made := (twins{call(g.env, "alloc", n), call(other, "alloc", n), n}); n > 0 {
					if made.ours == 0 || made.theirs == 0 {
						t.Fatalf("alloc(%d) is %d and %d", n, made.ours, made.theirs)
					}
					blocks = append(blocks, made)
				}
			case 1:
				both("free", []uint64{b.ours}, []uint64{b.theirs})
			case 2:
				both("length", []uint64{b.ours}, []uint64{b.theirs})
			case 3:
				both("length_unsafe", []uint64{b.ours}, []uint64{b.theirs})
			case 4:
				if at < b.size {
					both("store_u8", []uint64{b.ours + at, uint64(script[2])}, []uint64{b.theirs + at, uint64(script[2])})
				}
			case 5:
				if at+8 <= b.size {
					word := 0x0101010101010101 * uint64(script[2])
					both("store_u64", []uint64{b.ours + at, word}, []uint64{b.theirs + at, word})
				}
			case 6:
				if at < b.size {
					both("load_u8", []uint64{b.ours + at}, []uint64{b.theirs + at})
				}
			case 7:
				if at+8 <= b.size {
					both("load_u64", []uint64{b.ours + at}, []uint64{b.theirs + at})
				}
			case 8:
				fault = b
				both("error_set", []uint64{b.ours}, []uint64{b.theirs})
			case 9:
				if at <= b.size && b.size > 0 {
					input = twins{b.ours, b.theirs, at}
					both("input_set", []uint64{b.ours, at}, []uint64{b.theirs, at})
				}
			case 10:
				both("input_load_u8", []uint64{at}, []uint64{at})
				both("input_load_u64", []uint64{at}, []uint64{at})
			case 11:
				if at < b.size {
					output = twins{b.ours + at, b.theirs + at, b.size - at}
					both("output_set", []uint64{b.ours + at, b.size - at}, []uint64{b.theirs + at, b.size - at})
				}
			case 12:
				call(g.env, "reset")
				call(other, "reset")
				blocks, total = blocks[:1], 0
				input, output, fault = twins{}, twins{}, twins{}
			case 13: // an address inside a block is not a handle
				if at > 0 && at < b.size {
					both("length", []uint64{b.ours + at}, []uint64{b.theirs + at})
				}
			}
			both("input_length", nil, nil)
			both("output_length", nil, nil)
			for name, want := range map[string]twins{"input_offset": input, "output_offset": output, "error_get": fault} {
				if a, b := call(g.env, name), call(other, name); a != want.ours || b != want.theirs {
					t.Fatalf("%s: ours is %d, theirs %d, want %+v", name, a, b, want)
				}
			}
		}
	})
}
