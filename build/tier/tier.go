// Package tier sets the amount of work of a test: a sample in the quick tier (make test),
// everything in the long tier (make test-all, ERRAND_TEST=long). Only tests import it.
package tier

import "os"

// Long reports whether the tests run in the long tier.
func Long() bool { return os.Getenv("ERRAND_TEST") == "long" }

// Of returns the size of a test: sample in the quick tier, all in the long one.
func Of(sample, all int) int {
	if Long() {
		return all
	}
	return sample
}
