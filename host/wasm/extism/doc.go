// Package extism implements the host's side of the Extism plugin ABI: the functions of
// the module "extism:host/env", which plugins of every Extism PDK import.
//
// [Register] adds the ABI to a runtime, once. Each plugin instance has its own [Kernel],
// which holds the input and the output in a memory beside the plugin's. The kernel is a
// WebAssembly module (kernel.wat), and the plugin's module is linked to it
// ([Kernel.Link]). Reading the input and writing the output are therefore calls between
// WebAssembly modules. Configuration, variables, log and HTTP are in Go and belong to
// one [Call].
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
// Every block of a call has a new offset, because PDKs read blocks after they were freed
// and free blocks that the host has freed. Accesses out of bounds read zero or write
// nothing.
//
// Linking uses an experimental function of wazero (experimental.WithImportResolver).
package extism
