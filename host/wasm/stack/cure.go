package stack

import "strings"

// cures are what helps against a trap, by a part of what the runtime calls it.
var cures = []struct{ reason, cure string }{
	{"stack overflow", "it calls itself too deep, or has large local variables: look for a recursion without an end, or give it a larger stack (C: -Wl,-z,stack-size=1048576)"},
	{"unreachable", "it ended itself: a panic, a failed assertion or an abort; its log has the message where the language writes one"},
	{"out of bounds memory", "it read or wrote outside of its memory: an index or pointer went wrong"},
	{"invalid table access", "it called through a pointer that is no function's: an object that was freed, or a cast"},
	{"indirect call type mismatch", "it called a function by the wrong type: a cast of a function pointer, or parts that different compilers made"},
	{"integer divide by zero", "it divided by zero"},
	{"integer overflow", "a number did not fit: the smallest integer divided by -1, or a float too large for an integer"},
	{"invalid conversion to integer", "it made an integer of what is no number"},
	{"out of memory", "it needs more memory than it may have: limits.memory"},
}

// Cure says what is likely to help against a trap, "" where nothing is known.
func Cure(reason string) string {
	for _, c := range cures {
		if strings.Contains(reason, c.reason) {
			return c.cure
		}
	}
	return ""
}
