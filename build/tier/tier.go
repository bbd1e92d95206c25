// Package tier tells a test how much to go through: a sample in the quick tier
// (make test), everything in the long one (make test-all, ERRAND_TEST=long).
// Tests alone import it.
package tier

import "os"

// Long reports whether this is the long tier.
func Long() bool { return os.Getenv("ERRAND_TEST") == "long" }

// Of returns the size of a test: sample in the quick tier, all in the long one.
func Of(sample, all int) int {
	if Long() {
		return all
	}
	return sample
}
