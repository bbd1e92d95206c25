package kit

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"errand/host/tool"
)

// toolchain finds what the language is built with.
func (j job) toolchain(ctx context.Context, l Lang) (toolchain, error) {
	switch l {
	case Go:
		return j.golang(ctx)
	case Rust:
		return j.rust(ctx)
	case C:
		return j.clang(ctx)
	}
	return j.assemblyscript(ctx)
}

// needs says what a language is built with; cure, how to get it.
func (l Lang) needs() string {
	switch l {
	case Go:
		return "Go 1.24 or newer"
	case Rust:
		return "Rust with a WASI target"
	case C:
		return "clang, lld and wasi-libc"
	}
	return "Node.js 20 and npm"
}

func (l Lang) cure() string {
	switch l {
	case Go:
		return "install Go 1.24 or newer from your system's packages or go.dev, so that go is on the PATH"
	case Rust:
		return "Debian: apt-get install rustc cargo libstd-rust-dev-wasm32; with rustup: rustup target add wasm32-wasip1"
	case C:
		return "Debian: apt-get install clang lld wasi-libc libclang-rt-dev-wasm32; elsewhere set WASI_SDK_PATH to the folder of a WASI SDK"
	}
	return "install Node.js 20 or newer with npm (Debian: apt-get install nodejs npm)"
}

func (j job) golang(ctx context.Context) (toolchain, error) {
	program := j.find("go")
	if program == "" {
		return toolchain{}, missing(Go, "there is no go on the PATH")
	}
	version := j.ask(ctx, program, "env", "GOVERSION")
	if m := regexp.MustCompile(`^go1\.(\d+)`).FindStringSubmatch(version); m != nil {
		if minor, _ := strconv.Atoi(m[1]); minor < 24 {
			return toolchain{}, missing(Go, "%s is %s, which can't export functions to WebAssembly", program, version)
		}
	}
	return toolchain{version, func(ctx context.Context, j job) error {
		args := []string{"build", "-trimpath", "-buildvcs=false", "-o", j.out}
		if !j.debug {
			args = append(args, "-ldflags=-w") // names stay: a stack is read by them
		}
		if j.library {
			args = append(args, "-buildmode=c-shared")
		}
		what, err := j.packages(ctx, program)
		if err != nil {
			return err
		}
		return j.run(ctx, j.folder, []string{"GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS="}, program, append(args, what...)...)
	}}, nil
}

// packages is what to build: the folder's package, or its files where no module
// is around it.
func (j job) packages(ctx context.Context, program string) ([]string, error) {
	cmd := j.command(ctx, j.folder, nil, program, "env", "GOMOD")
	cmd.Stdout = nil // for Output to set
	out, err := cmd.Output()
	if module := strings.TrimSpace(string(out)); err == nil && module != "" && module != os.DevNull {
		return []string{"."}, nil
	}
	return fs.Glob(os.DirFS(j.folder), "*.go")
}

// wasiTargets are the names of Rust's WASI preview 1 target: today's, and that
// of before 1.78.
var wasiTargets = []string{"wasm32-wasip1", "wasm32-wasi"}

// rust takes the first compiler on the PATH that has the standard library of a
// WASI target: a rustup toolchain often comes before Debian's and has none.
func (j job) rust(ctx context.Context) (toolchain, error) {
	compilers := j.all("rustc")
	if len(compilers) == 0 {
		return toolchain{}, missing(Rust, "there is no rustc on the PATH")
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
			if cargo := filepath.Join(filepath.Dir(rustc), "cargo"); slices.Contains(j.all("cargo"), cargo) {
				c.cargo = cargo
			}
			return toolchain{j.ask(ctx, rustc, "--version"), c.compile}, nil
		}
	}
	return toolchain{}, missing(Rust, "%s has no standard library for WASI", strings.Join(compilers, " or "))
}

// crate compiles with cargo, or without one where the crate needs no other.
type crate struct{ rustc, cargo, target string }

func (c crate) compile(ctx context.Context, j job) error {
	// Paths of this machine don't belong into a module, neither for privacy nor
	// for the digest.
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
		return missing(Rust, "Cargo.toml has dependencies and there is no cargo beside %s", c.rustc)
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
	if err := j.finished(ctx, cmd); err != nil {
		return err
	}
	module := artifact(&messages)
	if module == "" {
		return tool.Errorf(tool.ExecutionError, "build_failed", "cargo left no module").
			WithHint(`abi wasi needs a program (src/main.rs); the others a library with crate-type = ["cdylib"]`)
	}
	return copyFile(j.out, module)
}

// artifact is the last module that cargo says it made: the crate comes after
// what it depends on.
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

// clang takes a WASI SDK where one is named, else the first clang that knows
// WebAssembly: the plain name, then the newest of those with a number.
func (j job) clang(ctx context.Context) (toolchain, error) {
	sdk := j.get("WASI_SDK_PATH")
	compilers := j.all("clang")
	if sdk != "" {
		compilers = []string{filepath.Join(sdk, "bin", "clang")}
	}
	for n := 30; n >= 11 && sdk == ""; n-- {
		compilers = append(compilers, j.all("clang-"+strconv.Itoa(n))...)
	}
	if len(compilers) == 0 {
		return toolchain{}, missing(C, "there is no clang on the PATH")
	}
	why := ""
	for _, clang := range compilers {
		if why = j.lacks(ctx, clang); why != "" {
			continue
		}
		return toolchain{strings.SplitN(j.ask(ctx, clang, "--version"), "\n", 2)[0], func(ctx context.Context, j job) error {
			sources, err := j.sources()
			if err != nil {
				return err
			}
			args := []string{"--target=wasm32-wasi", "-Os", "-Wall", "-ffile-prefix-map=" + j.folder + "=.", "-o", j.out}
			if j.debug {
				args = append(args, "-g")
			}
			if j.library {
				args = append(args, "-mexec-model=reactor")
			}
			return j.run(ctx, j.folder, nil, clang, append(args, sources...)...)
		}}, nil
	}
	return toolchain{}, missing(C, "%s", why)
}

// lacks says what is missing for a clang to make a module: its own support, the
// C library, the linker.
func (j job) lacks(ctx context.Context, clang string) string {
	const target = "--target=wasm32-wasi"
	if !strings.Contains(j.ask(ctx, clang, "--print-targets"), "wasm32") {
		return clang + " does not know WebAssembly"
	}
	if !filepath.IsAbs(j.ask(ctx, clang, target, "-print-file-name=crt1-command.o")) {
		return clang + " lacks the C library for WASI (wasi-libc)"
	}
	if _, err := os.Stat(j.ask(ctx, clang, target, "-print-libgcc-file-name")); err != nil {
		return clang + " lacks its own library for WebAssembly (libclang-rt)"
	}
	// Debian's clang-14 links with wasm-ld-14, whatever it says of itself.
	numbered := strings.Replace(filepath.Base(clang), "clang", "wasm-ld", 1)
	real, err := filepath.EvalSymlinks(clang)
	if err != nil {
		real = clang
	}
	for _, linker := range []string{
		j.ask(ctx, clang, target, "-print-prog-name=wasm-ld"), filepath.Join(filepath.Dir(real), "wasm-ld"), j.find("wasm-ld"), j.find(numbered),
	} {
		if _, err := os.Stat(linker); err == nil && filepath.IsAbs(linker) {
			return ""
		}
	}
	return clang + " lacks the linker wasm-ld (lld)"
}

// sources are the C files of the folder and of src, sorted.
func (j job) sources() ([]string, error) {
	var all []string
	for _, pattern := range []string{"*.c", "src/*.c"} {
		found, err := fs.Glob(os.DirFS(j.folder), pattern)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// assemblyscript uses the compiler that the folder's package.json pins, and has
// npm fetch it where it isn't there yet.
func (j job) assemblyscript(ctx context.Context) (toolchain, error) {
	node, npm := j.find("node"), j.find("npm")
	if node == "" {
		return toolchain{}, missing(AssemblyScript, "there is no node on the PATH")
	}
	asc := filepath.Join(j.folder, "node_modules", "assemblyscript", "bin", "asc.js")
	if _, err := os.Stat(asc); err != nil {
		if npm == "" {
			return toolchain{}, missing(AssemblyScript, "its compiler is not in node_modules, and there is no npm on the PATH to fetch it")
		}
		fetch := "install"
		if _, err := os.Stat(filepath.Join(j.folder, "package-lock.json")); err == nil {
			fetch = "ci"
		}
		if err := j.run(ctx, j.folder, nil, npm, fetch, "--ignore-scripts", "--no-audit", "--no-fund", "--omit-lockfile-registry-resolved"); err != nil {
			return toolchain{}, err
		}
	}
	return toolchain{"AssemblyScript " + strings.TrimPrefix(j.ask(ctx, node, asc, "--version"), "Version "), func(ctx context.Context, j job) error {
		entry := filepath.Join("assembly", "index.ts")
		// --debug alone keeps the names of functions; what it does beyond that is
		// in the way of nobody.
		args := []string{asc, entry, "-o", j.out, "-O3", "--shrinkLevel", "1", "--debug"}
		if !j.library {
			args = append(args, "--exportStart", "_start")
		}
		if _, err := os.Stat(filepath.Join(j.folder, "asconfig.json")); err != nil {
			args = append(args, "--use", "abort=") // the host has none to import
		}
		return j.run(ctx, j.folder, nil, node, args...)
	}}, nil
}

func copyFile(to, from string) error {
	b, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, b, 0o644)
	}
	if err != nil {
		return tool.Errorf(tool.ExecutionError, "build_failed", "take the module from where cargo left it: %v", err)
	}
	return nil
}
