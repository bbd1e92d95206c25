package jsonstrict

import (
	"bytes"
	"errors"
	"io"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"errand/planner/message"
)

// CheckText returns an error if JSON text has a character that a Go string can't hold: an
// unpaired surrogate (RFC 8259 section 8.2) or invalid UTF-8. encoding/json silently
// replaces it by U+FFFD. CheckText stops at the first syntax error and doesn't report it.
func CheckText(text []byte) error {
	d := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true))
	for {
		err := d.SkipValue()
		var syntax *jsontext.SyntacticError
		switch {
		case err == nil:
			continue
		case errors.Is(err, io.EOF) || !errors.As(err, &syntax) || syntax.ByteOffset >= int64(len(text)):
			return nil
		}
		at := text[syntax.ByteOffset:]
		if r, n := utf8.DecodeRune(at); r == utf8.RuneError && n == 1 {
			return message.Error("json.not_utf8", "position", syntax.ByteOffset+1)
		}
		if bytes.HasPrefix(at, []byte(`\u`)) && len(at) >= 6 && bytes.IndexByte([]byte("dD"), at[2]) >= 0 {
			return message.Error("json.half_character", "position", syntax.ByteOffset+1, "escape", at[:6])
		}
		return nil
	}
}
