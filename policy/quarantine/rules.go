package quarantine

import (
	"embed"
	"io/fs"

	"errand/policy/rulefile"
)

//go:embed rules data
var files embed.FS

// rule is one kind of evidence: a table [[rule]] of rules/*.toml.
type rule struct {
	Technique string
	Weight    float64
	// Pattern is a regular expression for folded text. {{name}} is replaced by a class
	// of words, {{gap n}} by up to n words within a sentence. Line breaks and the
	// indentation after them are ignored.
	Pattern string
	// Need are literals, one of which is in every match. They are for rules whose
	// matches don't begin with known words: these are tried only around the literals.
	Need []string
	// Order means that the match begins with a verb in the imperative: not negated and
	// without another subject.
	Order bool
	// Verb means that the match begins with a word that can be a verb.
	Verb bool
	// Concealed limits the rule to views of text that a reader doesn't see.
	Concealed bool
	// Raw matches the text before folding.
	Raw bool
	// With is a list of techniques. The rule counts only in a passage with evidence of
	// one of them, of weight 2 or more.
	With []string
	// Unopened limits a rule for closing tags to those without an opening tag.
	Unopened bool

	// Rows, Reach, End and Script are those of rules/languages.toml.
	Rows   [][]string
	Reach  int
	End    string
	Script string

	// lang is the language of the rule, "" for English and for rules of any language.
	// Evidence of another language does not support it.
	lang string
	// contents are literals, one of which is in every match; nil if unknown.
	contents []string
	source   string // the regular expression
	// parts are what every match contains from its beginning: one pattern, or the words
	// of a row.
	parts []string
}

// ruleFile is one file of rules.
type ruleFile struct {
	// Words are classes of words, as alternatives of regular expressions.
	Words map[string]string
	// Languages are the files of rules/languages.
	Languages []string
	Rule      []rule
}

// loadRules reads all rules, those of other languages last.
func loadRules() []*rule {
	var all []*rule
	names, _ := fs.Glob(files, "rules/*.toml")
	for _, name := range names {
		if name == "rules/words.toml" || name == "rules/languages.toml" {
			continue
		}
		var f ruleFile
		rulefile.Read(files, name, &f)
		for i := range f.Rule {
			r := &f.Rule[i]
			r.parts = []string{expand(r.Pattern, f.Words, sharedWords().Words)}
			r.source = r.parts[0]
			all = append(all, r)
		}
	}
	return append(all, languageRules()...)
}

// sharedWords are the classes of words in rules/words.toml.
var sharedWords = rulefile.Load[ruleFile](files, "rules/words.toml")

var placeholder = rulefile.New(`\{\{(\w+)(?: (\d+))?\}\}`)

// expand replaces the placeholders of a pattern by the first class of their name.
func expand(pattern string, classes ...map[string]string) string {
	return placeholder.Get().ReplaceAllStringFunc(rulefile.Join(pattern), func(p string) string {
		m := placeholder.Get().FindStringSubmatch(p)
		if m[1] == "gap" {
			return gapPattern(m[2])
		}
		for _, words := range classes {
			if w, ok := words[m[1]]; ok {
				return expand(w, classes...)
			}
		}
		panic("quarantine: no class of words is called " + p)
	})
}

// gapPattern matches up to n words within a sentence.
func gapPattern(n string) string {
	return `(?:[^\pL\pN.!?;"\x60]+[\pL\pN'_-]+){0,` + n + `}?[^\pL\pN.!?;"\x60]+`
}
