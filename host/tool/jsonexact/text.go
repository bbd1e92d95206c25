package jsonexact

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Texts is an error where valid JSON says a character that no text can hold: half
// of a surrogate pair (RFC 8259 section 8.2), or bytes that are not UTF-8.
// encoding/json puts U+FFFD there without a word.
func Texts(text []byte) error {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n == 1 {
			return fmt.Errorf("byte %d is not UTF-8", i+1)
		}
		if r == '\\' {
			if n = 2; unit(text[i:]) >= 0 {
				if n = 6; utf16.IsSurrogate(unit(text[i:])) {
					if n = 12; utf16.DecodeRune(unit(text[i:]), unit(text[min(i+6, len(text)):])) == utf8.RuneError {
						return fmt.Errorf("byte %d: %s is half a character", i+1, text[i:i+6])
					}
				}
			}
		}
		i += n
	}
	return nil
}

// unit is the UTF-16 code unit that b begins with an escape of; -1 if it doesn't.
func unit(b []byte) rune {
	if len(b) < 6 || !bytes.HasPrefix(b, []byte(`\u`)) {
		return -1
	}
	u, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(u)
}
