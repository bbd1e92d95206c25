package manifest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"errand/host/tool/keyline"
)

// fault is one thing that is wrong with a value.
type fault struct {
	key     string // as [keyline.Of] has it: "limits.memory", "tool[0].name"; "" for the whole
	message string
	lines   int // from where the value begins, of one that has several
}

// faults is everything that is wrong with a manifest that could be read.
type faults []fault

// require notes a fault unless ok.
func (f *faults) require(ok bool, key, format string, args ...any) {
	if !ok {
		*f = append(*f, fault{key: key, message: fmt.Sprintf(format, args...)})
	}
}

// in is the faults as one error, a line each, in the order of the manifest.
func (f faults) in(at map[string]int, doc []byte) error {
	rows := bytes.Split(doc, []byte("\n"))
	line := func(one fault) int {
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
	slices.SortStableFunc(f, func(a, b fault) int { return cmp.Compare(line(a), line(b)) })
	lines := make([]error, len(f))
	for i, one := range f {
		where := File
		if n := line(one); n > 0 {
			where = fmt.Sprintf("%s:%d", File, n)
		}
		lines[i] = fmt.Errorf("%s: %s", where, one.message)
	}
	return errors.Join(lines...)
}
