// Package engine compiles a module, makes instances of it, and has them do
// calls: stopped at any time, counted, and put back to where they began.
//
// # What runs
//
// A module is validated as it came, rewritten by [errand/host/wasm/meter], and
// compiled without wazero's own checks for the end of a context, which make a
// loop many times slower. A guest then asks the host for fuel about each
// millisecond, and that is where it is stopped; what it used is exact
// and depends on the guest alone. A module that uses what the rewriter doesn't
// know is refused, with the flags that make its compiler leave that out.
//
// # Where a call begins
//
// A [Template] is the state that each call begins in: what an instance was like
// once its runtime was initialised and its warm-up had run. Its memory is kept
// as a [errand/host/wasm/linear.Image], its globals as numbers. Every instance
// of the template is brought to that state when it is made and put back to it
// by [Instance.Reset] after a call. Thus random numbers that a guest drew while
// it began are the same in every call: the order of a Go map, a hash's key. What
// it draws during a call (crypto/rand, random_get) is new each time.
//
// What can't be put back makes the instance one that serves a single call:
// tables that the module changes, files that a call left open, descriptors that
// it closed. After a trap, an exit by force and a passed limit nothing is known
// of an instance, and it is thrown away.
package engine
