package find

import "strings"

// isURL are the bytes of a URL as it is written in text.
var isURL = func() charset {
	var c charset
	for b := byte(0x21); b < 0x7f; b++ {
		c[b] = strings.IndexByte("\"'`<>\\ ", b) < 0
	}
	return c
}()

// isInQuery reports whether a key that begins at i follows ?, & or #, or one of
// their escapes.
func (s *scanner) isInQuery(i int) bool {
	if i == 0 {
		return false
	}
	if strings.IndexByte("?&#;", s.Text[i-1]) >= 0 {
		return true
	}
	before := strings.ToLower(s.Text[max(0, i-6):i])
	for _, e := range []string{"%3f", "%26", "%23", `\u0026`} {
		if strings.HasSuffix(before, e) {
			return true
		}
	}
	return false
}
