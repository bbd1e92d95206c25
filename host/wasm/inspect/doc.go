// Package inspect reads the outer structure of a WebAssembly binary: its imports,
// exports, memory, toolchain and ABI. It compiles and runs nothing, takes microseconds
// and never panics, so it can read a file before the user trusts it.
//
// The format is that of the WebAssembly Core Specification 2.0, §5.
package inspect
