package print

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"errand/app/i18n"
	"errand/planner/message"
)

// Encode writes a JSON document and a newline. Messages in it get their texts. It escapes hidden
// characters, because people read JSON at terminals; the document means the same to a parser.
func (s *Console) Encode(w io.Writer, v any, indent string) error {
	doc, err := marshal(v, i18n.ForTag(s.Goal))
	if err != nil {
		return err
	}
	return writeJSON(w, doc, indent)
}

// writeJSON writes a document and a newline, without hidden characters.
func writeJSON(w io.Writer, doc []byte, indent string) error {
	var b bytes.Buffer
	if indent == "" {
		b.Write(doc)
	} else if err := json.Indent(&b, doc, "", indent); err != nil {
		return err
	}
	b.WriteByte('\n')
	_, err := w.Write(escapeHidden(b.Bytes()))
	return err
}

// isEscaped reports whether Encode escapes a character. Joiners and the emoji selector stay,
// because emoji and some scripts need them.
func isEscaped(r rune) bool {
	return message.IsHidden(r) && r != '\u200c' && r != '\u200d' && r != '\ufe0f'
}

// escapeHidden escapes the hidden characters of a JSON document. Outside of ASCII, they
// occur in strings only.
func escapeHidden(doc []byte) []byte {
	if !bytes.ContainsFunc(doc, func(r rune) bool { return r >= 0x7f && isEscaped(r) }) {
		return doc
	}
	out := make([]byte, 0, len(doc)+64)
	for _, r := range string(doc) { // an encoder writes valid UTF-8
		switch {
		case r < 0x7f || !isEscaped(r):
			out = utf8.AppendRune(out, r)
		case r <= 0xffff:
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		}
	}
	return out
}
