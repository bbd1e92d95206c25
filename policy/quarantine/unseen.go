package quarantine

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// invisibleViews reads what is written in characters that nobody sees: tag
// characters, which mirror ASCII, variation selectors, which number bytes, and
// zero-width characters used as bits. Flags of emoji use tags honestly.
func invisibleViews(text string) []view {
	var out []view
	add := func(hidden []rune, start, end int, technique string) {
		if len(hidden) < 4 {
			return
		}
		v := partView(string(hidden), technique, 2, Span{start, end, ""})
		letters := 0
		for _, r := range hidden {
			if unicode.IsLetter(r) || r == ' ' {
				letters++
			}
		}
		if letters*10 >= len(hidden)*8 {
			v.bonus = threshold // unseen words are an attempt whatever they say
		}
		out = append(out, v)
	}
	var tags, selectors, bits []rune
	tagStart, selStart, bitStart, flag := 0, 0, 0, false
	flush := func(at int) {
		if !flag || len(tags) > 6 { // a region has two letters and at most four signs
			add(tags, tagStart, at, "unicode_tags")
		}
		add(selectors, selStart, at, "variation_selectors")
		if len(bits) >= 32 {
			add(bitsToRunes(bits), bitStart, at, "zero_width")
		}
		tags, selectors, bits, flag = nil, nil, nil, false
	}
	for i, r := range text {
		switch {
		case r >= 0xE0020 && r <= 0xE007E:
			if len(tags) == 0 {
				tagStart = i
			}
			tags = append(tags, r-0xE0000)
		case r == 0xE007F || r == 0xE0001:
		case r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0100 && r <= 0xE01EF:
			if len(selectors) == 0 {
				selStart = i
			}
			b := r - 0xFE00
			if r >= 0xE0100 {
				b = r - 0xE0100 + 16
			}
			selectors = append(selectors, b)
		case r == 0x200B || r == 0x200C || r == 0x200D || r == 0x2060 || r == 0xFEFF || r == 0x2062 || r == 0x2063 || r == 0x2064:
			if len(bits) == 0 {
				bitStart = i
			}
			bits = append(bits, r)
		default:
			flush(i)
			flag = r == 0x1F3F4 // a flag's tags follow
		}
	}
	flush(len(text))
	return out
}

// threads reads what is written with an unseen character behind each letter,
// which may begin in the middle of a word.
func threads(text string) []view {
	const few = 8 // letters
	var out []view
	var thread strings.Builder
	start, letters, last := 0, 0, rune(0)
	flush := func(at int) {
		if letters >= few {
			out = append(out, partView(thread.String(), "zero_width", 1, Span{start, at, ""}))
		}
		thread.Reset()
		letters = 0
	}
	lastAt, inside := 0, false
	for i, r := range text {
		switch {
		case r >= utf8.RuneSelf && invisible(r):
			if last != 0 && last < utf8.RuneSelf && !inside {
				if thread.Len() == 0 {
					start = lastAt
				}
				thread.WriteRune(last)
				if isLetter(byte(last)) {
					letters++
				}
			}
			last, inside = 0, false
		default:
			if last != 0 { // nothing behind the letter before
				thread.WriteRune(last)
				flush(i)
			}
			inside = last != 0 && last < utf8.RuneSelf && isLetter(byte(last)) // the last letter of a word in plain sight
			last, lastAt = r, i
		}
	}
	if last != 0 {
		thread.WriteRune(last)
	}
	flush(len(text))
	return out
}

// bitsToRunes reads zero-width characters as bits, most significant first,
// either of the two most frequent kinds being 1.
func bitsToRunes(bits []rune) []rune {
	zero := bits[0]
	decode := func(one bool) []rune {
		var out []rune
		for i := 0; i+8 <= len(bits); i += 8 {
			var c rune
			for _, b := range bits[i : i+8] {
				c <<= 1
				if (b == zero) == one {
					c |= 1
				}
			}
			if c < 0x20 || c > 0x7e {
				return nil
			}
			out = append(out, c)
		}
		return out
	}
	if out := decode(false); out != nil {
		return out
	}
	return decode(true)
}

// wordsCut counts how often characters that nobody sees stand between the
// Latin letters of words, which no language asks for. Soft hyphens mark where a word
// may break.
func wordsCut(text string) int {
	cuts, before := 0, rune(0)
	unseen := false
	for _, r := range text {
		switch {
		case r != 0xAD && r >= utf8.RuneSelf && invisible(r):
			unseen = before >= 'A' && before <= 'z'
			continue
		case unseen && r >= 'A' && r <= 'z':
			cuts++
		}
		before, unseen = r, false
	}
	return cuts
}
