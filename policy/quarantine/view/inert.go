package view

import (
	"strings"

	"errand/policy/rulefile"
)

// inertForms are the replacements of data/inert.toml.
var inertForms = rulefile.Load[struct {
	Form []struct {
		Pattern *rulefile.Pattern
		With    string
	}
}](files, "data/inert.toml")

// Inert rewrites the parts that make an injection work, such as forged turns, into text
// that people can still read.
func Inert(text string) string {
	text = dropInvisible(text)
	for _, f := range inertForms().Form {
		text = f.Pattern.Get().ReplaceAllString(text, f.With)
	}
	return text
}

// dropInvisible removes the invisible characters without a use in any language. Others
// are needed for Persian, emoji and Arabic.
func dropInvisible(text string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case 0x200C, 0x200D, 0xFE0E, 0xFE0F, 0xAD, 0x200E, 0x200F:
			return r
		}
		if invisible(r) {
			return -1
		}
		return r
	}, text)
}
