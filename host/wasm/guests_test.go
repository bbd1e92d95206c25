package wasm_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"errand/host/wasm"
)

// guests are the plugins that the tests build from testdata/guests, each with
// what builds it there: the tool, by the names it may have, and its arguments,
// in which OUT stands for the module.
var guests = map[string]struct {
	tools []string
	args  []string
}{
	"pdk-go":     {[]string{"go"}, []string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-buildmode=c-shared", "-o", "OUT", "./pdk-go"}},
	"pdk-as":     {asc, []string{"pdk-as/index.ts", "-O", "--runtime", "stub", "--use", "abort=pdk-as/index/abort", "-o", "OUT"}},
	"raw-rust":   {rustc, []string{"--target", "wasm32-unknown-unknown", "--crate-type", "cdylib", "-O", "-C", "link-arg=--strip-debug", "--edition", "2021", "-o", "OUT", "raw-rust/lib.rs"}},
	"raw-c":      {clang, []string{"--target=wasm32", "-O2", "-nostdlib", "-Wl,--no-entry", "-o", "OUT", "raw-c/plugin.c"}},
	"wasi-go":    {[]string{"go"}, []string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", "OUT", "./wasi-go"}},
	"wasi-as":    {asc, []string{"wasi-as/index.ts", "-O", "--runtime", "stub", "--use", "abort=wasi-as/index/abort", "-o", "OUT"}},
	"wasi-rust":  {rustc, []string{"--target", "wasm32-wasi", "-O", "-C", "link-arg=--strip-debug", "--edition", "2021", "-o", "OUT", "wasi-rust/main.rs"}},
	"wasi-c":     {clang, []string{"--target=wasm32-wasi", "--sysroot=/usr", "-O2", "-o", "OUT", "wasi-c/main.c"}},
	"command-c":  {clang, []string{"--target=wasm32-wasi", "--sysroot=/usr", "-O2", "-o", "OUT", "command-c/main.c"}},
	"overflow-c": {clang, []string{"--target=wasm32-wasi", "--sysroot=/usr", "-O1", "-o", "OUT", "overflow-c/main.c"}},
	"folders-c":  {clang, []string{"--target=wasm32-wasi", "--sysroot=/usr", "-O1", "-o", "OUT", "folders-c/main.c"}},
	"mcp-v1":     {clang, []string{"--target=wasm32", "-O2", "-nostdlib", "-Wl,--no-entry", "-o", "OUT", "mcp-v1/plugin.c"}},
	"mcp-v2":     {[]string{"go"}, []string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-buildmode=c-shared", "-o", "OUT", "./mcp-v2"}},
	"hostile":    {clang, []string{"--target=wasm32", "-O2", "-mbulk-memory", "-nostdlib", "-Wl,--no-entry", "-o", "OUT", "hostile/plugin.c"}},
	"rogue":      {[]string{"go"}, []string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", "OUT", "./rogue"}},
}

// Debian's compilers come first: another rustc on PATH may lack the target.
var (
	asc   = []string{"testdata/guests/node_modules/.bin/asc"}
	rustc = []string{"/usr/bin/rustc", "rustc"}
	clang = []string{"clang-14", "clang"}
)

var (
	builtMu sync.Mutex
	built   = map[string]func() (wasm.Module, error){}
)

// guestPath builds a plugin, once for its sources: what was built is kept in bin.
// Without its compiler the test is left out, except on the build server.
func guest(t testing.TB, name string) wasm.Module {
	t.Helper()
	builtMu.Lock()
	build, ok := built[name]
	if !ok {
		build = sync.OnceValues(func() (wasm.Module, error) { return buildGuest(name) })
		built[name] = build
	}
	builtMu.Unlock()
	m, err := build()
	switch {
	case errors.Is(err, exec.ErrNotFound) && os.Getenv("CI") != "true":
		t.Skip(err)
	case err != nil:
		t.Fatal(err)
	}
	return m
}

func buildGuest(name string) (wasm.Module, error) {
	g := guests[name]
	var compiler string
	for _, tool := range g.tools {
		if path, err := exec.LookPath(tool); err == nil {
			if compiler, err = filepath.Abs(path); err != nil {
				return wasm.Module{}, err
			}
			break
		}
	}
	if compiler == "" {
		return wasm.Module{}, fmt.Errorf("build %s: no %s: %w (make check installs it)", name, g.tools[0], exec.ErrNotFound)
	}
	key, err := guestKey(name, compiler, g.args)
	if err != nil {
		return wasm.Module{}, err
	}
	folder, err := filepath.Abs("../../bin/guests")
	if err != nil {
		return wasm.Module{}, err
	}
	kept := filepath.Join(folder, name+"-"+key+".wasm")
	if b, err := os.ReadFile(kept); err == nil {
		return wasm.Module{Name: name + ".wasm", Bytes: b}, nil
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return wasm.Module{}, err
	}
	dir, err := os.MkdirTemp(folder, name)
	if err != nil {
		return wasm.Module{}, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "out.wasm")
	args := append([]string(nil), g.args...)
	for i, a := range args {
		if a == "OUT" {
			args[i] = out
		}
	}
	cmd := exec.Command(compiler, args...)
	cmd.Dir = "testdata/guests"
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0")
	if b, err := cmd.CombinedOutput(); err != nil {
		return wasm.Module{}, fmt.Errorf("build %s: %v: %s", name, err, b)
	}
	if err := os.Rename(out, kept); err != nil {
		return wasm.Module{}, err
	}
	b, err := os.ReadFile(kept)
	return wasm.Module{Name: name + ".wasm", Bytes: b}, err
}

// guestKey is the digest of all that a build depends on.
func guestKey(name, compiler string, args []string) (string, error) {
	sum := sha256.New()
	info, err := os.Stat(compiler)
	if err != nil {
		return "", err
	}
	fmt.Fprintln(sum, compiler, info.Size(), info.ModTime(), runtime.Version(), args)
	sources := append([]string{"../../go.mod"}, filepath.Join("testdata/guests", "package-lock.json"))
	err = filepath.WalkDir(filepath.Join("testdata/guests", name), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			sources = append(sources, path)
		}
		return err
	})
	if err != nil {
		return "", err
	}
	for _, path := range sources {
		b, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		fmt.Fprintln(sum, path, len(b))
		sum.Write(b)
	}
	return hex.EncodeToString(sum.Sum(nil)[:8]), nil
}
