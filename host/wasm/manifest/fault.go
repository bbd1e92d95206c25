package manifest

import (
	"bytes"
	"cmp"
	"errors"
	"slices"

	"errand/host/tool/keyline"
	"errand/planner/message"
)

// problem is one error in a value.
type problem struct {
	key     string // in the format of [keyline.Lines]: "limits.memory", "tool[0].name"; "" for the whole file
	message message.Message
	lines   int // lines after the start of a value with several lines
}

// problems are all errors of a manifest that could be parsed.
type problems []problem

// require adds an error unless ok.
func (f *problems) require(ok bool, key string, m message.Message) {
	if !ok {
		*f = append(*f, problem{key: key, message: m})
	}
}

// joinErrors returns one error with a line for each fault, in the order of the manifest.
func (f problems) joinErrors(at map[string]int, doc []byte) error {
	rows := bytes.Split(doc, []byte("\n"))
	line := func(one problem) int {
		n := keyline.Nearest(at, one.key)
		if n == 0 || one.lines == 0 || n > len(rows) {
			return n
		}
		_, value, _ := bytes.Cut(rows[n-1], []byte("="))
		switch value = bytes.TrimSpace(value); {
		case string(value) == "'''", string(value) == `"""`: // whose first line is the next
			return n + one.lines
		case bytes.HasPrefix(value, []byte("'''")), bytes.HasPrefix(value, []byte(`"""`)):
			return n + one.lines - 1
		}
		return n
	}
	slices.SortStableFunc(f, func(a, b problem) int { return cmp.Compare(line(a), line(b)) })
	lines := make([]error, len(f))
	for i, one := range f {
		if n := line(one); n > 0 {
			lines[i] = message.Error("manifest.at_line", "file", File, "line", n, "fault", one.message)
		} else {
			lines[i] = message.Error("manifest.in_file", "file", File, "fault", one.message)
		}
	}
	return errors.Join(lines...)
}
