package policy

import (
	"errand/app/i18n"
	"errand/planner/message"
)

// english is the text of a message, for tests about the words themselves.
func english(m message.Message) string { return i18n.English().Text(m) }
