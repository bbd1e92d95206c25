// Package extism is the host's side of the Extism plugin ABI: the functions of
// the module "extism:host/env", which plugins made with any Extism PDK import.
//
// A [Kernel] is what one plugin instance sees: a memory apart from its own,
// in which it gets its input and leaves its output, its configuration, its
// variables, its log and its HTTP client. [Register] makes the functions known
// to a runtime once; each call finds its kernel in the context ([Kernel.Context]).
//
// The memory hands out every block at a new offset and reuses none within a
// call, because PDKs read blocks after they were freed and free blocks that the
// host has freed already. Accesses out of bounds read zero or write nothing.
package extism
