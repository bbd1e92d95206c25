package kit_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/host/wasm/kit"
)

// TestWatch checks that changes of sources are reported once, after they have settled, and that
// build products are not.
func TestWatch(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		place := filepath.Join(folder, name)
		must.Succeed(t, errors.Join(os.MkdirAll(filepath.Dir(place), 0o755), os.WriteFile(place, []byte(text), 0o644)))
	}
	const manifest = "schema = 1\nid = \"x\"\nversion = \"1\"\nmodule = \"x.wasm\"\nabi = \"wasi\"\n[[tool]]\nname = \"x\"\ndescription = \"d\"\nside_effect_class = \"read\"\neffect = \"read\"\n"
	write("plugin.toml", manifest)
	write("main.c", "1")
	write("src/other.c", "1")
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var mu sync.Mutex
		var told [][]string
		done := make(chan error)
		go func() {
			done <- kit.Watch(ctx, kit.Snap(folder), time.Second, func(names []string) error {
				mu.Lock()
				defer mu.Unlock()
				told = append(told, names)
				return nil
			})
		}()
		synctest.Wait()
		wantTold := func(want [][]string) {
			t.Helper()
			time.Sleep(3 * time.Second)
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			if diff := cmp.Diff(want, told); diff != "" {
				t.Errorf("told (-want +got):\n%s", diff)
			}
			told = nil
		}
		write("x.wasm", "what building makes")
		write("target/debug/x", "what building makes")
		write(".build-1/module.wasm", "what building makes")
		write("plugin.toml", "sha256 = \"00\"\n"+manifest)
		wantTold(nil)
		write("main.c", "a change")
		write("src/new.c", "a new one")
		must.Succeed(t, os.Remove(filepath.Join(folder, "src/other.c")))
		wantTold([][]string{{"main.c", "src/new.c", "src/other.c"}})
		for range 5 { // is being written
			write("main.c", time.Now().String()+"and more")
			time.Sleep(600 * time.Millisecond)
			write("main.c", time.Now().String())
			time.Sleep(600 * time.Millisecond)
		}
		wantTold([][]string{{"main.c"}})
		write("plugin.toml", manifest+"# a comment\n")
		wantTold([][]string{{"plugin.toml"}})
		for range 2 { // deleted: reported once; built again: not; deleted again: reported
			must.Succeed(t, os.Remove(filepath.Join(folder, "x.wasm")))
			wantTold([][]string{{"x.wasm"}})
			write("x.wasm", "what building makes")
			wantTold(nil)
		}
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("it ended with %v", err)
		}
	})
}
