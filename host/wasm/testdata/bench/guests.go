package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// plugins are built from guests, and hostile from the tests' guests. OUT is replaced by
// the path of the module.
var plugins = []struct {
	name string
	dir  string
	args []string
}{
	{"go", ".", []string{"go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-buildmode=c-shared", "-o", "OUT", "./guests/go"}},
	{"rust", ".", []string{"/usr/bin/rustc", "--target", "wasm32-unknown-unknown", "--crate-type", "cdylib", "-O", "-C", "link-arg=--strip-debug", "--edition", "2021", "-o", "OUT", "guests/rust/lib.rs"}},
	{"c", ".", []string{"clang-14", "--target=wasm32", "-O2", "-nostdlib", "-Wl,--no-entry", "-o", "OUT", "guests/c/plugin.c"}},
	{"as", "../guests", []string{"node_modules/.bin/asc", "../bench/guests/as/index.ts", "-O", "--runtime", "stub", "--use", "abort=../bench/guests/as/index/abort", "--path", "node_modules", "-o", "OUT"}},
	{"hostile", "../guests", []string{"clang-14", "--target=wasm32", "-O2", "-mbulk-memory", "-nostdlib", "-Wl,--no-entry", "-o", "OUT", "hostile/plugin.c"}},
}

// build builds the plugins into a folder and reads them.
func build(dir string) (map[string][]byte, error) {
	modules := map[string][]byte{}
	for _, p := range plugins {
		out := filepath.Join(dir, p.name+".wasm")
		args := append([]string(nil), p.args...)
		for i, a := range args {
			if a == "OUT" {
				args[i] = out
			}
		}
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = p.dir
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if p.name == "go" {
			cmd.Env = append(cmd.Env, "GOOS=wasip1", "GOARCH=wasm")
		}
		if said, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("build %s: %v\n%s", p.name, err, said)
		}
		b, err := os.ReadFile(out)
		if err != nil {
			return nil, err
		}
		modules[p.name] = b
	}
	return modules, nil
}
