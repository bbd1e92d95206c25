package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// debianCrates is where Debian's packages of Rust libraries put their sources.
// Where there are none, cargo fetches them as it is set up to.
const debianCrates = "/usr/share/cargo/registry"

// targets are what a module of an ABI is built for, under their newest name first.
var targets = map[string][]string{
	"wasi":   {"wasm32-wasip1", "wasm32-wasi"},
	"extism": {"wasm32-unknown-unknown"}, // the host's functions and no system's
}

// compileRust builds the crate in src. The plugins' crates share a target folder
// beside them, so that a library is compiled once.
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

// toolchain finds a compiler that has the standard library of one of the targets.
// The system's comes first: one that a person put before it on the PATH seldom has.
func toolchain(targets []string) (rustc, target string, err error) {
	candidates := []string{"/usr/bin/rustc"}
	if own, err := exec.LookPath("rustc"); err == nil {
		candidates = append(candidates, own)
	}
	for _, rustc := range candidates {
		for _, target := range targets {
			dir, err := exec.Command(rustc, "--print", "target-libdir", "--target", target).Output()
			if err != nil {
				continue // no such compiler, or it has not heard of the target
			}
			if std, _ := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "libstd-*.rlib")); len(std) > 0 {
				return rustc, target, nil
			}
		}
	}
	return "", "", fmt.Errorf("no Rust compiler here builds for %s: run make plugins, which installs one on Debian", strings.Join(targets, " or "))
}
