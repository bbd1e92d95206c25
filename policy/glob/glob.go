// Package glob matches texts with the patterns of rules and grants.
package glob

import "unicode/utf8"

// Match reports whether s matches a pattern, in which "*" matches any text, including
// the empty one and slashes, "?" matches one character, and "\" escapes the next
// character. It takes O(len(pattern)·len(s)) in the worst case and allocates nothing.
func Match(pattern, s string) bool {
	var i, j int
	star, mark := -1, 0 // the last star, and the end of its match so far
	for j < len(s) {
		_, width := utf8.DecodeRuneInString(s[j:])
		switch {
		case i < len(pattern) && pattern[i] == '*':
			star, mark = i, j
			i++
			continue
		case i < len(pattern) && pattern[i] == '?':
			i, j = i+1, j+width
			continue
		case i+1 < len(pattern) && pattern[i] == '\\' && pattern[i+1] == s[j]:
			i, j = i+2, j+1
			continue
		case i < len(pattern) && pattern[i] != '\\' && pattern[i] == s[j]:
			i, j = i+1, j+1
			continue
		case star < 0:
			return false
		}
		_, width = utf8.DecodeRuneInString(s[mark:])
		mark += width
		i, j = star+1, mark
	}
	for i < len(pattern) && pattern[i] == '*' {
		i++
	}
	return i == len(pattern)
}

// MayBegin reports whether a pattern matches some text that begins with s. It takes
// O(len(s)) and allocates nothing.
func MayBegin(pattern, s string) bool {
	for i := 0; len(s) > 0; {
		_, width := utf8.DecodeRuneInString(s)
		switch {
		case i == len(pattern):
			return false
		case pattern[i] == '*': // it matches the rest of s
			return true
		case pattern[i] == '?':
			i, s = i+1, s[width:]
		case pattern[i] == '\\' && i+1 < len(pattern) && pattern[i+1] == s[0]:
			i, s = i+2, s[1:]
		case pattern[i] != '\\' && pattern[i] == s[0]:
			i, s = i+1, s[1:]
		default:
			return false
		}
	}
	return true
}
