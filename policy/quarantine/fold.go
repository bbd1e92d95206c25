package quarantine

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// fold reads a text as its rendering would be read: compatibility forms are
// resolved (full-width, mathematical and circled letters), accents and
// combining strokes dropped, case dropped, invisible characters dropped, runs
// of blanks kept. The second answer is each byte's place in the text.
func fold(text string) (string, []int) {
	var b strings.Builder
	b.Grow(len(text))
	offsets := make([]int, 0, len(text))
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r < utf8.RuneSelf {
			b.WriteByte(lowerASCII(byte(r)))
			offsets = append(offsets, i)
			i++
			continue
		}
		if !invisible(r) {
			for _, f := range foldRune(r) {
				size := utf8.RuneLen(f)
				b.WriteRune(f)
				for range size {
					offsets = append(offsets, i)
				}
			}
		}
		i += n
	}
	return b.String(), offsets
}

func lowerASCII(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// foldRune is the fold of one character beyond ASCII.
func foldRune(r rune) []rune {
	switch r {
	case '’', '‘', 'ʼ', '′':
		return []rune{'\''}
	case '“', '”', '„', '«', '»', '″':
		return []rune{'"'}
	case '\u00a0', '\u2003', '\u2002', '\u2009', '\u202f', '\u3000':
		return []rune{' '}
	}
	if latin, ok := letterForms[r]; ok {
		return []rune{latin}
	}
	if r >= 0x1F1E6 && r <= 0x1F1FF { // regional indicators
		return []rune{'a' + r - 0x1F1E6}
	}
	var out []rune
	for _, d := range norm.NFKD.String(string(r)) {
		if unicode.Is(unicode.Mn, d) {
			continue
		}
		if d == utf8.RuneError {
			d = ' '
		}
		out = append(out, unicode.ToLower(d))
	}
	return out
}

// letterForms are small capitals and the like, which Unicode does not call
// compatible with the letters that they are read as.
var letterForms = func() map[rune]rune {
	m := map[rune]rune{}
	put := func(forms, letters string) {
		l := []rune(letters)
		for i, f := range []rune(forms) {
			m[f] = l[i]
		}
	}
	put("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnopqrstuvwyz")
	put("ɐɔǝɟƃɥᴉɾʞɯɹʇʌʍʎ", "acefghijkmrtvwy")
	put("łøđħŧıŀ", "lodhtil")
	put("🅰🅱🅲🅳🅴🅵🅶🅷🅸🅹🅺🅻🅼🅽🅾🅿🆀🆁🆂🆃🆄🆅🆆🆇🆈🆉", "abcdefghijklmnopqrstuvwxyz")
	put("🅐🅑🅒🅓🅔🅕🅖🅗🅘🅙🅚🅛🅜🅝🅞🅟🅠🅡🅢🅣🅤🅥🅦🅧🅨🅩", "abcdefghijklmnopqrstuvwxyz")
	return m
}()

// lookalikes are Cyrillic, Greek and Armenian letters that are read
// as Latin ones (Unicode TR 39, confusables, the subset that occurs in words).
var lookalikes = func() map[rune]rune {
	m := map[rune]rune{}
	for pair := range strings.FieldsSeq("аa еe оo рp сc уy хx іi јj ѕs һh ԁd ԛq ԝw ьb вb нh кk мm тt гr пn ӏl үy ѵv ԍg " +
		"αa βb εe ιi κk νv οo ρp τt υu χx ωw γy ηn ςs σo " +
		"ѡw ғf ҽe օo սu ոn հh ցg զq աw") {
		r := []rune(pair)
		m[r[0]] = r[1]
	}
	return m
}()

// invisible reports characters that leave no trace on a screen.
func invisible(r rune) bool {
	switch {
	case r == 0xAD, r == 0x34F, r == 0x61C, r == 0x115F, r == 0x1160, r == 0x180E, r == 0x3164, r == 0xFEFF, r == 0xFFA0:
		return true
	case r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x206F, r >= 0xFE00 && r <= 0xFE0F,
		r >= 0xE0000 && r <= 0xE01EF:
		return true
	}
	return false
}
