package find

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxEscaped limits how often an escaped text is escaped again: "%2561" is escaped
// twice.
const maxEscaped = 3

// Views returns the ways to read a text: the page itself; the page with all escapes
// decoded, if that changes its words; the page with the blanks that forms write as "+";
// the content of strings in it; and each of them without the line breaks that wrap a
// line.
func Views(s string) []Page {
	p := ReadPage(s)
	views := []Page{p}
	for range maxEscaped {
		var ok bool
		if p, ok = decodeEscapes(p); !ok {
			break
		}
		views = append(views, p)
	}
	if p, ok := decodePluses(views[len(views)-1]); ok {
		views = append(views, p)
	}
	p = views[0]
	for range maxQuoted {
		var ok bool
		if p, ok = decodeString(p); !ok {
			break
		}
		views = append(views, p)
	}
	for _, p := range views[:len(views):len(views)] {
		if joined, ok := joinLines(p); ok {
			views = append(views, joined)
		}
	}
	if p, ok := decodeQuotedPrintable(views[0]); ok {
		views = append(views, p)
	}
	if p, ok := foldLookalikes(views[0]); ok {
		views = append(views, p)
	}
	return views
}

// decodeEscapes decodes the escapes of URLs, JSON, code and HTML. It returns false if
// none decodes to a letter, a digit, white space, another escape or a zero byte,
// because the others can't hide a secret.
func decodeEscapes(p Page) (Page, bool) {
	t := p.Text
	if strings.IndexByte(t, '%') < 0 && strings.IndexByte(t, '\\') < 0 && !strings.Contains(t, "&#") && !strings.Contains(t, "&amp;#") && !strings.Contains(t, nbspEntity) {
		return p, false
	}
	hides := false
	for i := 0; i < len(t) && !hides; i++ {
		if decoded, n := readEscape(t[i:]); n > 0 {
			c := decoded[0]
			hides = c >= utf8.RuneSelf || isWord[c] || isSpace[c] || c == 0 || c == '%' || c == '+'
			i += n - 1
		}
	}
	if !hides {
		return p, false
	}
	return rewrite(p, func(i int) (string, int) {
		decoded, n := readEscape(t[i:])
		if decoded == "\x00" {
			decoded = "" // an unpaired surrogate
		}
		return decoded, n
	}), true
}

// rewrite returns a page in which read replaces parts of the text. It returns the length of
// the part at text[i], or 0 to keep the byte there.
func rewrite(p Page, read func(i int) (replacement string, length int)) Page {
	v := Page{Source: p.Source}
	if p.Offsets == nil {
		v.Source = p.Text
	}
	var text strings.Builder
	for i := 0; i < len(p.Text); {
		decoded, n := read(i)
		if n == 0 {
			decoded, n = p.Text[i:i+1], 1
		}
		from := p.Original(Span{Start: i, End: i + n})
		for range len(decoded) {
			v.Offsets, v.ends = append(v.Offsets, from.Start), append(v.ends, from.End)
		}
		text.WriteString(decoded)
		i += n
	}
	v.Text = text.String()
	return v
}

// nbspEntity is HTML's name of a no-break space.
const nbspEntity = "nbsp;"

// readEscape decodes an escape at the beginning of a text. It returns the decoded text
// and the length of the escape, which is 0 if there is none.
func readEscape(t string) (decoded string, length int) {
	switch t[0] {
	case '%':
		if len(t) >= len("%C2%A0") && strings.EqualFold(t[:len("%C2%A0")], "%C2%A0") {
			return asRune('\u00a0', len("%C2%A0"))
		}
		if n, end := readNumber(t, 1, 2, 16, ""); end > 0 {
			return string([]byte{byte(n)}), end
		}
	case '&':
		head := strings.TrimPrefix(t[1:min(len(t), len("&amp;nbsp;"))], "amp;")
		if strings.HasPrefix(head, nbspEntity) {
			return " ", strings.Index(t, nbspEntity) + len(nbspEntity)
		}
		if !strings.HasPrefix(head, "#") {
			return "", 0
		}
		at, base := 1+strings.IndexByte(t[1:], '#')+1, 10
		if len(head) > 1 && (head[1] == 'x' || head[1] == 'X') {
			at, base = at+1, 16
		}
		return asRune(readNumber(t, at, 0, base, ";"))
	case '\\':
		at := 1
		for at < len(t)-1 && at < maxSlashes && t[at] == '\\' {
			at++
		}
		switch rest := t[at:]; {
		case strings.HasPrefix(rest, "u{"):
			return asRune(readNumber(t, at+2, 0, 16, "}"))
		case strings.HasPrefix(rest, "u"):
			return asRune(readNumber(t, at+1, 4, 16, ""))
		case strings.HasPrefix(rest, "x"):
			if n, end := readNumber(t, at+1, 2, 16, ""); end > 0 {
				return string([]byte{byte(n)}), end
			}
		case strings.HasPrefix(rest, "0"), strings.HasPrefix(rest, "1"):
			return asRune(readNumber(t, at, 3, 8, ""))
		}
	}
	return "", 0
}

// maxSlashes is the maximum number of backslashes at the beginning of an escape, and
// maxDigits of its digits.
const (
	maxSlashes = 8
	maxDigits  = 7
)

// readNumber reads a number at t[at] with exactly count digits, or with count 0 a
// number that ends before the tail. The end is 0 if there is none.
func readNumber(t string, at, count, base int, tail string) (n, end int) {
	end = at
	limit := at + maxDigits
	if count > 0 {
		limit = at + count
	}
	for end < min(len(t), limit) && isHex[t[end]] {
		end++
	}
	value, err := strconv.ParseInt(t[at:end], base, 32)
	if err != nil || count > 0 && end-at != count || !strings.HasPrefix(t[end:], tail) {
		return 0, 0
	}
	return int(value), end + len(tail)
}

// asRune returns the character of a number. It returns a blank for a no-break space, as
// the rules expect.
func asRune(n, end int) (string, int) {
	if n == '\u00a0' {
		n = ' '
	}
	if end == 0 || !utf8.ValidRune(rune(n)) {
		return "", 0
	}
	return string(rune(n)), end
}
