package stack

import "strings"

// Clip returns at most the first n bytes of a guest's output as text. It cuts between
// characters, marks a cut, and replaces invalid UTF-8. It doesn't read the rest, which
// may be as long as the guest's memory.
func Clip[T string | []byte](said T, n int) string {
	if len(said) <= n {
		return strings.ToValidUTF8(string(said), "\uFFFD")
	}
	return strings.ToValidUTF8(string(said[:n]), "") + "…"
}

// MaxText is how many bytes of a text for people an error takes from a guest: a message,
// a hint or an error's text.
const MaxText = 4 << 10

// MaxName is the same for a name: of a function, a module or an error.
const MaxName = 100

// Tail keeps the last lines of a log. The zero value is an empty one.
type Tail struct {
	lines [3]string
	count int
}

// Add adds a line.
func (t *Tail) Add(line string) {
	t.lines[t.count%len(t.lines)] = line
	t.count++
}

// Reset removes all lines.
func (t *Tail) Reset() { *t = Tail{} }

// Lines returns the last lines, the newest last.
func (t *Tail) Lines() []string {
	var last []string
	for i := max(0, t.count-len(t.lines)); i < t.count; i++ {
		last = append(last, t.lines[i%len(t.lines)])
	}
	return last
}
