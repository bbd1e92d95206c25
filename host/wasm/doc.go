// Package wasm turns plugins into tools. A plugin is a folder with a plugin.toml
// and a WebAssembly module. Only this package and those below it import wazero.
//
// A [Host] compiles modules and runs them. [Host.Load] reads a plugin's folder
// without compiling. The first call of a tool compiles the module;
// [Plugin.Prepare] does so in advance. [Host.Call] runs one function of any module
// and [Host.Session] runs many, for plugin authors. [Inspect] reads a module.
//
// Plugins use one of three ABIs. A WASI command reads one JSON object from its
// standard input and writes one to its standard output. An Extism plugin works as
// under any Extism host; see [errand/host/wasm/extism]. A hyper-mcp plugin is an
// Extism plugin that describes its own tools ([Host.DescribeTools]).
//
// # Permissions
//
// A plugin can do only what its manifest requests and the program grants. Every
// call starts in the same state unless the manifest says otherwise. An instance is
// reset after each call and returned to a bounded pool ([errand/host/wasm/engine],
// [errand/host/wasm/pool]). The manifest sets the limits. Exceeding one is a typed
// error with the limit, its value and how to raise it. Folders are mounted through
// [errand/host/wasm/rootfs], never through wazero's own mounts. HTTP uses a client
// that the program provides. There are no sockets, environment variables or
// arguments. Clock and randomness are real.
//
// A guest stops within about a millisecond of its deadline or a cancel, because it
// requests fuel while it runs. Each call reports its fuel, which is the same for
// the same call.
//
// # Caches
//
// Compiled modules are stored in a cache with sealed folders
// ([errand/host/wasm/codecache]). Closing a plugin releases all its resources; the
// last four unused modules stay compiled.
package wasm
