package telegram

import (
	"strings"
	"unicode/utf16"
)

// Limits of texts in a message, in UTF-16, so that all parts of one fit into [telegram.MaxText].
const (
	maxPlain = 2400 // a plan or an answer
	maxShort = 600  // a question, a hint or a reason
	maxLine  = 150  // a choice or a title
)

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// escape makes a text safe in the HTML of Telegram.
func escape(text string) string { return escaper.Replace(text) }

func bold(text string) string { return "<b>" + escape(text) + "</b>" }

// quote marks lines that may be those of a page or a file, so that they can't look like words of Errand.
func quote(text string) string { return "<blockquote>" + escape(text) + "</blockquote>" }

// cut returns the beginning of a text that fits into a message. Telegram counts UTF-16.
func cut(text string, limit int) (string, bool) {
	n := 0
	for i, r := range text {
		if n += utf16.RuneLen(r); n > limit {
			return strings.TrimRight(text[:i], "\n ") + "…", true
		}
	}
	return text, false
}
