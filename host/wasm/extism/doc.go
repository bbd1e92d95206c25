// Package extism is the host's side of the Extism plugin ABI: the functions of
// the module "extism:host/env", which plugins made with any Extism PDK import.
//
// [Register] makes the ABI known to a runtime, once. Each plugin instance has a
// [Kernel] of its own, a memory apart from the plugin's, in which it gets its
// input and leaves its output: a WebAssembly module (kernel.wat), which the
// plugin's module is linked to ([Kernel.Link]), so that reading the input and
// writing the output is WebAssembly calling WebAssembly. Configuration,
// variables, log and HTTP are Go's, and belong to one [Call].
//
//	abi, err := extism.Register(ctx, runtime, isImported)
//	kernel, err := abi.New(ctx, 16<<20, nil, nil)
//	plugin, err := runtime.InstantiateModule(kernel.Link(ctx, nil), compiled, config)
//	// for each call
//	call := &extism.Call{Config: …, Limits: extism.DefaultLimits()}
//	err = kernel.Begin(ctx, call, input)
//	err = function.CallWithStack(call, stack) // the call is its own context
//	output, failure := kernel.Output(), kernel.Error()
//
// The memory hands out every block at a new offset and reuses none within a
// call, because PDKs read blocks after they were freed and free blocks that the
// host has freed already. Accesses out of bounds read zero or write nothing.
//
// What links a plugin to its kernel is experimental in wazero
// (experimental.WithImportResolver); the tests here would tell if it changed.
package extism
