package view

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"html"
	"net/url"
	"strconv"
	"strings"

	"errand/policy/rulefile"
)

// readers decode one encoded run, by technique. They return "" if they can't.
var readers = map[string]func(string) string{
	"base64":            readBase64,
	"base32":            readBase32,
	"hex":               readHex,
	"percent":           readPercent,
	"html_entities":     html.UnescapeString,
	"escapes":           readEscapes,
	"quoted_printable":  readQuotedPrintable,
	"code_points":       readCodePoints,
	"binary":            readBinary,
	"char_codes":        readCharCodes,
	"spelling_alphabet": readAlphabet,
	"morse":             readMorse,
}

func asText(b []byte, err error) string {
	if err != nil {
		return ""
	}
	return string(b)
}

func readBase64(s string) string {
	if len(s) < 12 {
		return ""
	}
	s = strings.NewReplacer("\r", "", "\n", "", "-", "+", "_", "/").Replace(strings.TrimRight(s, "="))
	if len(s)%4 == 1 {
		s = s[:len(s)-1]
	}
	return asText(base64.RawStdEncoding.DecodeString(s))
}

func readBase32(s string) string {
	return asText(base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(strings.TrimRight(s, "=")))
}

func readHex(s string) string {
	s = strings.NewReplacer(`\x`, "", "0x", "", " ", "", ",", "", ":", "", "-", "").Replace(strings.ToLower(s))
	return asText(hex.DecodeString(s[:len(s)/2*2]))
}

// readPercent decodes up to three layers.
func readPercent(s string) string {
	for range 3 {
		u, err := url.PathUnescape(s)
		if err != nil || u == s {
			break
		}
		s = u
	}
	return strings.ReplaceAll(s, "+", " ")
}

var (
	escapeRun  = rulefile.New(`\\(?:u\{?([0-9a-fA-F]{2,6})\}?|x([0-9a-fA-F]{2})|([0-7]{3}))`)
	quotedByte = rulefile.New(`=([0-9A-F]{2})`)
	notDigits  = rulefile.New(`\D+`)
)

func readEscapes(s string) string {
	return escapeRun.Get().ReplaceAllStringFunc(s, func(e string) string {
		m := escapeRun.Get().FindStringSubmatch(e)
		base, digits := 16, m[1]+m[2]
		if m[3] != "" {
			base, digits = 8, m[3]
		}
		n, _ := strconv.ParseInt(digits, base, 32)
		return string(rune(n))
	})
}

func readQuotedPrintable(s string) string {
	return quotedByte.Get().ReplaceAllStringFunc(s, func(e string) string { return asText(hex.DecodeString(e[1:])) })
}

func readCodePoints(s string) string {
	var b strings.Builder
	for code := range strings.SplitSeq(s, "U+") {
		if n, err := strconv.ParseInt(strings.Trim(code, " ,;"), 16, 32); err == nil {
			b.WriteRune(rune(n))
		}
	}
	if strings.HasSuffix(s, " ") {
		b.WriteByte(' ')
	}
	return b.String()
}

func readBinary(s string) string {
	s = strings.NewReplacer(" ", "", ",", "").Replace(s)
	var codes []string
	for ; len(s) >= 8; s = s[8:] {
		codes = append(codes, s[:8])
	}
	return readCodes(codes, 2)
}

func readCharCodes(s string) string { return readCodes(notDigits.Get().Split(s, -1), 10) }

func readCodes(codes []string, base int) string {
	var b strings.Builder
	for _, c := range codes {
		n, err := strconv.ParseUint(c, base, 8)
		if err != nil || n < 9 || n > 126 {
			return ""
		}
		b.WriteByte(byte(n))
	}
	return b.String()
}

func readAlphabet(s string) string {
	var b strings.Builder
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune(" ,;", r) }) {
		b.WriteByte(w[0])
	}
	return strings.ToLower(b.String()) + " "
}

// morse is the code of each letter, from a to z.
const morse = ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.."

func readMorse(s string) string {
	letters := map[string]byte{}
	for i, code := range strings.Fields(morse) {
		letters[code] = byte('a' + i)
	}
	var b strings.Builder
	for word := range strings.FieldsFuncSeq(strings.NewReplacer("·", ".", "−", "-").Replace(s), func(r rune) bool { return r == '/' || r == '|' }) {
		for code := range strings.FieldsSeq(word) {
			letter, ok := letters[code]
			if !ok {
				return ""
			}
			b.WriteByte(letter)
		}
		b.WriteByte(' ')
	}
	return strings.TrimSpace(b.String())
}
