package jsonexact

import (
	"errors"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Texts says what in a JSON text's own texts can't be kept: bytes that are no
// UTF-8, and half of a surrogate pair ("\ud800"). encoding/json puts U+FFFD in the
// place of either without a word, and a name becomes another one. The text must be
// valid JSON otherwise; it takes time linear in it.
func Texts(text []byte) error {
	if !utf8.Valid(text) {
		return errors.New("it is no UTF-8")
	}
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		r, ok := escaped(text[i:])
		switch {
		case !ok:
			i++ // what is escaped is no \u
			continue
		case !utf16.IsSurrogate(r):
			i += 5
			continue
		}
		low, _ := escaped(text[min(i+6, len(text)):])
		if utf16.DecodeRune(r, low) == utf8.RuneError {
			return fmt.Errorf("%s in it is half a character", text[i:i+6])
		}
		i += 11
	}
	return nil
}

// escaped is the unit that an escape (\u0041) at the beginning of b stands for.
func escaped(b []byte) (rune, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	return rune(n), err == nil
}
