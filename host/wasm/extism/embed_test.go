package extism_test

import (
	"bytes"
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"errand/build/must"
	"errand/host/wasm/extism"
)

// fixture reads a plugin of the Extism Go SDK's test suite.
func fixture(t testing.TB, name string) []byte {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/extism/go-sdk").Output()
	must.Succeed(t, err)
	return must.ReadFile(t, filepath.Join(strings.TrimSpace(string(dir)), "wasm", name))
}

// TestEmbeddersFunctions runs plugins of the SDK's tests that import functions of the embedder,
// with the functions that those tests define. It also runs plugins that consist of several
// modules.
func TestEmbeddersFunctions(t *testing.T) {
	upper := func(c *extism.Call, s []uint64) { s[0] = c.Write(bytes.ToUpper(c.Read("to_upper", s[0]))) }
	say := func(mark string) func(*extism.Call, []uint64) {
		return func(c *extism.Call, s []uint64) { s[0] = c.Write([]byte(mark + string(c.Read("say", s[0])))) }
	}
	pair := []api.ValueType{api.ValueTypeI64, api.ValueTypeI64}
	functions := []extism.Function{
		{extism.UserModule, "mult", pair, extism.Handle, func(_ *extism.Call, s []uint64) { s[0] *= s[1] }},
		{"host", "to_upper", extism.Handle, extism.Handle, upper},
		{extism.UserModule, "hostGreenMessage", extism.Handle, extism.Handle, say("🟢:")},
		{extism.UserModule, "hostPurpleMessage", extism.Handle, extism.Handle, say("🟣:")},
	}
	ctx := t.Context()
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	defer r.Close(context.Background())
	wasi_snapshot_preview1.MustInstantiate(ctx, r)
	abi, err := extism.Register(ctx, r, everyModule, functions...)
	must.Succeed(t, err)
	tests := []struct {
		name, file, function, input string
		linked                      string // a module that it imports under this name
		want                        string
	}{
		{"numbers", "host.wasm", "run_test", "", "", "42 x 2 = 84"},
		{"blocks, of another module", "host_memory.wasm", "run_test", "Frodo", "", "HELLO FRODO!"},
		{"first of two", "host_multiple.wasm", "say_green", "John Doe", "", "🟢:🫱 Hey from say_green John Doe"},
		{"second of two", "host_multiple.wasm", "say_purple", "Jane Doe", "", "🟣:👋 Hello from say_purple Jane Doe"},
		{"two modules", "main.wasm", "run_test", "benjamin", "lib", "Hello, BENJAMIN"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			k, err := abi.New(ctx, enough, nil, nil)
			must.Succeed(t, err)
			defer k.Close()
			c := &extism.Call{Limits: extism.DefaultLimits()}
			must.Succeed(t, k.Begin(ctx, c, []byte(tt.input)))
			others := map[string]api.Module{}
			open := func(file string) api.Module {
				compiled, err := r.CompileModule(ctx, fixture(t, file))
				must.Succeed(t, err)
				m, err := r.InstantiateModule(k.Link(c, others), compiled, wazero.NewModuleConfig().WithName("").WithStartFunctions())
				must.Succeed(t, err)
				return m
			}
			if tt.linked != "" {
				others[tt.linked] = open(tt.linked + ".wasm")
				defer others[tt.linked].Close(ctx)
			}
			m := open(tt.file)
			defer m.Close(ctx)
			code, err := m.ExportedFunction(tt.function).Call(c)
			if err != nil || len(code) == 1 && code[0] != 0 || k.Error() != "" {
				t.Fatalf("code %v, error %q, %v", code, k.Error(), err)
			}
			if got := string(k.Output()); got != tt.want {
				t.Errorf("output is %q, want %q", got, tt.want)
			}
		})
	}
}
