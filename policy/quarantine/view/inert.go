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

// Inert rewrites what gives an injection its power into something that a person
// can still read.
func Inert(text string) string {
	text = dropInvisible(text)
	for _, f := range inertForms().Form {
		text = f.Pattern.Get().ReplaceAllString(text, f.With)
	}
	return text
}

// dropInvisible removes the invisible characters that have no use in any
// language; the others shape Persian, emoji and Arabic.
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
