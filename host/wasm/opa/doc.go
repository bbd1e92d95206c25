// Package opa runs policies that the Open Policy Agent's compiler has compiled to WebAssembly.
//
// A policy gets its input as JSON and answers with JSON. It runs in wazero, without a file, a
// network or a clock, and within limits of memory, fuel and time. What its module doesn't compute
// itself is asked of the host: a few built-in functions, which depend on nothing but their
// arguments.
//
// The interface between a policy and its host is described at
// https://www.openpolicyagent.org/docs/wasm (ABI version 1.2).
package opa
