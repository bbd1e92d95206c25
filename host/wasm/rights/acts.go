package rights

import (
	"slices"
	"strings"
)

// act describes what one tool or several tools of a level do.
type act struct{ level, one, many string }

// acts are the levels of tools, the weakest first. Each has whole sentences for
// translation.
var acts = []act{
	{"read/read", "only looks", "tools that only look"},
	{"read/navigate", "opens pages", "tools that open pages"},
	{"write/read", "changes something", "tools that change something"},
	{"write/navigate", "opens what may change something", "tools that open what may change something"},
	{"write/input", "fills things in", "tools that fill things in"},
	{"write/commit", "sends or sets something", "tools that send or set something"},
	{"write/file", "changes files", "tools that change files"},
	{"auth/read", "handles credentials or permissions", "tools that handle credentials or permissions"},
	{"auth/navigate", "handles credentials or permissions, and opens pages", "tools that handle credentials or permissions, and open pages"},
	{"auth/input", "handles credentials or permissions, and fills things in", "tools that handle credentials or permissions, and fill things in"},
	{"auth/commit", "handles credentials or permissions, and sends or sets something", "tools that handle credentials or permissions, and send or set something"},
	{"auth/file", "handles credentials or permissions, and changes files", "tools that handle credentials or permissions, and change files"},
}

// said describes a class and effect. It returns an unknown level unchanged.
func said(level string) string {
	if i := slices.IndexFunc(acts, func(a act) bool { return a.level == level }); i >= 0 {
		return acts[i].one
	}
	return strings.ReplaceAll(level, "/", ", ")
}

// deeds returns the tools grouped by what they do.
func (l List) deeds() (lines []string) {
	known := slices.Clone(acts)
	for _, r := range l {
		if r.Kind == Tool && !slices.ContainsFunc(known, func(a act) bool { return a.level == r.Level }) {
			known = append(known, act{r.Level, said(r.Level), said(r.Level)})
		}
	}
	for _, a := range known {
		if tools := slices.Compact(l.names(Tool, a.level)); len(tools) > 0 {
			lines = append(lines, a.many+": "+strings.Join(tools, ", "))
		}
	}
	return lines
}
