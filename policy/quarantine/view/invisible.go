package view

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Ways to write in invisible characters: tag characters mirror ASCII, variation
// selectors are the numbers of bytes, zero-width characters are bits.
const (
	tagChannel = iota
	selectorChannel
	bitChannel
	noChannel
)

var channelTechniques = [...]string{"unicode_tags", "variation_selectors", "zero_width"}

// channel returns the way of writing that a character belongs to, and the character
// that it encodes there, 0 for none.
func channel(r rune) (int, rune) {
	switch {
	case r == 0xE007F || r == 0xE0001:
		return tagChannel, 0
	case r >= 0xE0020 && r <= 0xE007E:
		return tagChannel, r - 0xE0000
	case r >= 0xFE00 && r <= 0xFE0F:
		return selectorChannel, r - 0xFE00
	case r >= 0xE0100 && r <= 0xE01EF:
		return selectorChannel, r - 0xE0100 + 16
	case r >= 0x200B && r <= 0x200D, r == 0x2060, r >= 0x2062 && r <= 0x2064, r == 0xFEFF:
		return bitChannel, r
	}
	return noChannel, 0
}

// invisibleViews decodes each run of invisible characters. It skips the tags of emoji
// flags: two letters of a region and at most four other characters.
func invisibleViews(text string) []View {
	const fewBits, flagTags = 32, 6
	var out []View
	var runs [noChannel]struct {
		start int
		runes []rune
	}
	flag := false
	flush := func(at int) {
		for c, run := range runs {
			hidden := run.runes
			runs[c].runes = nil
			switch {
			case len(hidden) == 0, c == tagChannel && flag && len(hidden) <= flagTags, c == bitChannel && len(hidden) < fewBits:
				continue
			case c == bitChannel:
				hidden = bitText(hidden)
			}
			if len(hidden) >= 4 {
				out = append(out, hiddenText(string(hidden), channelTechniques[c], Span{run.start, at}))
			}
		}
	}
	for i, r := range text {
		c, stands := channel(r)
		if c == noChannel {
			flush(i)
			flag = r == '\U0001F3F4' // the tags of a flag follow
			continue
		}
		if stands != 0 || c == selectorChannel {
			if len(runs[c].runes) == 0 {
				runs[c].start = i
			}
			runs[c].runes = append(runs[c].runes, stands)
		}
	}
	flush(len(text))
	return out
}

// hiddenText is the view of an invisible text. Any words in it are an attempt.
func hiddenText(text, technique string, within Span) View {
	v := part(text, technique, 2, within)
	letters, all := 0, 0
	for _, r := range text {
		all++
		if unicode.IsLetter(r) || r == ' ' {
			letters++
		}
	}
	if letters*10 >= all*8 {
		v.Bonus = Certain
	}
	return v
}

// bitText reads zero-width characters as bits, most significant first. Either of
// the two kinds may stand for 1.
func bitText(bits []rune) []rune {
	decode := func(one bool) []rune {
		var out []rune
		for i := 0; i+8 <= len(bits); i += 8 {
			var c rune
			for _, b := range bits[i : i+8] {
				c <<= 1
				if (b == bits[0]) == one {
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

// threads returns text that is written with an invisible character after each letter.
// It may begin in the middle of a word.
func threads(text string) []View {
	const fewLetters = 8
	var out []View
	var thread strings.Builder
	start, letters := 0, 0
	last, lastAt, inside := rune(0), 0, false // the character before, and whether a plain letter precedes it
	flush := func(at int) {
		if letters >= fewLetters {
			out = append(out, part(thread.String(), "zero_width", 1, Span{start, at}))
		}
		thread.Reset()
		letters = 0
	}
	for i, r := range text {
		if r < utf8.RuneSelf || !invisible(r) {
			if last != 0 { // nothing after the character before
				thread.WriteRune(last)
				flush(i)
			}
			inside = last != 0 && last < utf8.RuneSelf && IsLetter(byte(last))
			last, lastAt = r, i
			continue
		}
		if last != 0 && last < utf8.RuneSelf && !inside {
			if thread.Len() == 0 {
				start = lastAt
			}
			thread.WriteRune(last)
			if IsLetter(byte(last)) {
				letters++
			}
		}
		last, inside = 0, false
	}
	if last != 0 {
		thread.WriteRune(last)
	}
	flush(len(text))
	return out
}

// countCuts counts the invisible characters between the Latin letters of words, which
// no language needs. It ignores soft hyphens, which mark places for a line break.
func countCuts(text string) int {
	cuts, before, cut := 0, rune(0), false
	for _, r := range text {
		if r != 0xAD && invisible(r) {
			cut = before >= 'A' && before <= 'z'
			continue
		}
		if cut && r >= 'A' && r <= 'z' {
			cuts++
		}
		before, cut = r, false
	}
	return cuts
}
