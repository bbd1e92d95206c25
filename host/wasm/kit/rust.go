package kit

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"errand/host/tool"
	"errand/planner/message"
)

// wasiTargets are the names of Rust's WASI preview 1 target, current and before
// 1.78.
var wasiTargets = []string{"wasm32-wasip1", "wasm32-wasi"}

// rust uses the first compiler on the PATH with the standard library of a WASI
// target. A rustup toolchain without it often precedes Debian's.
func (j job) rust(ctx context.Context) (toolchain, error) {
	compilers := j.findAll("rustc")
	if len(compilers) == 0 {
		return toolchain{}, missingError(Rust, message.New("kit.no_rustc"))
	}
	for _, rustc := range compilers {
		for _, target := range wasiTargets {
			std := j.ask(ctx, rustc, "--print", "target-libdir", "--target", target)
			if std == "" {
				continue
			}
			if libs, err := filepath.Glob(filepath.Join(std, "libstd-*.rlib")); err != nil || len(libs) == 0 {
				continue
			}
			c := crate{rustc: rustc, target: target}
			if cargo := filepath.Join(filepath.Dir(rustc), "cargo"); slices.Contains(j.findAll("cargo"), cargo) {
				c.cargo = cargo
			}
			return toolchain{j.ask(ctx, rustc, "--version"), c.compile}, nil
		}
	}
	return toolchain{}, missingError(Rust, message.New("kit.no_wasi_library", "compilers", compilers, "count", len(compilers)))
}

// crate compiles with cargo, or with rustc if the crate has no dependencies.
type crate struct{ rustc, cargo, target string }

func (c crate) compile(ctx context.Context, j job) error {
	// Keep local paths out of the module, for privacy and for a reproducible
	// digest.
	flags := []string{"--remap-path-prefix=" + j.folder + "=.", "-Cdebuginfo=0"}
	if j.debug {
		flags[1] = "-Cdebuginfo=1"
	}
	home := j.get("CARGO_HOME")
	if home == "" && j.get("HOME") != "" {
		home = filepath.Join(j.get("HOME"), ".cargo")
	}
	if home != "" {
		flags = append(flags, "--remap-path-prefix="+home+"=cargo")
	}
	_, err := os.Stat(filepath.Join(j.folder, "Cargo.toml"))
	switch {
	case err == nil && c.cargo != "":
		return c.withCargo(ctx, j, flags)
	case err == nil && dependencies(filepath.Join(j.folder, "Cargo.toml")):
		return missingError(Rust, message.New("kit.no_cargo", "rustc", c.rustc))
	}
	source, kind := "src/main.rs", "bin"
	if j.library {
		source, kind = "src/lib.rs", "cdylib"
	}
	if _, err := os.Stat(filepath.Join(j.folder, source)); err != nil {
		source = strings.TrimPrefix(source, "src/")
	}
	args := append(flags, "--edition=2021", "--crate-name="+strings.ReplaceAll(j.name, "-", "_"), "--crate-type="+kind,
		"--target="+c.target, "-Copt-level=s", "-Clto=yes", "-Ccodegen-units=1", "-Cpanic=abort", "-o", j.out, source)
	return j.run(ctx, j.folder, nil, c.rustc, args...)
}

func dependencies(file string) bool {
	b, err := os.ReadFile(file)
	return err == nil && regexp.MustCompile(`(?m)^\s*\[(dependencies|target\..*dependencies)[\].]`).Match(b)
}

func (c crate) withCargo(ctx context.Context, j job, flags []string) error {
	args := []string{"build", "--release", "--target", c.target, "--message-format=json-render-diagnostics"}
	if _, err := os.Stat(filepath.Join(j.folder, "Cargo.lock")); err == nil {
		args = append(args, "--locked")
	}
	env := []string{"RUSTC=" + c.rustc, "CARGO_ENCODED_RUSTFLAGS=" + strings.Join(flags, "\x1f"), "CARGO_TARGET_DIR=" + filepath.Join(j.folder, "target")}
	if j.debug {
		env = append(env, "CARGO_PROFILE_RELEASE_DEBUG=1")
	}
	cmd := j.command(ctx, j.folder, env, c.cargo, args...)
	var messages bytes.Buffer
	cmd.Stdout = &messages
	if err := j.runCommand(ctx, cmd); err != nil {
		return err
	}
	module := artifact(&messages)
	if module == "" {
		return tool.NewError(tool.ExecutionError, "build_failed", message.New("kit.cargo_made_no_module")).
			WithHint(message.New("kit.crate_type_of_abi"))
	}
	return copyFile(j.out, module)
}

// artifact returns the last module in cargo's messages: dependencies precede the
// crate.
func artifact(messages io.Reader) (module string) {
	for d := json.NewDecoder(messages); ; {
		var m struct {
			Reason    string
			Filenames []string
		}
		if d.Decode(&m) != nil {
			return module
		}
		for _, name := range m.Filenames {
			if m.Reason == "compiler-artifact" && strings.HasSuffix(name, ".wasm") {
				module = name
			}
		}
	}
}

func copyFile(to, from string) error {
	b, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, b, 0o644)
	}
	if err != nil {
		return tool.NewError(tool.ExecutionError, "build_failed", message.New("kit.copy_module", "cause", err))
	}
	return nil
}
