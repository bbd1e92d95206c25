package wasm_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/wasm"
	"errand/planner/message"
)

// FuzzModule: no module, however broken, panics, hangs or answers an untyped
// error.
func FuzzModule(f *testing.F) {
	for _, name := range []string{"hello.wasm", "fail.wasm", "alloc.wasm", "input_offset.wasm"} {
		f.Add(fixture(f, name).Bytes)
	}
	f.Add(mod{funcs: []fn{{"run_test", toI32, tableBomb}}, table: []uint64{1}, memory: []uint64{1, 3}}.bytes())
	f.Add(mod{imports: []imported{{env, "alloc", i64toI64}}, funcs: []fn{{"run_test", nothing, allocForever}}}.bytes())
	h := newHost(f, wasm.Options{})
	f.Fuzz(func(t *testing.T, code []byte) {
		_, err := h.Call(t.Context(), wasm.Module{Name: "m.wasm", Bytes: code}, "run_test", []byte("input"),
			wasm.CallOptions{Timeout: 300 * time.Millisecond, Memory: 1 << 20})
		if e := new(tool.Error); err != nil && !errors.As(err, &e) {
			t.Errorf("%T is no *tool.Error: %v", err, err)
		}
	})
}

// TestCacheFolder: the cache is the user's alone, is used again, and is done
// without where it can't be trusted.
func TestCacheFolder(t *testing.T) {
	call := func(dir string) []string {
		t.Helper()
		var warnings []string
		h := newHost(t, wasm.Options{CacheDir: dir, Log: func(_ context.Context, _, _ string, m message.Message) {
			warnings = append(warnings, i18n.English().Text(m))
		}})
		if _, err := h.Call(t.Context(), fixture(t, "hello.wasm"), "run_test", nil, wasm.CallOptions{}); err != nil {
			t.Fatal(err)
		}
		return warnings
	}
	dir := filepath.Join(t.TempDir(), "made/for/it")
	if w := call(dir); len(w) > 0 {
		t.Errorf("warnings: %v", w)
	}
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the cache is %v (%v)", info.Mode(), err)
	}
	must.Succeed(t, os.Chmod(dir, 0o777))
	call(dir)
	if info, _ := os.Stat(dir); info.Mode().Perm() != 0o700 {
		t.Errorf("the cache is still %v", info.Mode())
	}

	file := filepath.Join(t.TempDir(), "file")
	must.Succeed(t, os.WriteFile(file, nil, 0o600))
	link := filepath.Join(t.TempDir(), "link")
	must.Succeed(t, os.Symlink(dir, link))
	for _, bad := range []string{file, link, filepath.Join(file, "below")} {
		if w := call(bad); len(w) != 1 {
			t.Errorf("%s: warnings %v, want one", bad, w)
		}
	}
}

func TestBadMounts(t *testing.T) {
	h := newHost(t, wasm.Options{})
	for _, m := range []wasm.Mount{
		{Host: filepath.Join(t.TempDir(), "missing"), Guest: "/mnt"},
		{Host: t.TempDir(), Guest: "mnt"},
		{Host: os.Args[0], Guest: "/mnt"},
	} {
		_, err := h.Call(t.Context(), fixture(t, "hello.wasm"), "run_test", nil, wasm.CallOptions{Mounts: []wasm.Mount{m}})
		wantError(t, err, tool.ValidationError, "bad_mount")
	}
}

// BenchmarkCall times calls of plugins that are compiled already; each makes a
// fresh instance.
func BenchmarkCall(b *testing.B) {
	h := newHost(b, wasm.Options{})
	for _, file := range []string{"hello.wasm", "noop.wasm"} {
		m := fixture(b, file)
		b.Run(file, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := h.Call(b.Context(), m, "run_test", nil, wasm.CallOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkLoad times the reading of a plugin's folder, which every start of
// the program does for each plugin.
func BenchmarkLoad(b *testing.B) {
	h := newHost(b, wasm.Options{})
	sum := sha256.Sum256(rogue(b))
	fsys := folder("schema = 1\nid = \"rogue\"\nversion = \"1\"\nmodule = \"m.wasm\"\nsha256 = \""+hex.EncodeToString(sum[:])+"\"\nabi = \"wasi\"\n"+
		"[[tool]]\nname = \"a.b\"\ndescription = \"d\"\nside_effect_class = \"read\"\neffect = \"read\"\n", rogue(b))
	for name, load := range map[string]func(fs.FS) (*wasm.Plugin, error){"installed": h.Load, "bundled": h.LoadBundled} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := load(fsys); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCompile times what the first call of a plugin in Go costs, without a
// cache and with one.
func BenchmarkCompile(b *testing.B) {
	m := wasm.Module{Name: "rogue.wasm", Bytes: rogue(b)}
	dir, key := b.TempDir(), filepath.Join(b.TempDir(), "key")
	for name, cached := range map[string]bool{"cold": false, "cached": true} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				o := wasm.Options{CacheDir: dir, KeyFile: key}
				if !cached {
					o.CacheDir = b.TempDir()
				}
				h := wasm.New(o)
				if _, err := h.Call(b.Context(), m, "_start", []byte(`{"tool":"rogue.echo"}`), wasm.CallOptions{}); err != nil {
					b.Fatal(err)
				}
				must.Succeed(b, h.Close(b.Context()))
			}
		})
	}
}
