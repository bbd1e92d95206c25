package stack

import (
	"strings"

	"errand/planner/message"
)

// cures has the codes of the cures of traps, by a part of the runtime's reason.
var cures = []struct{ reason, code string }{
	{"stack overflow", "plugin.cure_stack_overflow"},
	{"unreachable", "plugin.cure_unreachable"},
	{"out of bounds memory", "plugin.cure_out_of_bounds"},
	{"invalid table access", "plugin.cure_table_access"},
	{"indirect call type mismatch", "plugin.cure_call_type"},
	{"integer divide by zero", "plugin.cure_divide_by_zero"},
	{"integer overflow", "plugin.cure_integer_overflow"},
	{"invalid conversion to integer", "plugin.cure_conversion"},
	{"out of memory", "plugin.cure_out_of_memory"},
}

// FixFor returns the likely fix of a trap, or zero if none is known.
func FixFor(reason string) message.Message {
	for _, c := range cures {
		if strings.Contains(reason, c.reason) {
			return message.New(c.code)
		}
	}
	return message.Message{}
}
