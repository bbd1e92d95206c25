package planner

import "os"

// choose returns quick, or full if ERRAND_TEST=long asks for the long form of
// the tests (`make test-all`).
func choose(quick, full int) int {
	if os.Getenv("ERRAND_TEST") == "long" {
		return full
	}
	return quick
}
