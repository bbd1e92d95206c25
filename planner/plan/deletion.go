package plan

import "strings"

// IsDeletion reports whether the name of a tool says that it deletes something: the part
// after the last point is "delete", "remove" or "rm", or begins with it and "_".
func IsDeletion(tool string) bool {
	last := tool[strings.LastIndexByte(tool, '.')+1:]
	for _, verb := range []string{"delete", "remove", "rm"} {
		if last == verb || strings.HasPrefix(last, verb+"_") {
			return true
		}
	}
	return false
}
