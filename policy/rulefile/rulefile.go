// Package rulefile reads rules and word lists that are embedded as TOML, and
// compiles their regular expressions when they are first used.
package rulefile

import (
	"bytes"
	"io/fs"
	"regexp"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

// Read decodes an embedded TOML file. An unknown key is an error. Errors panic, because
// the files are part of the program.
func Read(files fs.FS, name string, into any) {
	b, err := fs.ReadFile(files, name)
	if err == nil {
		err = toml.NewDecoder(bytes.NewReader(b)).DisallowUnknownFields().Decode(into)
	}
	if err != nil {
		panic("read rule file " + name + ": " + err.Error())
	}
}

// Load returns a function that reads a file on its first call.
func Load[T any](files fs.FS, name string) func() *T {
	return sync.OnceValue(func() *T {
		into := new(T)
		Read(files, name, into)
		return into
	})
}

// Pattern is a regular expression that is compiled at its first use. That makes the
// start faster, because most texts need few rules. It is safe for concurrent use.
type Pattern struct {
	Source      string
	compileOnce sync.Once
	re          *regexp.Regexp
}

// New returns a pattern. An invalid expression panics at its first use.
func New(source string) *Pattern { return &Pattern{Source: source} }

// Get returns the compiled expression.
func (p *Pattern) Get() *regexp.Regexp {
	p.compileOnce.Do(func() { p.re = regexp.MustCompile(p.Source) })
	return p.re
}

// Match reports whether s contains a match.
func (p *Pattern) Match(s string) bool { return p.Get().MatchString(s) }

// UnmarshalText reads a pattern from TOML, joining its lines.
func (p *Pattern) UnmarshalText(text []byte) error {
	p.Source = Join(string(text))
	return nil
}

// Join removes line breaks and indentation, so that long patterns can be
// written in several lines.
func Join(pattern string) string {
	var b strings.Builder
	for line := range strings.Lines(pattern) {
		b.WriteString(strings.TrimLeft(strings.TrimSuffix(line, "\n"), " \t"))
	}
	return b.String()
}

// Words is a set of words, in TOML one string with the words between blanks.
type Words map[string]bool

// UnmarshalText reads the words of a string.
func (w *Words) UnmarshalText(text []byte) error {
	*w = Words{}
	for word := range strings.FieldsSeq(string(text)) {
		(*w)[word] = true
	}
	return nil
}
