package view

import (
	"strings"
	"unicode/utf8"

	"errand/policy/rulefile"
)

var words = rulefile.New(`[\pL\pM\pN]+`)

// replaceLookalikes replaces look-alikes by Latin letters in words that also have Latin
// letters. It leaves words of one script unchanged.
func replaceLookalikes(s string) string {
	if IsASCII(s) {
		return ""
	}
	lookalikes := letterTables().Lookalikes
	return words.Get().ReplaceAllStringFunc(s, func(w string) string {
		latin, other := false, false
		for _, r := range w {
			_, looks := lookalikes[r]
			latin = latin || r >= 'a' && r <= 'z'
			other = other || looks
		}
		if latin && other {
			return lookalikes.read(w)
		}
		return w
	})
}

// turnUpright turns round a text that is written upside down; it returns "" for other
// text.
func turnUpright(raw string) string {
	turned := 0
	for _, r := range raw {
		if r >= utf8.RuneSelf && letterTables().Turned[r] != 0 {
			turned++
		}
	}
	if turned < 4 {
		return ""
	}
	return reverse(letterTables().Turned.read(strings.ToLower(raw)))
}

var digitWord = rulefile.New(`[a-z0-9@$!|+€£(<]*[0-9@$!|+€£][a-z0-9@$!|+€£(<]*`)

// readDigits replaces digits and signs by letters in lines with at least two such
// words, and returns these lines if that makes an order. One is the letter for 1, ! and
// |.
func readDigits(s string, one rune) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		if !strings.ContainsAny(line, "0123456789@$!|+€£") {
			continue
		}
		plain := digitWord.Get().ReplaceAllStringFunc(line, func(w string) string { return readDigitWord(w, one) })
		before, after := strings.Fields(line), strings.Fields(plain)
		changed := 0
		for i := range min(len(before), len(after)) {
			if before[i] != after[i] {
				changed++
			}
		}
		if changed >= 2 && signWords().Orders.Match(plain) {
			b.WriteString(plain)
		}
	}
	return b.String()
}

// readDigitWord leaves numbers unchanged, and words before an exclamation mark.
func readDigitWord(w string, one rune) string {
	if !strings.ContainsAny(w, "abcdefghijklmnopqrstuvwxyz") || strings.HasSuffix(w, "!") && !strings.ContainsAny(w, "0123456789@$|+") {
		return w
	}
	return strings.NewReplacer("1", string(one), "!", string(one), "|", string(one)).Replace(letterTables().Digits.read(w))
}
