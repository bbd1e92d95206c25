package kit

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"errand/host/tool"
	"errand/planner/message"
)

// Lang is a programming language for plugins.
type Lang string

// Languages.
const (
	Go             Lang = "go"
	Rust           Lang = "rust"
	C              Lang = "c"
	AssemblyScript Lang = "assemblyscript"
)

// Langs are all languages in display order.
var Langs = []Lang{Go, Rust, C, AssemblyScript}

// Title returns the language's display name.
func (l Lang) Title() string {
	switch l {
	case Go:
		return "Go"
	case Rust:
		return "Rust"
	case C:
		return "C"
	}
	return "AssemblyScript"
}

// ParseLang parses a language's name.
func ParseLang(s string) (Lang, error) {
	if l := Lang(strings.ToLower(s)); slices.Contains(Langs, l) {
		return l, nil
	}
	return "", tool.NewError(tool.ValidationError, "unknown_language", message.New("kit.unknown_language", "language", s)).
		WithHint(message.New("kit.choose_language", "languages", Langs))
}

// marks are files or patterns that identify the language of a folder. The first
// match wins, so build files precede sources.
var marks = []struct {
	pattern string
	lang    Lang
}{
	{"go.mod", Go},
	{"Cargo.toml", Rust},
	{"asconfig.json", AssemblyScript},
	{"assembly/*.ts", AssemblyScript},
	{"*.go", Go},
	{"src/*.rs", Rust},
	{"*.rs", Rust},
	{"*.c", C},
	{"src/*.c", C},
}

// Detect returns the language of the sources in a folder.
func Detect(folder string) (Lang, error) {
	fsys := os.DirFS(folder)
	for _, m := range marks {
		found, err := fs.Glob(fsys, m.pattern)
		if err == nil && len(found) > 0 {
			return m.lang, nil
		}
	}
	return "", tool.NewError(tool.ValidationError, "no_sources", message.New("kit.no_sources", "folder", filepath.Clean(folder))).
		WithHint(message.New("kit.where_sources_are"))
}
