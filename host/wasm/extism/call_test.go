package extism_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"errand/build/must"
	"errand/host/wasm/extism"
)

// plugin is an instance of testdata/guest.wat with its kernel, on the compiler.
type plugin struct {
	k     *extism.Kernel
	c     *extism.Call
	m     api.Module
	calls map[string]api.Function
	stack [1]uint64
}

func newPlugin(t testing.TB) *plugin {
	t.Helper()
	code := guestCode(t)
	ctx := context.Background()
	w := newWorld(t, wazero.NewRuntimeConfig())
	p := &plugin{c: &extism.Call{LogLevel: extism.Info, Limits: extism.DefaultLimits()}}
	var err error
	if p.k, err = w.abi.New(ctx, 64<<20, nil, nil); err != nil {
		t.Fatal(err)
	}
	compiled, err := w.runtime.CompileModule(ctx, code)
	must.Succeed(t, err)
	must.Succeed(t, p.k.Begin(ctx, p.c, nil))
	if p.m, err = w.runtime.InstantiateModule(p.k.Link(p.c, nil), compiled, wazero.NewModuleConfig().WithName("")); err != nil {
		t.Fatal(err)
	}
	p.calls = map[string]api.Function{}
	for name := range compiled.ExportedFunctions() {
		p.calls[name] = p.m.ExportedFunction(name)
	}
	return p
}

// guestCode assembles testdata/guest.wat.
func guestCode(t testing.TB) []byte {
	t.Helper()
	if _, err := exec.LookPath("wat2wasm"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("there is no wat2wasm: install wabt")
		}
		t.Skip(err)
	}
	file := filepath.Join(t.TempDir(), "guest.wasm")
	if b, err := exec.Command("wat2wasm", "testdata/guest.wat", "-o", file).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	return must.ReadFile(t, file)
}

// call runs one whole call, except for the copy of the output.
func (p *plugin) call(ctx context.Context, function string, input []byte) error {
	if err := p.k.Begin(ctx, p.c, input); err != nil {
		return err
	}
	if err := p.calls[function].CallWithStack(p.c, p.stack[:]); err != nil {
		return err
	}
	if p.k.Error() != "" || p.k.OutputLen() != uint64(len(input)) && function == "echo" {
		return fmt.Errorf("output of %d bytes, error %q", p.k.OutputLen(), p.k.Error())
	}
	return nil
}

// TestCallsAllocateNothing checks that a warm call, with a call of a host function, allocates no
// memory.
func TestCallsAllocateNothing(t *testing.T) {
	p := newPlugin(t)
	input := []byte("hello world")
	for _, function := range []string{"empty", "host", "echo"} {
		n := testing.AllocsPerRun(100, func() {
			must.Succeed(t, p.call(t.Context(), function, input))
		})
		if n != 0 {
			t.Errorf("%s: %v allocations a call", function, n)
		}
	}
}

// TestCallFindsNoEarlierData checks that a call finds nothing in the memory from an earlier call.
func TestCallFindsNoEarlierData(t *testing.T) {
	p := newPlugin(t)
	for _, n := range []int{3, 3 << 20, 100, 1 << 20} {
		input := []byte(strings.Repeat("x", n))
		must.Succeed(t, p.call(t.Context(), "echo", input))
		if got := string(p.k.Output()); got != string(input) {
			t.Fatalf("echo of %d bytes answered %d others", n, len(got))
		}
	}
	must.Succeed(t, p.k.Begin(t.Context(), p.c, nil))
	all := p.k.Size()
	if !p.k.HasGrown() || all > 16<<20 {
		t.Errorf("after calls of 3 MiB the memory has %d bytes", all)
	}
	for _, c := range p.k.Dump() {
		if c != 0 {
			t.Fatal("the memory is not zero again")
		}
	}
}

func BenchmarkCall(b *testing.B) {
	p := newPlugin(b)
	for _, bench := range []struct {
		name, function string
		input          int
	}{
		{"empty", "empty", 0},
		{"11 B", "empty", 11},
		{"host function", "host", 0},
		{"echo 11 B", "echo", 11},
		{"echo 1 MiB", "echo", 1 << 20},
	} {
		b.Run(bench.name, func(b *testing.B) {
			input := []byte(strings.Repeat("x", bench.input))
			b.ReportAllocs()
			for b.Loop() {
				must.Succeed(b, p.call(b.Context(), bench.function, input))
			}
		})
	}
}
