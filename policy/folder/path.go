package folder

import (
	"path/filepath"
	"slices"
	"strings"
)

// IsPath reports whether a value is the path of a file.
func IsPath(value string) bool {
	return value == "~" || strings.HasPrefix(value, "/") || strings.HasPrefix(value, "~/") || filepath.IsAbs(value)
}

// Readings returns the possible meanings of a path: its text, the text without empty
// and dot segments, and the path without links, for the path itself and for its link
// target.
func Readings(text string, places map[string][]string, realPath func(string) string) []string {
	clean := filepath.Clean(text)
	out := []string{text, clean}
	if known, ok := places[clean]; ok {
		out = append(out, known...)
	} else if realPath != nil {
		out = append(out, realPath(clean), filepath.Join(realPath(filepath.Dir(clean)), filepath.Base(clean)))
	}
	if realPath != nil && clean != text { // resolve links before ".."
		out = append(out, realPath(text))
	}
	slices.Sort(out)
	return slices.Compact(out)
}
