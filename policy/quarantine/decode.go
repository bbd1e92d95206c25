package quarantine

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"html"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"errand/policy/rulefile"
)

// Limits of decoding: how often a decoded text is decoded again, and how much
// of one encoded run is read.
const (
	maxDepth = 2
	maxBlob  = 64 << 10
	maxBlobs = 64

	// decodedPerText is how many times its own length a text may unfold to.
	decodedPerText = 8
)

// decoders find encoded runs and read them. A run that does not decode to
// readable text is data.
var decoders = []struct {
	technique string
	sign      func(string) bool // whether looking for runs is worth it
	run       *rulefile.Pattern
	read      func(string) string
}{
	{"base64", has(12, "A-Za-z0-9+/_=\r\n-"), rulefile.New(`[A-Za-z0-9+/_\-]{4,}(?:\r?\n[A-Za-z0-9+/_\-]{8,})*={0,2}`), readBase64},
	{"hex", has(12, "0-9a-fA-FxX, :\\-"), rulefile.New(`(?i)(?:(?:\\x|0x)?[0-9a-f]{2}[ ,:\-]?){6,}`), readHex},
	{"percent", times(1, "%"), rulefile.New(`[^\s%]{0,40}%[0-9A-Fa-f]{2}[^\s]*`), readPercent},
	{"html_entities", times(1, "&"), rulefile.New(`[^\s&]{0,40}&(?:#\d+|#[xX][0-9a-fA-F]+|\w+);[^\n]*`), html.UnescapeString},
	{"escapes", times(1, `\`), rulefile.New(`[^\s\\]{0,40}\\(?:u\{?[0-9a-fA-F]{2,6}\}?|x[0-9a-fA-F]{2}|[0-7]{3})[^\n]*`), readEscapes},
	{"code_points", times(4, "U+"), rulefile.New(`(?:\bU\+[0-9A-Fa-f]{4,6}[ ,;]{0,2}){4,}`), readCodePoints},
	{"quoted_printable", times(4, "="), rulefile.New(`(?:[^\s=]{0,20}=[0-9A-F]{2}){4,}[^\n]*`), readQuotedPrintable},
	{"binary", has(48, "01, "), rulefile.New(`(?:[01]{8}[ ,]?){6,}`), readBinary},
	{"char_codes", has(20, "0-9,; "), rulefile.New(`(?:\b\d{2,3}\b[ ,;]{1,2}){6,}\d{2,3}`), readDecimal},
	{"base32", has(16, "A-Z2-7="), rulefile.New(`[A-Z2-7]{16,}={0,6}`), readBase32},
	{"spelling_alphabet", anyOfFolded("november", "romeo", "tango", "india"), rulefile.New(`(?i)(?:\b(?:` + strings.Join(alphabet, "|") + `)\b[ ,;-]{0,2}){5,}`), readAlphabet},
	{"morse", has(16, ". /|·−-"), rulefile.New(`(?:[.\-·−]{1,5}[ /|]{1,3}){8,}[.\-·−]{0,5}`), readMorse},
}

// decoded lists views of what is encoded in text, which stands for the place
// within of the scanned text: for each encoding the decoded runs, and the text
// with the runs decoded in place, because half of an order may be in the
// clear.
//
// Budget is how many bytes all of it may still unfold to.
func decoded(text string, within Span, depth int, budget *int) []view {
	var out []view
	for _, d := range decoders {
		if !d.sign(text) {
			continue
		}
		var runs, inPlace strings.Builder
		first, last, at := -1, 0, 0
		for _, run := range d.run.Get().FindAllStringIndex(text, maxBlobs) {
			blob := text[run[0]:min(run[1], run[0]+maxBlob)]
			plain := d.read(blob)
			if plain == blob || !readable(plain) {
				continue
			}
			if first < 0 {
				first = run[0]
			}
			last = run[1]
			if *budget -= 2 * len(plain); *budget < 0 {
				break
			}
			runs.WriteString(plain + "\n")
			inPlace.WriteString(text[at:run[0]] + plain)
			at = run[1]
		}
		if first < 0 {
			continue
		}
		*budget -= len(text) - at
		inPlace.WriteString(text[at:])
		place := within
		if depth == 0 {
			place = Span{first, last, ""}
		}
		v := partView(runs.String(), d.technique, 1, place)
		out = append(out, v, partView(inPlace.String(), d.technique, 0, place))
		if depth+1 < maxDepth {
			out = append(out, disguises(v)...)
			for _, deeper := range decoded(runs.String(), place, depth+1, budget) {
				deeper.technique = d.technique
				out = append(out, deeper)
			}
		}
	}
	return out
}

// readable reports whether s is text: letters and blanks for the most part.
func readable(s string) bool {
	if len(s) < 5 || !utf8.ValidString(s) {
		return false
	}
	good, all := 0, 0
	for _, r := range s {
		all++
		if unicode.IsLetter(r) || unicode.IsSpace(r) || unicode.IsDigit(r) || strings.ContainsRune(".,:;!?'\"-/<>|_()[]{}@=", r) {
			good++
		}
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			return false
		}
	}
	return good*10 >= all*9
}

func readBase64(s string) string {
	if len(s) < 12 {
		return ""
	}
	s = strings.NewReplacer("\r", "", "\n", "", "-", "+", "_", "/").Replace(strings.TrimRight(s, "="))
	b, err := base64.RawStdEncoding.DecodeString(s[:len(s)/4*4+tail(len(s)%4)])
	if err != nil {
		return ""
	}
	return string(b)
}

func tail(n int) int {
	if n == 1 {
		return 0
	}
	return n
}

func readBase32(s string) string {
	b, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(strings.TrimRight(s, "="))
	if err != nil {
		return ""
	}
	return string(b)
}

func readHex(s string) string {
	s = strings.NewReplacer(`\x`, "", "0x", "", " ", "", ",", "", ":", "", "-", "").Replace(strings.ToLower(s))
	b, err := hex.DecodeString(s[:len(s)/2*2])
	if err != nil {
		return ""
	}
	return string(b)
}

// readPercent undoes up to three layers.
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

var escapeRun = rulefile.New(`\\(?:u\{?([0-9a-fA-F]{2,6})\}?|x([0-9a-fA-F]{2})|([0-7]{3}))`)

func readEscapes(s string) string {
	return escapeRun.Get().ReplaceAllStringFunc(s, func(e string) string {
		m := escapeRun.Get().FindStringSubmatch(e)
		base, digits := 16, m[1]+m[2]
		if m[3] != "" {
			base, digits = 8, m[3]
		}
		n, err := strconv.ParseInt(digits, base, 32)
		if err != nil {
			return e
		}
		return string(rune(n))
	})
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

var qpRun = rulefile.New(`=([0-9A-F]{2})`)

func readQuotedPrintable(s string) string {
	return qpRun.Get().ReplaceAllStringFunc(s, func(e string) string {
		n, _ := strconv.ParseUint(e[1:], 16, 8)
		return string([]byte{byte(n)})
	})
}

func readBinary(s string) string { return readCodes(splitEvery(s, 8), 2) }

func splitEvery(s string, n int) []string {
	s = strings.NewReplacer(" ", "", ",", "").Replace(s)
	var out []string
	for ; len(s) >= n; s = s[n:] {
		out = append(out, s[:n])
	}
	return out
}

func readDecimal(s string) string {
	return readCodes(strings.FieldsFunc(s, func(r rune) bool { return r < '0' || r > '9' }), 10)
}

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

var morse = func() map[string]string {
	m := map[string]string{}
	for i, code := range strings.Fields(".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..") {
		m[code] = string(rune('a' + i))
	}
	return m
}()

// alphabet are the words by which letters are spelt on the telephone.
var alphabet = strings.Fields("alpha alfa bravo charlie delta echo foxtrot golf hotel india juliett juliet kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey x-ray xray yankee zulu")

func readAlphabet(s string) string {
	var b strings.Builder
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune(" ,;", r) }) {
		b.WriteByte(w[0])
	}
	return strings.ToLower(b.String()) + " "
}

func readMorse(s string) string {
	s = strings.NewReplacer("·", ".", "−", "-").Replace(s)
	var b strings.Builder
	for word := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '/' || r == '|' }) {
		for letter := range strings.FieldsSeq(word) {
			l, ok := morse[letter]
			if !ok {
				return ""
			}
			b.WriteString(l)
		}
		b.WriteByte(' ')
	}
	return strings.TrimSpace(b.String())
}
