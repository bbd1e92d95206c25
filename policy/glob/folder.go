package glob

import "strings"

// CutFolder splits a pattern of paths after the last folder before its first wildcard or
// escape. Without one, folder is all of it.
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
