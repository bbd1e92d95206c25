package find

import (
	"strings"

	"errand/policy/rulefile"
)

// MaxPEM limits, in bytes, the search for the end of a block; a 16384-bit RSA key has
// 13 KB.
const MaxPEM = 64 << 10

// keyReader finds blocks of private keys.
type keyReader struct {
	*source
	add func(kind string, start, end int)
}

var (
	keyBegin = rulefile.New(`\A(?i:BEGIN) [^-\n]*PRIVATE (?:RSA )?KEY[^\n]*?-{4,}`)
	keyEnd   = rulefile.New(`\AEND [^\n]*?-{4,}`)
	keyTail  = rulefile.New(`(?:[… \t\r\n"',>|]|\\+[nr])*\z`)
	keyCount = rulefile.New(`\A[^\n\\]{0,15}(?:\n|\\+[nr])`)
	// Base64 or headers or empty lines, optionally between quotes and commas. Both a
	// line feed and its escapes end a line.
	keyLines = rulefile.New(`\A(?:[ \t"',>|+.…]*(?:[A-Za-z0-9+/=]+|(?:Proc-Type|DEK-Info|Comment|Version|Hash|Charset):[^\n\\]*)?[ \t\r"',>|+.…]*(?:\n|\\+[nr]|\z))*`)
)

// readBegin reads from the BEGIN line of a private key (RFC 7468, or SSH2 with four
// dashes) to its END. If the block was truncated, it reads all lines that can belong to
// a key.
func (k *keyReader) readBegin(pos int) {
	from, ok := k.match(keyBegin, pos)
	if !ok {
		return
	}
	line := strings.TrimSuffix(k.line(pos, matchReach), " ")
	dashes := len(line) - len(strings.TrimRight(line, "-"))
	if dashes < 4 {
		return
	}
	start := strings.LastIndexByte(k.Text[:pos], '-') + 1 - dashes
	limit := min(len(k.Text), from+MaxPEM)
	if next := strings.Index(k.Text[from:limit], "BEGIN "); next >= 0 {
		limit = from + next
	}
	if end := strings.Index(k.Text[from:limit], "END "); end >= 0 {
		if at, ok := k.match(keyEnd, from+end); ok {
			k.add("private-key", start, at)
			return
		}
	}
	k.noteRead(limit)
	if end := k.skipLines(from, limit); end > from {
		k.add("private-key", start, end)
	}
}

// readPrivateLines reads the private lines of a PuTTY key file, after their heading.
func (k *keyReader) readPrivateLines(i int) {
	if count, ok := k.match(keyCount, i); ok {
		k.add("private-key", count, k.skipLines(count, min(len(k.Text), i+MaxPEM)))
	}
}

// skipLines returns the end of the lines in text[i:limit] that can belong to a key.
func (k *keyReader) skipLines(i, limit int) int {
	block := keyLines.Get().FindString(k.Text[i:limit])
	k.effort.addBytes(len(block))
	return i + len(block) - len(keyTail.Get().FindString(block))
}
