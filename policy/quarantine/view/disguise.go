package view

import (
	"slices"
	"strings"

	"errand/policy/rulefile"
)

// signWords has the words and patterns of data/words.toml.
var signWords = rulefile.Load[struct {
	Orders, Reversed, Ciphers, Glued *rulefile.Pattern
	GluedWords                       rulefile.Words `toml:"glued_words"`
	Misspelt, Correct                rulefile.Words
}](files, "data/words.toml")

// disguises returns further readings of a view's visible text: with letters of other
// scripts replaced by Latin ones, digits replaced by letters, spaced-out letters or
// quoted pieces joined, reversed text, and ciphers. For a concealed view it only joins
// spaced-out letters.
func disguises(v View, isOrder func(View) bool) []View {
	var out []View
	add := func(technique, text string) {
		if text == v.Text || text == "" {
			return
		}
		w := v
		w.Text, w.Raw = text, text
		if w.Technique == "" {
			w.Technique = technique
		}
		w.Bonus++ // a disguise is deliberate
		if len(text) != len(v.Text) {
			w.offsets = nil
		}
		out = append(out, w)
	}
	add("spacing", squeeze(v.Text))
	if v.Technique != "" {
		return out
	}
	add("homoglyph", replaceLookalikes(v.Text))
	add("leetspeak", readDigits(v.Text, 'i'))
	add("leetspeak", readDigits(v.Text, 'l'))
	add("misspelling", correct(v.Text))
	add("spacing", splitGlued(v.Text))
	add("reversed", turnUpright(v.Raw))
	for _, joined := range joinPieces(v, isOrder) {
		add("payload_split", joined)
	}
	for i := range out {
		if out[i].Technique == "payload_split" {
			out[i].Raw = "" // forged turns are never split into pieces, but documentation of formats has such pieces
		}
	}
	if signWords().Reversed.Match(v.Text) {
		add("reversed", reverse(v.Text))
		add("reversed", words.Get().ReplaceAllStringFunc(v.Text, reverse))
	}
	if text := rotate(v.Text, 13); signWords().Orders.Match(text) {
		add("rot13", text)
	}
	if strings.Contains(v.Text, "rot47") || strings.Contains(v.Text, "rot-47") {
		add("cipher", strings.ToLower(rot47(v.Raw)))
	}
	if strings.Contains(v.Text, "atbash") {
		add("cipher", mapLetters(v.Text, func(r rune) rune { return 'z' - (r - 'a') }))
	}
	if len(v.Text) < 4096 && signWords().Ciphers.Match(v.Text) {
		for n := range 25 {
			add("cipher", rotate(v.Text, rune(n+1)))
		}
	}
	return out
}

// rotate shifts the letters of a text by n in the alphabet.
func rotate(s string, n rune) string {
	return mapLetters(s, func(r rune) rune { return 'a' + (r-'a'+n)%26 })
}

func mapLetters(s string, letter func(rune) rune) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return letter(r)
		}
		return r
	}, s)
}

// rot47 rotates the printable ASCII characters by half their number.
func rot47(raw string) string {
	return strings.Map(func(r rune) rune {
		if r > ' ' && r < 0x7F {
			return '!' + (r-'!'+47)%94
		}
		return r
	}, raw)
}

func reverse(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}

var (
	pieces     = rulefile.New(`"([^"\n]{1,80})"|'([^'\n]{1,80})'|` + "`([^`\n]{1,80})`")
	brokenWord = rulefile.New(`(\pL)-\s*\n\s*(\pL)`)
)

// joinPieces joins the quoted pieces of a text, with and without spaces, and words that
// are hyphenated at the end of a line. It skips a piece that is an order by itself,
// because that is a quotation.
func joinPieces(v View, isOrder func(View) bool) []string {
	var out, parts []string
	for _, m := range pieces.Get().FindAllStringSubmatch(v.Text, 64) {
		parts = append(parts, m[1]+m[2]+m[3])
	}
	if len(parts) >= 2 && !slices.ContainsFunc(parts, func(p string) bool { return isOrder(View{Text: p}) }) {
		out = append(out, strings.Join(parts, ""), strings.Join(parts, " "))
	}
	if strings.Contains(v.Text, "-") && brokenWord.Match(v.Text) {
		out = append(out, brokenWord.Get().ReplaceAllString(v.Text, "$1$2"))
	}
	return out
}
