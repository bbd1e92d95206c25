package trace

import (
	"strings"

	"errand/planner/message"
)

// EscapeText makes untrusted text safe for a terminal, such as page titles, file names
// and errors. It escapes [message.IsHidden] characters and writes a newline as ⏎.
func EscapeText(s string) string {
	return strings.NewReplacer("\r\n", "⏎", "\n", "⏎", "\t", " ").Replace(PlainLines(s))
}

// PlainLines is [EscapeText] for text with several lines, such as a plugin's output. It
// keeps newlines and tabs.
func PlainLines(s string) string {
	return message.EscapeHidden(strings.ReplaceAll(s, "\r\n", "\n"), "\n\t")
}
