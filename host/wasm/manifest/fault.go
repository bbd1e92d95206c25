package manifest

import (
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
}

// faults is everything that is wrong with a manifest that could be read.
type faults []fault

// require notes a fault unless ok.
func (f *faults) require(ok bool, key, format string, args ...any) {
	if !ok {
		*f = append(*f, fault{key, fmt.Sprintf(format, args...)})
	}
}

// in is the faults as one error, a line each, in the order of the manifest.
func (f faults) in(at map[string]int) error {
	slices.SortStableFunc(f, func(a, b fault) int { return cmp.Compare(keyline.Nearest(at, a.key), keyline.Nearest(at, b.key)) })
	lines := make([]error, len(f))
	for i, one := range f {
		where := File
		if line := keyline.Nearest(at, one.key); line > 0 {
			where = fmt.Sprintf("%s:%d", File, line)
		}
		lines[i] = fmt.Errorf("%s: %s", where, one.message)
	}
	return errors.Join(lines...)
}
