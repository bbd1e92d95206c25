package inspect

import (
	"encoding/binary"
	"fmt"
)

// MaxTable is the most entries that a plugin's table may have: a thousand
// times what compilers emit.
const MaxTable = 1 << 20

// ClampTables answers b with every table bounded to [MaxTable] entries, or b
// itself where all are. A table is host memory that no memory limit counts: a
// module whose table has no maximum could ask for 2³² entries with a single
// table.grow. A table that starts out bigger is an error.
func ClampTables(b []byte) ([]byte, error) {
	if len(b) < 8 {
		return nil, errTruncated
	}
	out := append(make([]byte, 0, len(b)+16), b[:8]...)
	changed := false
	err := sections(b, func(id byte, r *reader) error {
		body := r.b
		if id == sectionTable {
			clamped, err := clamp(r)
			if err != nil {
				return err
			}
			changed = changed || len(clamped) != len(body) || string(clamped) != string(body)
			body = clamped
		}
		out = append(out, id)
		out = binary.AppendUvarint(out, uint64(len(body)))
		out = append(out, body...)
		return nil
	})
	if err != nil || !changed {
		return b, err
	}
	return out, nil
}

func clamp(r *reader) ([]byte, error) {
	count := r.u32()
	out := binary.AppendUvarint(nil, uint64(count))
	for n := count; n > 0 && r.err == nil; n-- {
		kind := r.byte()
		if r.err == nil && kind != 0x70 && kind != 0x6f {
			// A form of a proposal that the runtime doesn't enable: compiling
			// refuses it.
			return r.b, nil
		}
		low, high, bounded := limits(r)
		if low > MaxTable {
			return nil, fmt.Errorf("a table of %d entries is more than the %d allowed", low, MaxTable)
		}
		if !bounded || high > MaxTable {
			high = MaxTable
		}
		out = append(out, kind, 1)
		out = binary.AppendUvarint(out, low)
		out = binary.AppendUvarint(out, high)
	}
	if r.left() > 0 {
		r.fail(fmt.Errorf("the table section is longer than its contents"))
	}
	return out, r.err
}
