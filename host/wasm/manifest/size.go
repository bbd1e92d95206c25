package manifest

import (
	"math"
	"strconv"
	"strings"

	"errand/planner/message"
)

// Size is a number of bytes, written "512B", "512KiB", "16MiB" or "1GiB".
type Size uint64

var units = []struct {
	name  string
	bytes uint64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}}

// ParseSize parses a size. It refuses a number without a unit, which could mean
// bytes or MiB, and decimal units, which are ambiguous.
func ParseSize(s string) (Size, error) {
	digits, unit := "", uint64(1)
	for _, u := range units {
		if rest, ok := strings.CutSuffix(s, u.name); ok {
			digits, unit = strings.TrimSpace(rest), u.bytes
			break
		}
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil || n > math.MaxInt64/unit {
		return 0, message.Error("manifest.bad_size_text", "size", s)
	}
	return Size(n * unit), nil
}

func (s Size) String() string {
	for _, u := range units {
		if s > 0 && uint64(s)%u.bytes == 0 {
			return strconv.FormatUint(uint64(s)/u.bytes, 10) + u.name
		}
	}
	return "0B"
}

// UnmarshalText parses a size in a manifest.
func (s *Size) UnmarshalText(b []byte) error {
	n, err := ParseSize(string(b))
	*s = n
	return err
}

// MarshalText returns a text for [ParseSize].
func (s Size) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
