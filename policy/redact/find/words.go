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
	Names    []struct {
		Kind           string
		Strength       strength
		Is, Last, Ends rulefile.Words
	}
	Qualifiers, Harmless, Common, Openings, Joints rulefile.Words
	FieldWords                                     rulefile.Words `toml:"field_words"`
	PublicPrefixes                                 rulefile.Words `toml:"public_prefixes"`

	Placeholder, Reference, Expression, Index, Prose, Thing *rulefile.Pattern
	PlainWord                                               *rulefile.Pattern `toml:"plain_word"`
	ForeignPasswords                                        []string          `toml:"foreign_passwords"`
	ForeignKeys                                             []string          `toml:"foreign_keys"`
	Columns                                                 []string
}](files, "rules/words.toml")
