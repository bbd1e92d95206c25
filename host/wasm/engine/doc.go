// Package engine compiles modules, makes instances and runs calls. Calls can be
// stopped at any time, their fuel is counted, and instances are reset after them.
//
// # Compiling
//
// A module is validated, rewritten by [errand/host/wasm/meter] and compiled. The
// compiled code omits wazero's own checks of the context, which make a loop many
// times slower. Instead, a guest requests fuel from the host about every
// millisecond, and the host can stop it there. The fuel used is exact and depends
// only on the guest. A module with a feature that the rewriter does not support is
// refused; the error names the compiler flags that avoid the feature.
//
// # Start state
//
// A [Template] is the state in which each call starts: a snapshot of an instance
// after its runtime was initialised and its warm-up has run. Memory is stored as a
// [errand/host/wasm/linear.Image], globals as numbers. Each new instance of the
// template gets that state, and [Instance.Reset] restores it after a call. Random
// numbers that a guest drew during initialisation are therefore the same in every
// call, such as the order of a Go map or the key of a hash. Numbers drawn during a
// call (crypto/rand, random_get) are new each time.
//
// An instance that can't be reset runs only one call. Reasons are tables that the
// module changes, files that a call left open and descriptors that it closed. An
// instance is discarded after a trap, a forced stop or an exceeded limit, because
// its state is unknown.
package engine
