package glob

import "strings"

// IsLiteral reports whether a pattern has no wildcard, so that it matches only one
// text.
func IsLiteral(pattern string) bool {
	for pattern != "" {
		i := strings.IndexAny(pattern, `*?\`)
		if i < 0 {
			return true
		}
		if pattern[i] != '\\' {
			return false
		}
		pattern = pattern[min(i+2, len(pattern)):]
	}
	return true
}
