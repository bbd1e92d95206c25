// Plugin-pack builds the bundled plugins. Each folder in -src with a plugin.toml becomes a
// folder in -out with the module and the manifest, which contains the module's SHA-256.
//
//	go run ./build/plugin-pack -src plugins -out plugins/dist
//
// It uses cargo for a folder with a Cargo.toml and go for all others. Builds are
// reproducible with the same toolchain: the modules contain no paths, symbols or version
// control stamps. Unchanged files keep their modification time, so that programs that
// embed them aren't rebuilt.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
)

func main() {
	src := flag.String("src", "plugins", "folder with a folder for each plugin")
	out := flag.String("out", filepath.Join("plugins", "dist"), "folder to build into")
	flag.Parse()
	if err := pack(*src, *out); err != nil {
		fmt.Fprintln(os.Stderr, "plugin-pack:", err)
		os.Exit(1)
	}
}

func pack(src, out string) error {
	manifests, err := filepath.Glob(filepath.Join(src, "*", "plugin.toml"))
	if err != nil {
		return err
	}
	if len(manifests) == 0 {
		return fmt.Errorf("%s has no folder with a plugin.toml", src)
	}
	for _, m := range manifests {
		folder := filepath.Dir(m)
		if err := build(folder, filepath.Join(out, filepath.Base(folder))); err != nil {
			return fmt.Errorf("build %s: %w", folder, err)
		}
	}
	return nil
}

var (
	moduleLine = regexp.MustCompile(`(?m)^module\s*=\s*"([A-Za-z0-9_.-]+)"[^\n]*\n`)
	extism     = regexp.MustCompile(`(?m)^abi\s*=\s*"extism"`)
)

// build builds a plugin's folder from its sources.
func build(src, out string) error {
	manifest, err := os.ReadFile(filepath.Join(src, "plugin.toml"))
	if err != nil {
		return err
	}
	line := moduleLine.FindSubmatchIndex(manifest)
	if line == nil {
		return fmt.Errorf("its plugin.toml has no line module = \"….wasm\"")
	}
	name := string(manifest[line[2]:line[3]])
	abi := "wasi"
	if extism.Match(manifest) {
		abi = "extism"
	}
	module, err := compile(src, name, abi)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(module)
	pinned := append([]byte(nil), manifest[:line[1]]...)
	pinned = fmt.Appendf(pinned, "sha256  = %q\n", hex.EncodeToString(sum[:]))
	pinned = append(pinned, manifest[line[1]:]...)
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	if err := write(filepath.Join(out, name), module); err != nil {
		return err
	}
	return write(filepath.Join(out, "plugin.toml"), pinned)
}

// compile builds the sources in src and returns the module.
func compile(src, name, abi string) ([]byte, error) {
	if _, err := os.Stat(filepath.Join(src, "Cargo.toml")); err == nil {
		return compileRust(src, name, abi)
	}
	return compileGo(src, name)
}

func compileGo(src, name string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "plugin-pack")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	module := filepath.Join(dir, name)
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", module, ".")
	cmd.Dir = src
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, err
	}
	return os.ReadFile(module)
}

// write writes a file unless it already contains b.
func write(name string, b []byte) error {
	if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, b) {
		return nil
	}
	return os.WriteFile(name, b, 0o644)
}
