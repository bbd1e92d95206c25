package kit

import (
	"context"
)

// toolchain finds the language's compiler.
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

// needs returns the name of the language's compiler and how to install it.
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
