package glob

import "strings"

// CutFolder splits a pattern of paths after the last folder before its first wildcard
// or escape. If the pattern has none, folder is all of it.
func CutFolder(pattern string) (folder, rest string) {
	end := strings.IndexAny(pattern, `*?\`)
	if end < 0 {
		return pattern, ""
	}
	end = strings.LastIndexByte(pattern[:end], '/')
	if end < 0 {
		return "", pattern
	}
	return pattern[:end], pattern[end:]
}

// Below returns the prefix of the paths below a folder.
func Below(folder string) string { return strings.TrimSuffix(folder, "/") + "/" }

// MatchesEntry reports whether a pattern matches some path directly in a folder.
func MatchesEntry(pattern, folder string) bool {
	below := Below(folder)
	// The end of the pattern without slashes matches the name.
	for i := strings.LastIndexByte(pattern, '/') + 1; i < len(pattern); i++ {
		if Match(pattern[:i], below) || pattern[i] == '*' && Match(pattern[:i+1], below) {
			return true
		}
		if pattern[i] == '\\' {
			i++
		}
	}
	return false
}
