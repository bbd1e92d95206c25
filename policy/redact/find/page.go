package find

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// Page is a text as a reader sees it: without terminal escapes and invisible
// characters, which would otherwise split a secret, with plain letters instead of
// full-width ones, and with a blank instead of a no-break space. Its offsets map to the
// original.
type Page struct {
	Text    string
	Offsets []int // for each byte of Text its offset in the original; nil: the same
	Source  string
	ends    []int // for each byte the end of its spelling in the original; nil: the end of its rune
}

// Terminal escapes: CSI, OSC and the two-byte ones of ECMA-48, and the spellings of a
// CSI in JSON, Go and shells.
var escape = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-Z\\^-~]|\\(?:u001[bB]|x1[bB]|033|e)\[[0-9;]*[A-Za-z]`)
})

// ReadPage reads s. Usually there is nothing to remove, and it only does a few
// vectorised searches.
func ReadPage(s string) Page {
	if strings.IndexByte(s, 0x1b) < 0 && strings.IndexByte(s, 0xE2) < 0 && strings.IndexByte(s, 0xEF) < 0 &&
		strings.IndexByte(s, 0xC2) < 0 && strings.IndexByte(s, 0xF3) < 0 && strings.IndexByte(s, 0) < 0 && !strings.Contains(s, `\u001`) &&
		!strings.Contains(s, `\x1`) && !strings.Contains(s, `\033[`) && !strings.Contains(s, `\e[`) {
		return Page{Text: s}
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
		} else if r == '\u00a0' { // no-break space
			offsets = append(offsets, i)
			text.WriteByte(' ')
		} else if !isInvisible(r) {
			for k := range n {
				offsets = append(offsets, i+k)
			}
			text.WriteString(s[i : i+n])
		}
		i += n
	}
	if text.Len() == len(s) {
		return Page{Text: s}
	}
	return Page{Text: text.String(), Offsets: offsets, Source: s}
}

// isInvisible reports whether a character has no width: soft hyphen, zero-width spaces
// and joiners, direction marks, the byte order mark, tags.
func isInvisible(r rune) bool {
	switch {
	case r == 0: // an unpaired surrogate
		return true
	case r < 0xAD:
		return false
	case r == 0xAD, r == 0x180E, r == 0xFEFF, r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E,
		r >= 0x2060 && r <= 0x2069, r >= 0xE0000 && r <= 0xE007F:
		return true
	}
	return false
}

// Original maps a span of the page to a span of the original.
func (p Page) Original(sp Span) Span {
	if p.ends != nil && sp.Start < sp.End {
		sp.Start, sp.End = p.Offsets[sp.Start], p.ends[sp.End-1]
	} else if p.Offsets != nil && sp.Start < sp.End {
		sp.Start, sp.End = p.Offsets[sp.Start], p.Offsets[sp.End-1]+1
		for sp.End < len(p.Source) && !utf8.RuneStart(p.Source[sp.End]) {
			sp.End++ // the byte is the fold of a longer character
		}
	}
	return sp
}

// hasGap reports whether something was removed before text[i].
func (p Page) hasGap(i int) bool {
	if p.Offsets == nil || i >= len(p.Offsets) {
		return false
	}
	if i > 0 && p.ends != nil {
		return p.Offsets[i] > p.ends[i-1]
	}
	return i == 0 || p.Offsets[i]-p.Offsets[i-1] > 1
}
