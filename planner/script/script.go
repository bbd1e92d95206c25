// Package script finds texts in which letters of several scripts look like one word.
package script

import "unicode"

// IsMixed reports whether a word has letters of scripts that no written
// language mixes, as "pаypal" with a Cyrillic "а" does. Allowed are one
// script, and Latin beside the scripts of Japanese, Korean and Chinese: the
// "highly restrictive" level of UTS 39.
func IsMixed(word string) bool {
	var seen uint
	for _, r := range word {
		seen |= findScript(r)
	}
	for _, together := range [...]uint{
		latin | han | hiragana | katakana,
		latin | han | hangul,
		latin | han | bopomofo,
	} {
		if seen&^together == 0 {
			return false
		}
	}
	return seen&(seen-1) != 0
}

const (
	latin uint = 1 << iota
	han
	hiragana
	katakana
	hangul
	bopomofo
	cyrillic
	greek
	firstOther // the other scripts share the bits from here on, by hash
)

var scripts = [...]struct {
	table *unicode.RangeTable
	bit   uint
}{
	{unicode.Latin, latin},
	{unicode.Han, han},
	{unicode.Hiragana, hiragana},
	{unicode.Katakana, katakana},
	{unicode.Hangul, hangul},
	{unicode.Bopomofo, bopomofo},
	{unicode.Cyrillic, cyrillic},
	{unicode.Greek, greek},
}

// findScript is the bit of a letter's script, 0 for what scripts share: digits,
// hyphens, marks.
func findScript(r rune) uint {
	if unicode.In(r, unicode.Common, unicode.Inherited) {
		return 0
	}
	for _, s := range scripts {
		if unicode.Is(s.table, r) {
			return s.bit
		}
	}
	for name, table := range unicode.Scripts { // a letter has one script: order doesn't matter
		if unicode.Is(table, r) {
			h := uint(0)
			for i := range len(name) {
				h = h*31 + uint(name[i])
			}
			return firstOther << (h % 20)
		}
	}
	return firstOther
}
