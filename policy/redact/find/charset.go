package find

// charset is a set of bytes.
type charset [256]bool

// UnmarshalText reads a set of ranges and single bytes.
func (c *charset) UnmarshalText(text []byte) error {
	*c = bytesOf(string(text))
	return nil
}

func bytesOf(parts ...string) (c charset) {
	for _, p := range parts {
		for i := 0; i < len(p); i++ {
			if i+2 < len(p) && p[i+1] == '-' && p[i] < p[i+2] {
				for b := p[i]; b < p[i+2]; b++ {
					c[b] = true
				}
				i++ // skip the range's last byte
				continue
			}
			c[p[i]] = true
		}
	}
	return c
}

// count returns how many bytes of s are in the set.
func (c *charset) count(s string) int {
	n := 0
	for i := range len(s) {
		if c[s[i]] {
			n++
		}
	}
	return n
}

var (
	isDigit = bytesOf("0-9")
	isUpper = bytesOf("A-Z")
	isLower = bytesOf("a-z")
	isAlpha = bytesOf("A-Z", "a-z")
	isAlnum = bytesOf("A-Z", "a-z", "0-9")
	isHex   = bytesOf("0-9", "a-f", "A-F")
	isWord  = bytesOf("A-Z", "a-z", "0-9", "_")
	isToken = bytesOf("A-Z", "a-z", "0-9", "_", "-")      // base64url and most token bodies
	isDots  = bytesOf("A-Z", "a-z", "0-9", "_", "-", ".") // the same with parts
	isT68   = bytesOf("A-Z", "a-z", "0-9", "-", "._~+/=") // token68 of RFC 9110
	isName  = bytesOf("A-Z", "a-z", "0-9", "_", "-", ".") // of a key in code, config or a header
	isSpace = bytesOf(" \t\r\n")
	isGraph = bytesOf("!-~", "\x80-\xff") // no space and no control character
)

// maxRun limits the bytes of a token or a value. Without it, a text of beginnings only
// would take quadratic time.
const maxRun = 16 << 10

// upTo returns the end of the longest run of bytes in c from s[i], at most limit bytes.
func (c *charset) upTo(s string, i, limit int) int {
	for end := min(len(s), i+limit); i < end && c[s[i]]; {
		i++
	}
	return i
}

// startOfRun returns the start of the longest run of bytes in c that ends at i, at most
// limit bytes.
func (c *charset) startOfRun(s string, i, limit int) int {
	for from := max(0, i-limit); i > from && c[s[i-1]]; {
		i--
	}
	return i
}

// matchesAll reports whether s is not empty and all its bytes are in c.
func (c *charset) matchesAll(s string) bool {
	for i := range len(s) {
		if !c[s[i]] {
			return false
		}
	}
	return s != ""
}

// matchesAny reports whether a byte of s is in c.
func (c *charset) matchesAny(s string) bool {
	for i := range len(s) {
		if c[s[i]] {
			return true
		}
	}
	return false
}

// IsNumber reports whether s consists of digits.
func IsNumber(s string) bool { return isDigit.matchesAll(s) }
