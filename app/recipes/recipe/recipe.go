// Package recipe reads and writes recipes: plans with parameters in TOML files. It
// reports all problems of a file with their lines, fills in parameters and makes a
// [plan.Plan]. It runs nothing.
//
// docs/recipes.md is the reference of the format.
package recipe

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"errand/planner/message"
	"errand/planner/script"
)

// Schema is the version of the format that this package reads and writes.
const Schema = 1

// Limits of a recipe.
const (
	MaxBytes  = 256 << 10
	MaxSteps  = 200
	MaxParams = 50
	MaxValue  = 8192 // bytes of a parameter's value
)

// Ext is the extension of recipe files.
const Ext = ".toml"

// nameForm matches names of recipes, which are also file names.
var nameForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9а-яё][a-z0-9а-яё_-]{0,63}$`) })

// ValidName reports whether a name is valid for a recipe: lower-case Latin or Russian
// letters, digits, _ and -, at most 64. The letters between two of the others belong to
// one alphabet, so that no name looks like another one.
func ValidName(name string) bool {
	return nameForm().MatchString(name) && !slices.ContainsFunc(strings.FieldsFunc(name, isSeparator), script.IsMixed)
}

func isSeparator(r rune) bool { return r == '_' || r == '-' }

// Recipe is the content of a recipe file.
type Recipe struct {
	Name        string  `json:"name"`
	Description string  `json:"description"`
	Params      []Param `json:"params"` // in the order of the file
	Steps       []Step  `json:"steps"`

	file  string         // for messages
	lines map[string]int // of the file's keys
}

// Kind is the type of a parameter.
type Kind string

// Kinds of parameters.
const (
	String Kind = "string"
	Int    Kind = "int"
	Bool   Kind = "bool"
	URL    Kind = "url"  // http or https
	Path   Kind = "path" // of a file or folder; made absolute at its use
	// Secret is a text that only the tool gets: the plan has a reference to it, and no
	// record stores it. It has no default.
	Secret Kind = "secret"
)

func kinds() []string {
	return []string{string(String), string(Int), string(Bool), string(URL), string(Path), string(Secret)}
}

// Param is a value that the user of the recipe may set.
type Param struct {
	Name        string `json:"name"`
	Type        Kind   `json:"type"`
	Description string `json:"description,omitempty"`
	Default     any    `json:"default,omitempty"` // nil: it is required
	Pattern     string `json:"pattern,omitempty"` // RE2, of the whole text
}

// Step is one call of a tool.
type Step struct {
	ID          string         `json:"id"`
	Tool        string         `json:"tool"`
	Description string         `json:"description,omitempty"` // what it does, for people
	Args        map[string]any `json:"args"`
	DependsOn   []string       `json:"depends_on"` // nil in the file: the step before
	Target      *Target        `json:"target,omitempty"`
}

// Target is the element on which a step acted when the recipe was made. The element
// must be the same before the step acts again.
type Target struct {
	Role string `json:"role,omitempty"` // ARIA role
	Name string `json:"name,omitempty"` // accessible name
	Host string `json:"host,omitempty"` // of the page or frame, with the port unless it is the scheme's default
}

// Problem is one mistake in a recipe.
type Problem struct {
	Line    int // 0: of the whole recipe
	Message message.Message
}

// Error has all problems of a recipe.
type Error struct {
	File     string
	Problems []Problem
}

// Error is for logs and tests, not for people.
func (e *Error) Error() string { return e.AsMessage().String() }

// AsMessage has a line for each problem.
func (e *Error) AsMessage() message.Message {
	lines := e.Lines()
	if len(lines) == 1 {
		return lines[0]
	}
	return message.New("message.lines", "lines", lines)
}

// Lines returns the problems with their places: "file:3: problem".
func (e *Error) Lines() []message.Message {
	var out []message.Message
	for _, f := range e.Problems {
		place := e.File
		if f.Line > 0 {
			place += ":" + strconv.Itoa(f.Line)
		}
		out = append(out, message.New("recipes.fault", "place", place, "fault", f.Message))
	}
	return out
}

// problemList collects the problems of one recipe.
type problemList struct {
	file  string
	lines map[string]int
	all   []Problem
}

func (f *problemList) addAt(key string, m message.Message) {
	f.all = append(f.all, Problem{nearest(f.lines, key), m})
}

// err returns nil if there are no problems. They are in the order of the file.
func (f *problemList) err() error {
	if len(f.all) == 0 {
		return nil
	}
	slices.SortStableFunc(f.all, func(a, b Problem) int { return a.Line - b.Line })
	return &Error{f.file, slices.CompactFunc(f.all, func(a, b Problem) bool { return a.Line == b.Line && a.Message.Equal(b.Message) })}
}
