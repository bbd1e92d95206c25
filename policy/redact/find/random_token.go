package find

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

// Limits of tokens without a name or a known issuer: long random words, or encodings of
// text that contains a secret.

const (
	// minOpaque is the minimum length in bytes of such a word.
	minOpaque = 24
	// minIssued is the minimum length of the random part of a token of an unknown
	// issuer. Ids that services give to their objects are shorter.
	minIssued = 32
	// maxLayer limits the bytes of an encoded text that are decoded.
	maxLayer = 64 << 10
)

var (
	isOpaque = bytesOf("A-Z", "a-z", "0-9", "+/=_-")
	isURL    = bytesOf("!#-&(-;=?-[]-_a-~") // as written in text
)

// findOpaque searches the long words of a text. It looks only at every minOpaque-th
// byte, which every long word contains.
func (s *scanner) findOpaque() {
	for i := minOpaque - 1; i < len(s.Text); i += minOpaque {
		if !isOpaque[s.Text[i]] {
			continue
		}
		start := isOpaque.startOfRun(s.Text, i, minOpaque)
		end := isOpaque.upTo(s.Text, i, maxLayer)
		if end-start >= minOpaque {
			s.findIssued(start, end)
			s.decodeLayer(start, end)
		}
		i = max(i, end-1)
	}
}

// findIssued finds tokens with a prefix in letters of one case, as issuers use, and a
// long random rest.
func (s *scanner) findIssued(start, end int) {
	for start < end {
		stop := isToken.upTo(s.Text, start, end-start)
		if word := s.Text[start:stop]; isIssuedToken(word) && !s.isInURL(start) {
			s.add("token", start, start+len(strings.TrimRight(word, "-_")))
		}
		start = stop + 1
	}
}

func isIssuedToken(word string) bool {
	cut := strings.IndexAny(word, "_-")
	if cut < 1 || cut > 12 || len(word)-cut-1 < minIssued {
		return false
	}
	prefix, body := word[:cut], word[cut+1:]
	if !isAlpha[prefix[0]] || isUpper.matchesAny(prefix) && isLower.matchesAny(prefix) || terms().PublicPrefixes[strings.ToLower(prefix)] {
		return false
	}
	return isScattered(body)
}

// isScattered reports whether upper case, lower case and digits alternate as in
// generated text.
func isScattered(body string) bool {
	return isUpper.count(body) >= 4 && isLower.count(body) >= 4 && isDigit.count(body) >= 3 && countChanges(body) >= len(body)*2/5
}

// countChanges counts the runs of upper case, lower case, digits and other characters.
func countChanges(s string) int {
	changes := 0
	last := byte(0)
	for i := range len(s) {
		kind := byte(0)
		switch c := s[i]; {
		case isUpper[c]:
			kind = 'A'
		case isLower[c]:
			kind = 'a'
		case isDigit[c]:
			kind = '0'
		}
		if kind != last {
			changes++
		}
		last = kind
	}
	return changes
}

// isInURL reports whether text[i] is in a URL. There the names of parameters decide,
// and the path contains ids of things.
func (s *scanner) isInURL(i int) bool {
	start := isURL.startOfRun(s.Text, i, 400)
	return strings.Contains(s.Text[start:i], "://")
}

// decodeLayer decodes a word and redacts it if the decoded text contains a secret.
func (s *scanner) decodeLayer(start, end int) {
	if s.inner {
		return // decode one layer, which is what logs and configurations have
	}
	word := s.Text[start:end]
	if eq := strings.IndexByte(word, '='); eq > 0 && eq < len(word)-2 { // name=value
		start += eq + 1
		word = word[eq+1:]
	}
	word = strings.TrimRight(word, "=")
	text, ok := decodeWord(word)
	if !ok {
		return
	}
	in := newScanner(ReadPage(text), Marks(text))
	in.inner = true
	in.scan()
	if len(in.spans) > 0 {
		s.add("encoded", start, end)
	}
}

// decodeWord decodes hex or base64 of either alphabet. It returns false if the result
// is not text.
func decodeWord(word string) (string, bool) {
	if len(word) < minOpaque {
		return "", false
	}
	if len(word)%2 == 0 && isHex.matchesAll(word) {
		b, err := hex.DecodeString(word)
		return toText(b, err)
	}
	enc := base64.RawStdEncoding
	if strings.ContainsAny(word, "-_") {
		enc = base64.RawURLEncoding
	}
	head, err := enc.DecodeString(word[:minOpaque])
	if _, ok := toText(head[:max(0, len(head)-2)], err); !ok {
		return "", false // most words fail at their first bytes
	}
	if len(word)%4 == 1 {
		word = word[:len(word)-1] // the text was truncated
	}
	b, err := enc.DecodeString(word)
	return toText(b, err)
}

// toText returns decoded bytes as text, if they are UTF-8, or ASCII as UTF-16.
func toText(b []byte, err error) (string, bool) {
	if zeros := bytes.Count(b, []byte{0}); zeros > len(b)/3 {
		b = bytes.ReplaceAll(b, []byte{0}, nil)
	}
	return string(b), err == nil && isText(b)
}

// isText reports whether bytes are text: they have no control characters except white
// space. The last character may be truncated.
func isText(b []byte) bool {
	bad := bytes.IndexFunc(b, func(r rune) bool {
		return r == utf8.RuneError || r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == 0x7f
	})
	return len(b) > 0 && (bad < 0 || b[bad] >= utf8.RuneSelf && len(b)-bad < utf8.UTFMax)
}
