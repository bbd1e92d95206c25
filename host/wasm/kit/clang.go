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

// clang uses a configured WASI SDK, else the first clang with WebAssembly support:
// the plain name, then the highest version.
func (j job) clang(ctx context.Context) (toolchain, error) {
	sdk := j.get("WASI_SDK_PATH")
	compilers := j.findAll("clang")
	if sdk != "" {
		compilers = []string{filepath.Join(sdk, "bin", "clang")}
	}
	for n := 30; n >= 11 && sdk == ""; n-- {
		compilers = append(compilers, j.findAll("clang-"+strconv.Itoa(n))...)
	}
	if len(compilers) == 0 {
		return toolchain{}, missingError(C, message.New("kit.no_clang"))
	}
	var why message.Message
	for _, clang := range compilers {
		if why = j.missingParts(ctx, clang); !why.IsZero() {
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
	return toolchain{}, missingError(C, why)
}

// missingParts returns what a clang needs to make a module: its target, the C library or
// the linker. It is zero if nothing is missing.
func (j job) missingParts(ctx context.Context, clang string) message.Message {
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

// sources returns the C files of the folder and of src, sorted.
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
