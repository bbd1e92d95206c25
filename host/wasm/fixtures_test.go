package wasm_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"errand/build/must"
	"errand/host/wasm"
)

// sdk is the folder of the Extism Go SDK's module, whose test suite has plugins
// made with many PDKs. It is a dependency of tests alone.
var sdk = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/extism/go-sdk").Output()
	return strings.TrimSpace(string(out)), err
})

func sdkFolder(t testing.TB, name string) string {
	t.Helper()
	dir, err := sdk()
	if err != nil || dir == "" {
		t.Fatalf("find the Extism Go SDK in the module cache: %v", err)
	}
	return filepath.Join(dir, name)
}

// fixture reads one of the SDK's plugins.
func fixture(t testing.TB, name string) wasm.Module {
	t.Helper()
	b := must.ReadFile(t, filepath.Join(sdkFolder(t, "wasm"), name))
	return wasm.Module{Name: name, Bytes: b}
}

// cache keeps what the tests compile between their runs, so that it is compiled
// once: under the race detector a plugin in Go takes half a minute.
var cache string

func TestMain(m *testing.M) {
	var err error
	if cache, err = filepath.Abs("../../bin/guests/compiled"); err == nil {
		err = os.MkdirAll(cache, 0o700)
	}
	if err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// newHost makes a host that is closed when the test ends.
func newHost(t testing.TB, o wasm.Options) *wasm.Host {
	t.Helper()
	if o.CacheDir == "" {
		o.CacheDir = filepath.Join(cache, "code")
	}
	o.KeyFile = filepath.Join(cache, "key")
	h := wasm.New(o)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := h.Close(ctx); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return h
}
