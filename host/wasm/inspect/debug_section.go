package inspect

import (
	"encoding/binary"
	"strings"
)

// WithoutDebug returns a module without its debug sections. These map code to source
// lines and may be nine tenths of a module. The name and producers sections stay. It
// returns b itself if there are no debug sections.
func WithoutDebug(b []byte) ([]byte, error) {
	if len(b) < 8 {
		return nil, errTruncated
	}
	out := append(make([]byte, 0, len(b)), b[:8]...)
	err := sections(b, func(id byte, r *reader) error {
		body := r.b
		if id == sectionCustom && isDebug(r.name()) {
			return nil
		}
		out = append(out, id)
		out = binary.AppendUvarint(out, uint64(len(body)))
		out = append(out, body...)
		return nil
	})
	if err != nil || len(out) >= len(b) {
		return b, err
	}
	return out, nil
}

// isDebug reports whether a custom section of this name has debug information.
func isDebug(name string) bool {
	return strings.HasPrefix(name, ".debug_") || name == "sourceMappingURL" || name == "external_debug_info"
}
