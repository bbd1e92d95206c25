package planning

import "errand/planner/interpret"

// IsAddress reports whether a text is only the address of a page, which is a goal without a
// verb: "github.com", "localhost:3000".
func IsAddress(text string) bool { return interpret.IsAddress(text) }
