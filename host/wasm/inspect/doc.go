// Package inspect reads the outer structure of a WebAssembly binary: what it
// imports and exports, its memory and tables, who built it, and which of the
// host's two ABIs it speaks. It compiles and runs nothing, takes microseconds,
// and never panics, so it can look at any file before trust is asked for.
//
// The format is that of the WebAssembly Core Specification 2.0, §5.
package inspect
