// Package glob matches texts with the patterns of rules and grants.
package glob

import (
	"strings"
	"unicode/utf8"
)

// Match says whether s matches a pattern in which "*" stands for any text, also
// the empty one and slashes, and "?" for one character; "\" escapes the next
// character. It takes O(len(pattern)·len(s)) at worst and allocates nothing.
func Match(pattern, s string) bool {
	var i, j int
	star, mark := -1, 0 // the last star, and where its text ended so far
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

// MayBegin says whether a pattern matches some text that begins with s. It takes
// O(len(pattern)·len(s)).
func MayBegin(pattern, s string) bool {
	places := map[int]bool{0: true} // of the pattern, where the text may have got to
	for len(s) > 0 {
		_, width := utf8.DecodeRuneInString(s)
		char := s[:width]
		s = s[width:]
		next := map[int]bool{}
		for i := range places {
			for ; i < len(pattern) && pattern[i] == '*'; i++ {
				next[i] = true
			}
			if i == len(pattern) {
				continue
			}
			switch text := pattern[i:]; {
			case text[0] == '?':
				next[i+1] = true
			case text[0] == '\\' && strings.HasPrefix(text[1:], char):
				next[i+1+width] = true
			case text[0] != '\\' && strings.HasPrefix(text, char):
				next[i+width] = true
			}
		}
		if places = next; len(places) == 0 {
			return false
		}
	}
	return true
}
