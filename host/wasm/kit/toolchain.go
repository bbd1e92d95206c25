package kit

import (
	"context"

	"errand/planner/message"
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

// compilerName returns the name of the language's compiler, for a README.
func (l Lang) compilerName() string {
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

// installHint says how to install the language's compiler.
func (l Lang) installHint() message.Message {
	switch l {
	case Go:
		return message.New("kit.install_go")
	case Rust:
		return message.New("kit.install_rust")
	case C:
		return message.New("kit.install_c")
	}
	return message.New("kit.install_node")
}
