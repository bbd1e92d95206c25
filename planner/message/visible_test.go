package message_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"errand/planner/message"
)

func TestVisible(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "Invoices 2026 (final).pdf", "Invoices 2026 (final).pdf"},
		{"empty", "", ""},
		{"Russian", "Счета за май, ёлка и йод.txt", "Счета за май, ёлка и йод.txt"},
		{"Russian and English", "Отчёт PDF и iOS-приложение", "Отчёт PDF и iOS-приложение"},
		{"Chinese, Greek and French", "报告 αβγ café", "报告 αβγ café"},
		{"emoji", "❤️ 👍🏽 🇷🇺 1️⃣", "❤️ 👍🏽 🇷🇺 1️⃣"},
		{"emoji with joiners", "👨‍👩‍👧 ❤️‍🔥 🏳️‍🌈.jpg", "👨‍👩‍👧 ❤️‍🔥 🏳️‍🌈.jpg"},
		{"Persian", "می\u200cخواهم", "می\u200cخواهم"},
		{"Windows", `C:\Users\ann\notes.txt`, `C:\Users\ann\notes.txt`},
		{"escape sequence", "a\x1b[2Jb", `a\x1b[2Jb`},
		{"line break and tab", "a\nb\tc\r\n", `a\x0ab\x09c\x0d\x0a`},
		{"Hangul filler", "Invoices\u3164", `Invoices\u3164`},
		{"half-width and Jamo fillers", "\uffa0a\u115fb\u1160", `\uffa0a\u115fb\u1160`},
		{"Braille blank", "a\u2800b", `a\u2800b`},
		{"no-break space", "a\u00a0b", `a\xa0b`},
		{"other spaces", "\u2003a\u3000b\u202f\u205f", `\u2003a\u3000b\u202f\u205f`},
		{"soft hyphen and grapheme joiner", "in\u00advo\u034fices", `in\xadvo\u034fices`},
		{"zero width", "a\u200bb\u2060c\ufeff", `a\u200bb\u2060c\ufeff`},
		{"joiners without use", "a\u200db\u200cc\u200d", `a\u200db\u200cc\u200d`},
		{"marks of direction", "\u202egnp.exe\u200f\u2066", `\u202egnp.exe\u200f\u2066`},
		{"tags", "a\U000e0041b", `a\U000e0041b`},
		{"variation selectors", "a\ufe0f\ufe00b\U000e0100", `a\ufe0f\ufe00b\U000e0100`},
		{"private use", "\ue000", `\ue000`},
		{"spaces at the ends", " a ", `\x20a\x20`},
		{"two spaces", "a  b   c", `a \x20b \x20\x20c`},
		{"only spaces", "  ", `\x20\x20`},
		{"decomposed letters", "cafe\u0301, и\u0306од", `cafe\u0301, и\u0306од`},
		{"duplicates of letters", "\u212a, \u2126, \u212b", `\u212a, \u2126, \u212b`},
		{"Cyrillic in a Latin word", "Invоices", `Inv\u043eices`},
		{"Greek in a Latin word", "Αdmin", `\u0391dmin`},
		{"Cherokee in a Latin word", "Ꭺdmin.txt", `\u13aadmin.txt`},
		{"Armenian in a Latin word", "օld.txt", `\u0585ld.txt`},
		{"Coptic, Lisu and Deseret in Latin words", "ⲟld ꓮdmin 𐐄ld", `\u2c9fld \ua4eedmin \U00010404ld`},
		{"Armenian and Cherokee words", "Հայաստան ᏣᎳᎩ", "Հայաստան ᏣᎳᎩ"},
		{"slashes", "a∕b⁄c⧸d／e", `a\u2215b\u2044c\u29f8d\uff0fe`},
		{"dots and colons", "a․txt．x﹒y∶z", `a\u2024txt\uff0ex\ufe52y\u2236z`},
		{"backslashes", "a∖b⧵c＼d", `a\u2216b\u29f5c\uff3cd`},
		{"hyphens", "a‐b‑c", `a\u2010b\u2011c`},
		{"dashes and quotes of texts", "a–b — “c” don’t…", "a–b — “c” don’t…"},
		{"letters of phonetics", "ɡoogle ɑdmin", `\u0261oogle \u0251dmin`},
		{"dotless i", "admın.txt", `adm\u0131n.txt`},
		{"Turkish", "kayıt defteri şubat", "kayıt defteri şubat"},
		{"ligatures", "ﬁle ﬂow oﬃce", `\ufb01le \ufb02ow o\ufb03ce`},
		{"full-width letters and digits", "ａbc１", `\uff41bc\uff11`},
		{"full-width letters in Japanese", "Ｔシャツ１", "Ｔシャツ１"},
		{"mathematical letters and digits", "𝐚bc𝟏", `\U0001d41abc\U0001d7cf`},
		{"Roman numerals and long s", "Ⅳ ſave", `\u2163 \u017fave`},
		{"signs that look like themselves", "10 m² ½ № 5 ™ 1ª ①", "10 m² ½ № 5 ™ 1ª ①"},
		{"accents", "naïve Größe Łódź", "naïve Größe Łódź"},
		{"Cyrillic split by a hidden character", "Inv\u200bоices", `Inv\u200b\u043eices`},
		{"invalid UTF-8", "a\xff\xc3", `a\xff\xc3`},
		{"the text of an escape", `a\u200b \x20 \u20`, `a\x5cu200b \x5cx20 \u20`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := message.Visible(tt.in); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// FuzzVisible holds the laws of Visible: different names look different, and nothing hidden is
// left.
func FuzzVisible(f *testing.F) {
	for _, pair := range [][2]string{
		{"Invoices", "Invoices\u3164"},
		{"a b", "a\u00a0b"},
		{"a\u200bb", `a\u200bb`},
		{"é", "e\u0301"},
		{" a", `\x20a`},
		{"👨‍👩", "👨👩"},
		{"Invоices", "Invoices"},
		{"\xff", `\xff`},
		{"a\nb", `a\x0ab`},
		{`\x5cx20`, `\x20`},
		{"\u1100\u1161", "\uac00"},
	} {
		f.Add(pair[0], pair[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		shown := message.Visible(a)
		if !utf8.ValidString(shown) || strings.ContainsAny(shown, "\n\t\x1b\u00a0\u3164\u2800\u202e\u200b") {
			t.Errorf("%q is shown as %q", a, shown)
		}
		if a != b && message.Visible(b) == shown {
			t.Errorf("%q and %q are both shown as %q", a, b, shown)
		}
	})
}

func TestEscapeHidden(t *testing.T) {
	for in, want := range map[string]string{
		"two  spaces and\u00a0one": "two  spaces and\u00a0one",
		"a\n\tb\x1b":               "a\n\tb\\x1b",
		"a\u3164b\u200b👨‍👩":        `a\u3164b\u200b👨‍👩`,
		"Invоices":                 "Invоices",
	} {
		if got := message.EscapeHidden(in, "\n\t"); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
