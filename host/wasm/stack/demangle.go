package stack

import (
	"regexp"
	"strings"
	"sync"

	"github.com/ianlancetaylor/demangle"
)

// suffixes are what compilers and linkers append to names.
var suffixes = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:\.command_export|\.llvm\.[0-9]+|\.[0-9]+)+$`) })

// Demangle answers a function's name as its source has it: Rust's (both ways of
// mangling, without hashes) and C++'s; all others, such as Go's, stay as they
// are.
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
