package stack

import (
	"regexp"
	"strings"
	"sync"

	"github.com/ianlancetaylor/demangle"
)

// suffixes matches suffixes that compilers and linkers append to names.
var suffixes = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:\.command_export|\.llvm\.[0-9]+|\.[0-9]+)+$`) })

// Demangle returns a function's name as in its source. It demangles names of Rust (both
// schemes, without hashes) and C++ and returns other names unchanged.
func Demangle(name string) string {
	plain := suffixes().ReplaceAllString(name, "")
	if !strings.HasPrefix(plain, "_R") && !strings.HasPrefix(plain, "_Z") && !strings.HasPrefix(plain, "__ZN") {
		if plain == "" {
			return name
		}
		return plain
	}
	readable, err := demangle.ToString(plain, demangle.NoParams, demangle.NoEnclosingParams)
	if err != nil {
		return name
	}
	return readable
}
