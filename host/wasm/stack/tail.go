package stack

import (
	"slices"
	"strings"
)

// Clip returns at most the first n bytes of a guest's output as text. It cuts between
// characters, marks a cut, and replaces invalid UTF-8. It doesn't read the rest, which
// may be as long as the guest's memory.
func Clip[T string | []byte](text T, n int) string {
	if len(text) <= n {
		return strings.ToValidUTF8(string(text), "\uFFFD")
	}
	return strings.ToValidUTF8(string(text[:n]), "") + "…"
}

// MaxText is how many bytes of a text for people an error takes from a guest: a message,
// a hint or an error's text.
const MaxText = 4 << 10

// MaxName is the same for a name: of a function, a module or an error.
const MaxName = 100

// Tail keeps the last lines of a log, and the line that says why the program ended. The
// zero value is an empty one.
type Tail struct {
	lines [3]string
	count int
	cause string
}

// causes are the beginnings of lines by which language runtimes say why a program ends.
var causes = []string{
	"panic: ", "fatal error: ", "runtime: out of memory", // Go
	"thread '", "memory allocation of ", // Rust
	"Assertion failed: ", "abort: ", // C, AssemblyScript
}

// Add adds a line.
func (t *Tail) Add(line string) {
	switch {
	case t.cause == "" && slices.ContainsFunc(causes, func(start string) bool { return strings.HasPrefix(line, start) }):
		t.cause = line
	case strings.HasPrefix(t.cause, "thread '") && strings.HasSuffix(t.cause, ":"): // Rust's next line has the reason
		t.cause += " " + line
	}
	t.lines[t.count%len(t.lines)] = line
	t.count++
}

// Cause returns the line that says why the program ended, or "".
func (t *Tail) Cause() string { return t.cause }

// Reset removes all lines.
func (t *Tail) Reset() { *t = Tail{} }

// Lines returns the line of [Tail.Cause], if it is older, and the last lines, the newest
// last.
func (t *Tail) Lines() []string {
	var last []string
	for i := max(0, t.count-len(t.lines)); i < t.count; i++ {
		last = append(last, t.lines[i%len(t.lines)])
	}
	if t.cause != "" && !slices.ContainsFunc(last, func(line string) bool { return strings.HasPrefix(t.cause, line) }) {
		last = append([]string{t.cause}, last...)
	}
	return last
}
