// Package wasm makes tools of plugins: folders that hold a plugin.toml and a
// WebAssembly module. It is the only importer of wazero.
//
// A [Host] compiles modules and runs them. [Host.Load] reads a plugin's folder
// without compiling anything; the plugin's tools do that when they are first
// called, or [Plugin.Prepare] does ahead of time. [Host.Call] runs one function
// of any module and [Host.Session] runs many, for people who write plugins;
// [Inspect] reads one.
//
// Plugins speak one of three ABIs. A WASI command gets one JSON object on its
// standard input and answers one on its standard output. An Extism plugin
// works as under any Extism host; see [errand/host/wasm/extism]. A plugin of
// hyper-mcp is one of these, whose tools are found by asking it
// ([Host.DescribeTools]).
//
// # What a plugin can do
//
// Nothing that its manifest doesn't ask for and the program doesn't grant. Every
// call begins in the same state unless the manifest says otherwise, by an
// instance that is put back to it after each call and waits in a bounded pool for
// the next ([errand/host/wasm/engine], [errand/host/wasm/pool]). Limits are those
// of the manifest; going beyond one is a typed error that names the limit, its
// value and what raises it. Folders are shown through
// [errand/host/wasm/rootfs], never through wazero's own mounts. HTTP goes
// through a client that the program hands in; there are no sockets, no
// environment and no arguments. Clock and randomness are the real ones.
//
// A guest is stopped within a millisecond or so of its deadline or a cancel,
// whatever it does, because it asks for fuel as it runs. How much it used is told
// with each call and is the same for the same call.
//
// # What is kept
//
// Compiled modules lie in a cache whose folders are sealed
// ([errand/host/wasm/codecache]). A plugin that is closed gives everything back;
// of modules that nobody uses the last four stay compiled.
package wasm
