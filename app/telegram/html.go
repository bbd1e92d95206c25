package telegram

import (
	"strings"
	"unicode/utf16"
)

// maxPlain is the most characters of a text that a message has, beside its headings.
const maxPlain = 3200

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
