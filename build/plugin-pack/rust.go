package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// debianCrates is where Debian packages install the sources of Rust libraries. Without it,
// cargo downloads them according to its configuration.
const debianCrates = "/usr/share/cargo/registry"

// targets maps each ABI to its compiler targets, with the newest name first.
var targets = map[string][]string{
	"wasi":   {"wasm32-wasip1", "wasm32-wasi"},
	"extism": {"wasm32-unknown-unknown"}, // the host's functions, without WASI
}

// compileRust builds the crate in src. The plugins share a target folder, so that
// libraries are compiled once.
func compileRust(src, name, abi string) ([]byte, error) {
	rustc, target, err := toolchain(targets[abi])
	if err != nil {
		return nil, err
	}
	src, err = filepath.Abs(src)
	if err != nil {
		return nil, err
	}
	shared := filepath.Join(filepath.Dir(src), "target")
	args := []string{"build", "--quiet", "--release", "--target", target, "--target-dir", shared}
	flags := []string{"--remap-path-prefix", filepath.Dir(src) + "=plugins"}
	if _, err := os.Stat(debianCrates); err == nil {
		args = append(args, "--offline", "--config", `source.crates-io.replace-with="debian"`, "--config", `source.debian.directory="`+debianCrates+`"`)
		flags = append(flags, "--remap-path-prefix", debianCrates+"=crates")
	}
	cmd := exec.Command(filepath.Join(filepath.Dir(rustc), "cargo"), args...)
	cmd.Dir = src
	cmd.Env = append(os.Environ(), "RUSTC="+rustc, "CARGO_ENCODED_RUSTFLAGS="+strings.Join(flags, "\x1f"))
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(shared, target, "release", name))
}

// toolchain returns a compiler with the standard library of one of the targets. It tries
// the system's compiler first, because one that a user has put before it in PATH rarely
// has these libraries.
func toolchain(targets []string) (rustc, target string, err error) {
	candidates := []string{"/usr/bin/rustc"}
	if own, err := exec.LookPath("rustc"); err == nil {
		candidates = append(candidates, own)
	}
	for _, rustc := range candidates {
		for _, target := range targets {
			dir, err := exec.Command(rustc, "--print", "target-libdir", "--target", target).Output()
			if err != nil {
				continue // the compiler is missing or doesn't know the target
			}
			if std, _ := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "libstd-*.rlib")); len(std) > 0 {
				return rustc, target, nil
			}
		}
	}
	return "", "", fmt.Errorf("no Rust compiler here builds for %s: run make plugins, which installs one on Debian", strings.Join(targets, " or "))
}
