// Package wasm makes tools of plugins: folders that hold a plugin.toml and a
// WebAssembly module. It is the only importer of wazero.
//
// A [Host] compiles modules and runs them. [Host.Load] reads a plugin's folder
// without compiling anything; the plugin's tools do that when they are first
// called, or [Plugin.Prepare] does ahead of time. [Host.Call] runs one function
// of any module, for people who write plugins, and [Inspect] reads one.
//
// Plugins speak one of three ABIs. A WASI command gets one JSON object on its
// standard input and answers one on its standard output. An Extism plugin
// works as under any Extism host; see [errand/host/wasm/extism]. A plugin of
// hyper-mcp is one of these, whose tools are found by asking it
// ([Host.DescribeTools]).
//
// # What a plugin can do
//
// Nothing that its manifest doesn't ask for and the program doesn't grant.
// Every call gets a fresh instance unless the manifest says otherwise, with its
// own memory limit, deadline and output limit; going beyond one is a typed
// error that names the limit and what raises it. Folders are shown through
// [errand/host/wasm/rootfs], never through wazero's own mounts. HTTP goes
// through a client that the program hands in; there are no sockets, no
// environment and no arguments. Clock and randomness are the real ones.
//
// A loop is stopped at its next turn once the deadline has passed. That check
// is dear (a tight loop runs many times slower with it), and code that calls
// itself exponentially without any loop escapes it: it ends when its stack or
// its work does.
package wasm
