package kit

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"errand/planner/message"
)

// clang finds a compiler for C.
func (j job) clang(ctx context.Context) (toolchain, error) {
	return j.findClang(ctx, C, "*.c", "src/*.c")
}

// clangPlusPlus finds a compiler for C++. Exceptions need a WebAssembly feature that
// plugins can't use, so the library has none.
func (j job) clangPlusPlus(ctx context.Context) (toolchain, error) {
	return j.findClang(ctx, CPP, "*.cpp", "*.cc", "*.c", "src/*.cpp", "src/*.cc", "src/*.c")
}

// findClang uses a configured WASI SDK, else the first clang with WebAssembly support:
// the plain name, then the highest version. It compiles the files of the patterns.
func (j job) findClang(ctx context.Context, l Lang, patterns ...string) (toolchain, error) {
	sdk := j.get("WASI_SDK_PATH")
	compilers := j.findAll("clang")
	if sdk != "" {
		compilers = []string{filepath.Join(sdk, "bin", "clang")}
	}
	for n := 30; n >= 11 && sdk == ""; n-- {
		compilers = append(compilers, j.findAll("clang-"+strconv.Itoa(n))...)
	}
	if len(compilers) == 0 {
		return toolchain{}, missingError(l, message.New("kit.no_clang"))
	}
	var why message.Message
	for _, clang := range compilers {
		if why = j.missingParts(ctx, clang, l); !why.IsZero() {
			continue
		}
		return toolchain{strings.SplitN(j.ask(ctx, clang, "--version"), "\n", 2)[0], func(ctx context.Context, j job) error {
			sources, err := j.sources(patterns)
			if err != nil {
				return err
			}
			args := []string{"--target=wasm32-wasi", "-Os", "-Wall", "-ffile-prefix-map=" + j.folder + "=.", "-o", j.out}
			if l == CPP {
				args = append([]string{"--driver-mode=g++", "-std=c++20", "-fno-exceptions", "-fno-rtti"}, args...)
			}
			if j.debug {
				args = append(args, "-g")
			}
			if j.library {
				args = append(args, "-mexec-model=reactor")
			}
			return j.run(ctx, j.folder, nil, clang, append(args, sources...)...)
		}}, nil
	}
	return toolchain{}, missingError(l, why)
}

// missingParts returns what a clang needs to make a module: its target, the libraries or
// the linker. It is zero if nothing is missing.
func (j job) missingParts(ctx context.Context, clang string, l Lang) message.Message {
	const target = "--target=wasm32-wasi"
	if !strings.Contains(j.ask(ctx, clang, "--print-targets"), "wasm32") {
		return message.New("kit.clang_without_wasm", "clang", clang)
	}
	if !filepath.IsAbs(j.ask(ctx, clang, target, "-print-file-name=crt1-command.o")) {
		return message.New("kit.clang_without_libc", "clang", clang)
	}
	if _, err := os.Stat(j.ask(ctx, clang, target, "-print-libgcc-file-name")); err != nil {
		return message.New("kit.clang_without_rt", "clang", clang)
	}
	if l == CPP && !filepath.IsAbs(j.ask(ctx, clang, target, "-print-file-name=libc++abi.a")) {
		return message.New("kit.clang_without_cpp", "clang", clang)
	}
	// Debian's clang-14 uses wasm-ld-14, although it reports another name.
	numbered := strings.Replace(filepath.Base(clang), "clang", "wasm-ld", 1)
	real, err := filepath.EvalSymlinks(clang)
	if err != nil {
		real = clang
	}
	for _, linker := range []string{
		j.ask(ctx, clang, target, "-print-prog-name=wasm-ld"), filepath.Join(filepath.Dir(real), "wasm-ld"), j.find("wasm-ld"), j.find(numbered),
	} {
		if _, err := os.Stat(linker); err == nil && filepath.IsAbs(linker) {
			return message.Message{}
		}
	}
	return message.New("kit.clang_without_linker", "clang", clang)
}

// sources returns the files of the patterns, sorted.
func (j job) sources(patterns []string) ([]string, error) {
	var all []string
	for _, pattern := range patterns {
		found, err := fs.Glob(os.DirFS(j.folder), pattern)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}
