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
	CPP            Lang = "cpp"
	AssemblyScript Lang = "assemblyscript"
	JavaScript     Lang = "javascript"
	TypeScript     Lang = "typescript" // for [New]; its sources are detected and built as JavaScript
)

// Langs are all languages in display order.
var Langs = []Lang{Go, Rust, C, CPP, AssemblyScript, JavaScript, TypeScript}

// aliases are other names of languages.
var aliases = map[string]Lang{"c++": CPP, "js": JavaScript, "ts": TypeScript}

// language is what the kit knows about a language.
type language struct {
	title       string
	needs       string // the compiler, for a README
	installHint string // the code of how to install it
	source      string // the main source file
	library     string // the main source file of a library, if it differs
	ignored     string // build products, for .gitignore
	base        Lang   // the language whose template it has, with another main source file
}

// languages has an entry for each of [Langs].
var languages = map[Lang]language{
	Go:   {title: "Go", needs: "Go 1.24 or newer", installHint: "kit.install_go", source: "main.go"},
	Rust: {title: "Rust", needs: "Rust with a WASI target", installHint: "kit.install_rust", source: "src/main.rs", library: "src/lib.rs", ignored: "target/\n"},
	C:    {title: "C", needs: "clang, lld and wasi-libc", installHint: "kit.install_c", source: "plugin.c"},
	CPP: {
		title: "C++", needs: "clang (with libc++)", installHint: "kit.install_cpp", source: "plugin.cpp",
	},
	AssemblyScript: {
		title: "AssemblyScript", needs: "Node.js 20 and npm", installHint: "kit.install_node", source: "assembly/index.ts", ignored: "node_modules/\n",
	},
	JavaScript: {
		title: "JavaScript", needs: "Node.js 20 and npm", installHint: "kit.install_node", source: "src/index.js", ignored: "node_modules/\n",
	},
	TypeScript: {
		title: "TypeScript", needs: "Node.js 20 and npm", installHint: "kit.install_node", source: "src/index.ts", ignored: "node_modules/\n", base: JavaScript,
	},
}

// Title returns the language's display name.
func (l Lang) Title() string { return languages[l].title }

// ParseLang parses a language's name.
func ParseLang(s string) (Lang, error) {
	name := strings.ToLower(s)
	if l, ok := aliases[name]; ok {
		return l, nil
	}
	if l := Lang(name); slices.Contains(Langs, l) {
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
	{"engine/engine.wat", JavaScript},
	{"asconfig.json", AssemblyScript},
	{"assembly/*.ts", AssemblyScript},
	{"*.go", Go},
	{"src/*.rs", Rust},
	{"*.rs", Rust},
	{"*.cpp", CPP},
	{"*.cc", CPP},
	{"src/*.cpp", CPP},
	{"src/*.cc", CPP},
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
