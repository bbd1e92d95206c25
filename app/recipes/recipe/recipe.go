// Package recipe reads and writes recipes: plans with parameters in TOML files. It reports
// all faults of a file with their lines, and fills in parameters. It makes a [plan.Plan] of
// a recipe and runs nothing.
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

// Ext ends the names of recipe files.
const Ext = ".toml"

// nameForm is what a recipe may be called, so that its name is a file's as well.
var nameForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9а-яё][a-z0-9а-яё_-]{0,63}$`) })

// ValidName reports whether a recipe may be called so: lower-case Latin or Russian
// letters, digits, _ and -, at most 64. The letters between two of the others are of one
// alphabet, so that no name looks like another one.
func ValidName(name string) bool {
	return nameForm().MatchString(name) && !slices.ContainsFunc(strings.FieldsFunc(name, isSeparator), script.IsMixed)
}

func isSeparator(r rune) bool { return r == '_' || r == '-' }

// Recipe is what a file holds.
type Recipe struct {
	Name        string  `json:"name"`
	Description string  `json:"description"`
	Params      []Param `json:"params"` // in the order of the file
	Steps       []Step  `json:"steps"`

	file  string         // for messages
	lines map[string]int // of the file's keys
}

// Kind is what a parameter's values are.
type Kind string

// Kinds of parameters.
const (
	String Kind = "string"
	Int    Kind = "int"
	Bool   Kind = "bool"
	URL    Kind = "url"  // http or https
	Path   Kind = "path" // of a file or folder; made absolute where it is used
	// Secret is a text that nothing but the tool gets: the plan refers to it by
	// name, and no record holds it. It has no default.
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
	Default     any    `json:"default,omitempty"` // nil: it has to be set
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

// Target is what a step acted on when the recipe was made. Before it acts again
// the element has to be the same still.
type Target struct {
	Role string `json:"role,omitempty"` // ARIA role
	Name string `json:"name,omitempty"` // accessible name
	Host string `json:"host,omitempty"` // of the page or frame, with its port where that is not the scheme's own
}

// Problem is one mistake in a recipe.
type Problem struct {
	Line    int // 0: of the whole
	Message message.Message
}

// Error is everything that is wrong with a recipe.
type Error struct {
	File     string
	Problems []Problem
}

// Error is for logs and tests, not for people.
func (e *Error) Error() string { return e.AsMessage().String() }

// AsMessage has a line for each fault.
func (e *Error) AsMessage() message.Message {
	lines := e.Lines()
	if len(lines) == 1 {
		return lines[0]
	}
	return message.New("message.lines", "lines", lines)
}

// Lines are the faults with their places: "file:3: what is wrong".
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

// problemList collects mistakes of one recipe.
type problemList struct {
	file  string
	lines map[string]int
	all   []Problem
}

func (f *problemList) addAt(key string, m message.Message) {
	f.all = append(f.all, Problem{nearest(f.lines, key), m})
}

// err is nil where there are none. They come in the order of the file.
func (f *problemList) err() error {
	if len(f.all) == 0 {
		return nil
	}
	slices.SortStableFunc(f.all, func(a, b Problem) int { return a.Line - b.Line })
	return &Error{f.file, slices.CompactFunc(f.all, func(a, b Problem) bool { return a.Line == b.Line && a.Message.Equal(b.Message) })}
}
