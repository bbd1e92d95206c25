package redact

import (
	"encoding/ascii85"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"errand/policy/redact/find"
)

// A text can spell a secret with separators between its characters, backwards, in other
// letter case, or as numbers. A bare text has only the letters and digits, in lower case, so
// that most of these are one literal in it.

const (
	minBare    = 8  // letters and digits of a secret that is looked for in bare texts
	minEncoded = 12 // of an encoding, in which fewer would match by chance
)

// bareMatcher finds secrets in bare texts. A nil bareMatcher finds nothing.
type bareMatcher struct {
	m       *find.Matcher
	of      []int // for each literal, the secret
	secrets []string
	bare    []string // of each secret
	end     []bool   // for each literal: it is the end of the secret, and may be longer before
	cut     []bool   // for each literal: it is the beginning of the secret, and may be longer
}

// newBareMatcher ignores secrets with fewer letters and digits than [minBare]. With cuts it
// finds at least half of a secret, from its beginning or to its end, if that has both letters
// and digits: words may be there by chance.
func newBareMatcher(secrets []string, cuts bool) *bareMatcher {
	b := &bareMatcher{secrets: secrets}
	var literals []string
	add := func(secret int, literal string, least int, cut, end bool) {
		if len(literal) >= least && !find.IsPartOfMark(literal) && !find.IsCommonValue(literal) {
			literals = append(literals, literal)
			b.of, b.cut, b.end = append(b.of, secret), append(b.cut, cut), append(b.end, end)
		}
	}
	for i, s := range secrets {
		bare := toBare(s)
		b.bare = append(b.bare, bare)
		if len(bare) < minBare || find.IsPartOfMark(bare) {
			continue
		}
		if !find.IsNumber(bare) { // whose groups [spellings] finds
			add(i, bare, minBare, false, false)
			add(i, reverse(bare), minBare, false, false)
		}
		if half := max(minBare, (len(bare)+1)/2); cuts && half < len(bare) {
			for _, part := range []struct {
				text     string
				cut, end bool
			}{{bare[:half], true, false}, {bare[len(bare)-half:], false, true}} {
				if strings.ContainsAny(part.text, "0123456789") && strings.ContainsAny(part.text, lowerASCII) {
					add(i, part.text, half, part.cut, part.end)
				}
			}
		}
		for _, code := range bareEncodings(s) {
			add(i, toBare(code), minEncoded, false, false)
		}
	}
	if len(literals) == 0 {
		return nil
	}
	b.m = find.NewMatcher(literals, false)
	return b
}

// bareEncodings lists encodings of a secret of which bare texts keep enough.
func bareEncodings(s string) []string {
	raw := []byte(s)
	hexed := hex.EncodeToString(raw)
	var decimal, octal, binary, prefixed strings.Builder
	for _, c := range raw {
		fmt.Fprintf(&decimal, "%d", c)
		fmt.Fprintf(&octal, "%o", c)
		fmt.Fprintf(&binary, "%08b", c)
		fmt.Fprintf(&prefixed, "0x%02x", c)
	}
	out := []string{
		hexed, reverse(hexed), decimal.String(), octal.String(), binary.String(), prefixed.String(), base32.StdEncoding.EncodeToString(raw),
		base32.HexEncoding.EncodeToString(raw), base64.StdEncoding.EncodeToString([]byte(hexed)),
	}
	for _, once := range base64Forms(s) {
		out = append(out, once)
		out = append(out, base64Forms(once)...)
	}
	return out
}

// base85Forms returns the encodings of a secret with 85 characters, of Adobe, RFC 1924 and
// ZeroMQ. They are found alone only.
func base85Forms(s string) []string {
	adobe := make([]byte, ascii85.MaxEncodedLen(len(s)))
	adobe = adobe[:ascii85.Encode(adobe, []byte(s))]
	out := []string{string(adobe)}
	for _, alphabet := range []string{
		"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~",
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#",
	} {
		out = append(out, strings.Map(func(r rune) rune { return rune(alphabet[r-'!']) }, strings.ReplaceAll(string(adobe), "z", "!!!!!")))
	}
	return out
}

// forEach calls found with the place in text of each secret, and its number.
func (b *bareMatcher) forEach(text string, found func(start, end, secret int)) {
	if b == nil {
		return
	}
	bare := toBare(text)
	if len(bare) < minBare {
		return
	}
	type hit struct{ from, to, secret int } // in the bare text
	var hits []hit
	b.m.ForEach(bare, func(pos, literal int) {
		h := hit{pos, pos + len(b.m.Literals[literal]), b.of[literal]}
		whole := b.bare[h.secret]
		for k := h.to - h.from; b.cut[literal] && k < len(whole) && h.to < len(bare) && bare[h.to] == whole[k]; k++ {
			h.to++
		}
		for k := len(whole) - (h.to - h.from) - 1; b.end[literal] && k >= 0 && h.from > 0 && bare[h.from-1] == whole[k]; k-- {
			h.from--
		}
		hits = append(hits, h)
	})
	if len(hits) == 0 {
		return
	}
	places := bareOffsets(text)
	for _, h := range hits {
		last := places[h.to-1]
		_, size := utf8.DecodeRuneInString(text[last:])
		found(places[h.from], last+size, h.secret)
	}
}

// toBare returns the letters and digits of a text, ASCII letters in lower case, and letters of
// other forms as the ordinary ones.
func toBare(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	eachBare(s, func(_ int, c string) { b.WriteString(c) })
	return b.String()
}

// bareOffsets returns for each byte of a bare text the offset of its character in s.
func bareOffsets(s string) (offsets []int) {
	eachBare(s, func(at int, c string) {
		for range len(c) {
			offsets = append(offsets, at)
		}
	})
	return offsets
}

const lowerASCII = "abcdefghijklmnopqrstuvwxyz"

// eachBare calls f with each character of a bare text and its offset in s.
func eachBare(s string, f func(at int, c string)) {
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			f(i, s[i:i+1])
			i++
		case 'A' <= c && c <= 'Z':
			f(i, lowerASCII[c-'A':c-'A'+1])
			i++
		case c < utf8.RuneSelf:
			i++
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			if r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r) || 0x24b6 <= r && r <= 0x24e9) { // circled letters
				f(i, foldForm(s[i:i+n], r))
			}
			i += n
		}
	}
}

// foldForm returns the ordinary form of a letter or digit that is full-width, mathematical,
// circled or the like, in lower case.
func foldForm(c string, r rune) string {
	if r < 0x2070 || r >= 0x3400 && r < 0xf900 { // the scripts of languages
		return c
	}
	return strings.ToLower(norm.NFKC.String(c))
}

func reverse(s string) string {
	runes := []rune(s)
	slices.Reverse(runes)
	return string(runes)
}
