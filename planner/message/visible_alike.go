package message

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// likeASCII are characters that look like separators, hyphens or Latin letters, whatever is
// around them.
const likeASCII = "∕⁄⧸╱／" + "․．﹒" + "∖⧵﹨＼" + "∶꞉" + "‐‑˗⁃" + "ɑɡɩǀǃᴄᴏᴠᴡᴢᴜꜱ"

// likeLatinScripts are scripts of which many letters look like Latin ones.
var likeLatinScripts = []*unicode.RangeTable{
	unicode.Armenian, unicode.Canadian_Aboriginal, unicode.Carian, unicode.Cherokee, unicode.Coptic, unicode.Deseret, unicode.Elbasan, unicode.Gothic,
	unicode.Lisu, unicode.Lycian, unicode.Lydian, unicode.Old_Italic, unicode.Osage, unicode.Runic, unicode.Tifinagh, unicode.Vai, unicode.Warang_Citi,
}

// turkish are letters that show that a dotless i belongs to the language.
const turkish = "çğöşüəÇĞÖŞÜƏİ"

// looksASCII reports whether a character of a name looks like ASCII: one of likeASCII, a
// dotless i in a name without other Turkish letters, or a letter or digit that Unicode
// counts as another form of ASCII, such as a ligature, a mathematical letter, or a full-width
// one outside of Japanese and Chinese.
func looksASCII(name string, r rune) bool {
	switch {
	case r < 0x80:
		return false
	case strings.ContainsRune(likeASCII, r):
		return true
	case r == 'ı':
		return !strings.ContainsAny(name, turkish)
	case !unicode.In(r, unicode.L, unicode.Nd, unicode.Nl) || unicode.Is(unicode.Lm, r) || r == 'ª' || r == 'º':
		return false
	}
	for _, c := range norm.NFKC.String(string(r)) {
		if c >= 0x80 {
			return false
		}
	}
	return r < '！' || r > '～' || !strings.ContainsFunc(name, isEastAsian)
}

func isEastAsian(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) }

// likeLatin are the Cyrillic and Greek letters that look like Latin ones.
const likeLatin = "аеорсухіјѕһԁԛԝӏАВЕЅІЈКМНОРСТУХҮԌԚԜӀ" + "οανιυρκγΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"

// mixedLetters are the places of letters that look like Latin ones in words that have Latin
// letters, too.
func mixedLetters(s string) map[int]bool {
	var found map[int]bool
	var word []int
	latin := false
	for i, r := range s + " " {
		switch {
		case unicode.Is(unicode.Latin, r):
			latin = true
		case strings.ContainsRune(likeLatin, r) || unicode.In(r, likeLatinScripts...):
			word = append(word, i)
		case !unicode.IsLetter(r) && !unicode.Is(unicode.M, r) && !IsHidden(r):
			for _, at := range word {
				if latin {
					if found == nil {
						found = map[int]bool{}
					}
					found[at] = true
				}
			}
			word, latin = nil, false
		}
	}
	return found
}
