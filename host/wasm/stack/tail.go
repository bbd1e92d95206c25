package stack

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

// Reset forgets all lines.
func (t *Tail) Reset() { *t = Tail{} }

// Lines are the last lines, the newest last.
func (t *Tail) Lines() []string {
	var last []string
	for i := max(0, t.count-len(t.lines)); i < t.count; i++ {
		last = append(last, t.lines[i%len(t.lines)])
	}
	return last
}
