package redact

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// page is a text as a reader would see it: without terminal escapes and
// invisible characters, which would otherwise cut a secret in two, and with
// plain letters for full-width ones. Places in it can be led back to the
// original.
type page struct {
	text    string
	offsets []int // for each byte of text its place in the original; nil: the same
	source  string
}

// Terminal escapes: CSI, OSC and the two-byte ones of ECMA-48, and how JSON,
// Go and shells spell a CSI.
var escape = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-Z\\^-~]|\\(?:u001[bB]|x1[bB]|033|e)\[[0-9;]*[A-Za-z]`)
})

// plain reads s. The common case, in which there is nothing to take out, is
// four vectorised searches.
func plain(s string) page {
	if strings.IndexByte(s, 0x1b) < 0 && strings.IndexByte(s, 0xE2) < 0 && strings.IndexByte(s, 0xEF) < 0 &&
		strings.IndexByte(s, 0xC2) < 0 && strings.IndexByte(s, 0xF3) < 0 && !strings.Contains(s, `\u001`) &&
		!strings.Contains(s, `\x1`) && !strings.Contains(s, `\033[`) && !strings.Contains(s, `\e[`) {
		return page{text: s}
	}
	escapes := escape().FindAllStringIndex(s, -1)
	var text strings.Builder
	var offsets []int
	for i := 0; i < len(s); {
		if len(escapes) > 0 && i == escapes[0][0] {
			i = escapes[0][1]
			escapes = escapes[1:]
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r >= '！' && r <= '～' { // full-width ASCII
			offsets = append(offsets, i)
			text.WriteByte(byte(r - '！' + '!'))
		} else if !invisible(r) {
			for k := range n {
				offsets = append(offsets, i+k)
			}
			text.WriteString(s[i : i+n])
		}
		i += n
	}
	if text.Len() == len(s) {
		return page{text: s}
	}
	return page{text.String(), offsets, s}
}

// invisible reports characters that take no room: soft hyphen, zero-width
// spaces and joiners, direction marks, the byte order mark, tags.
func invisible(r rune) bool {
	switch {
	case r < 0xAD:
		return false
	case r == 0xAD, r == 0x180E, r == 0xFEFF, r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E,
		r >= 0x2060 && r <= 0x2069, r >= 0xE0000 && r <= 0xE007F:
		return true
	}
	return false
}

func (p page) original(sp span) span {
	if p.offsets != nil && sp.start < sp.end {
		sp.start, sp.end = p.offsets[sp.start], p.offsets[sp.end-1]+1
		for sp.end < len(p.source) && !utf8.RuneStart(p.source[sp.end]) {
			sp.end++ // the byte stands for a longer character
		}
	}
	return sp
}

// gap reports whether something was taken out just before text[i].
func (p page) gap(i int) bool {
	if p.offsets == nil || i >= len(p.offsets) {
		return false
	}
	return i == 0 || p.offsets[i]-p.offsets[i-1] > 1
}
