package find

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// latinOf are Cyrillic letters that look like Latin ones.
var latinOf = map[rune]byte{
	'а': 'a', 'е': 'e', 'о': 'o', 'р': 'p', 'с': 'c', 'у': 'y', 'х': 'x', 'і': 'i', 'ј': 'j', 'ѕ': 's', 'ԁ': 'd', 'к': 'k', 'ԛ': 'q', 'ԝ': 'w',
	'А': 'A', 'В': 'B', 'Е': 'E', 'К': 'K', 'М': 'M', 'Н': 'H', 'О': 'O', 'Р': 'P', 'С': 'C', 'Т': 'T', 'У': 'Y', 'Х': 'X', 'І': 'I', 'Ј': 'J', 'Ѕ': 'S',
}

// foldLookalikes replaces Cyrillic letters by Latin look-alikes in words that have
// both. It returns false if nothing changes. p must have no character in another
// spelling.
func foldLookalikes(p Page) (Page, bool) {
	t := p.Text
	if !hasCyrillic(t) || !hasMixed(t) {
		return p, false
	}
	var text strings.Builder
	var offsets []int
	for i := 0; i < len(t); {
		end, mixed := wordOf(t, i)
		for i < end {
			r, n := utf8.DecodeRuneInString(t[i:])
			if latin, ok := latinOf[r]; ok && mixed {
				text.WriteByte(latin)
				offsets = append(offsets, placeOf(p, i))
			} else {
				text.WriteString(t[i : i+n])
				for k := range n {
					offsets = append(offsets, placeOf(p, i+k))
				}
			}
			i += n
		}
	}
	source := p.Source
	if p.Offsets == nil {
		source = t
	}
	return Page{Text: text.String(), Offsets: offsets, Source: source}, true
}

// hasCyrillic reports whether a text may contain letters of [latinOf].
func hasCyrillic(t string) bool {
	for _, lead := range []byte("\xd0\xd1\xd2\xd4") {
		if strings.IndexByte(t, lead) >= 0 {
			return true
		}
	}
	return false
}

// hasMixed reports whether a word has both Latin letters and Cyrillic look-alikes.
func hasMixed(t string) bool {
	for i := 0; i < len(t); {
		end, mixed := wordOf(t, i)
		if mixed {
			return true
		}
		i = end
	}
	return false
}

// placeOf returns the place of text[i] in the original.
func placeOf(p Page, i int) int {
	if p.Offsets == nil {
		return i
	}
	return p.Offsets[i]
}

// wordOf returns the end of the letters at t[i], or of one other character, and whether
// they are a mix of Latin letters and Cyrillic look-alikes.
func wordOf(t string, i int) (end int, mixed bool) {
	latin, alike, other := false, false, false
	for end = i; end < len(t); {
		r, n := utf8.DecodeRuneInString(t[end:])
		if !unicode.IsLetter(r) {
			if end == i {
				return i + n, false
			}
			return end, latin && alike && !other
		}
		switch _, ok := latinOf[r]; {
		case r < utf8.RuneSelf:
			latin = true
		case ok:
			alike = true
		default:
			other = true
		}
		end += n
	}
	return end, latin && alike && !other
}
