package find

import (
	"embed"

	"errand/policy/rulefile"
)

//go:embed rules
var files embed.FS

// terms are the names and words of rules/words.toml, which explains them.
var terms = rulefile.Load[struct {
	KeyWords rulefile.Words `toml:"key_words"`
	Suffixes []struct {
		Kind     string
		Strength strength
		Ends     rulefile.Words
	}
	Qualifiers, Harmless, Common, Openings, Roots rulefile.Words
	FieldWords                                    rulefile.Words `toml:"field_words"`
	PublicPrefixes                                rulefile.Words `toml:"public_prefixes"`

	Placeholders     []string
	ForeignPasswords []string `toml:"foreign_passwords"`
	ForeignKeys      []string `toml:"foreign_keys"`
}](files, "rules/words.toml")
