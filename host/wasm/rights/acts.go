package rights

import (
	"slices"
	"strings"

	"errand/planner/message"
)

// act has the codes of what one tool and several tools of a level do.
type act struct{ level, singular, plural string }

// acts are the levels of tools, the weakest first.
var acts = []act{
	{"read/read", "rights.looks", "rights.tools_look"},
	{"read/navigate", "rights.opens_pages", "rights.tools_open_pages"},
	{"write/read", "rights.changes_something", "rights.tools_change_something"},
	{"write/navigate", "rights.opens_what_changes", "rights.tools_open_what_changes"},
	{"write/input", "rights.fills_in", "rights.tools_fill_in"},
	{"write/commit", "rights.sends", "rights.tools_send"},
	{"write/file", "rights.changes_files", "rights.tools_change_files"},
	{"auth/read", "rights.handles_credentials", "rights.tools_handle_credentials"},
	{"auth/navigate", "rights.handles_credentials_and_opens", "rights.tools_handle_credentials_and_open"},
	{"auth/input", "rights.handles_credentials_and_fills_in", "rights.tools_handle_credentials_and_fill_in"},
	{"auth/commit", "rights.handles_credentials_and_sends", "rights.tools_handle_credentials_and_send"},
	{"auth/file", "rights.handles_credentials_and_changes_files", "rights.tools_handle_credentials_and_change_files"},
}

// describeLevel describes what a tool of a class and effect does. It returns an unknown level
// unchanged.
func describeLevel(level string) message.Message {
	if i := slices.IndexFunc(acts, func(a act) bool { return a.level == level }); i >= 0 {
		return message.New(acts[i].singular)
	}
	return message.Verbatim(strings.ReplaceAll(level, "/", ", "))
}

// byLevel returns the tools grouped by what they do.
func (l List) byLevel() (lines []message.Message) {
	known := slices.Clone(acts)
	for _, r := range l {
		if r.Kind == Tool && !slices.ContainsFunc(known, func(a act) bool { return a.level == r.Level }) {
			known = append(known, act{level: r.Level})
		}
	}
	for _, a := range known {
		switch tools := slices.Compact(l.names(Tool, a.level)); {
		case len(tools) == 0:
		case a.plural == "":
			lines = append(lines, message.New("rights.tools_of_level", "level", describeLevel(a.level), "tools", tools))
		default:
			lines = append(lines, message.New(a.plural, "tools", tools))
		}
	}
	return lines
}
