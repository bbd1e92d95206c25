// Package tier sets the amount of work of a test: a sample in the quick tier (make test),
// everything in the long tier (make test-all, ERRAND_TEST=long). Only tests import it.
package tier

import "os"

// IsLong reports whether the tests run in the long tier.
func IsLong() bool { return os.Getenv("ERRAND_TEST") == "long" }

// Size returns the size of a test: sample in the quick tier, all in the long one.
func Size(sample, all int) int {
	if IsLong() {
		return all
	}
	return sample
}
