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
	// Pattern is a regular expression for folded text. {{name}} stands for a
	// class of words, {{gap n}} for up to n words within a sentence. Line breaks
	// and the indentation behind them don't count.
	Pattern string
	// Need are literals, one of which is in every match. Rules whose matches
	// begin with known words don't need them; the others are tried around them
	// only.
	Need []string
	// Order means that the match begins with a verb in the imperative: not
	// negated and not reported of somebody else.
	Order bool
	// Verb means that the match begins with a word that can be a verb.
	Verb bool
	// Concealed keeps the rule to views of text that a reader doesn't see.
	Concealed bool
	// Raw matches the text before folding.
	Raw bool
	// With names techniques: the rule counts only in a passage that has evidence
	// of one of them, of weight 2 or more.
	With []string
	// Unopened keeps a rule for closing tags to those that nothing opened.
	Unopened bool

	// Rows, Reach, End and Script are those of rules/languages.toml.
	Rows   [][]string
	Reach  int
	End    string
	Script string

	// lang is the language of the rule, "" for English and for rules of any
	// language. Evidence of another language doesn't support it.
	lang string
	// contents are literals, one of which is in every match; nil if unknown.
	contents []string
	pattern  *rulefile.Pattern
	// parts are what every match has, from its beginning on: one pattern, or the
	// words of a row.
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
			r.pattern = rulefile.New(r.parts[0])
			all = append(all, r)
		}
	}
	return append(all, languageRules()...)
}

// sharedWords are the classes of words and lists of rules/words.toml.
var sharedWords = rulefile.Load[ruleFile](files, "rules/words.toml")

var placeholder = rulefile.New(`\{\{(\w+)(?: (\d+))?\}\}`)

// expand replaces the placeholders of a pattern by what the first of the
// classes has under their names.
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

// gapPattern allows up to n words between two others, within a sentence.
func gapPattern(n string) string {
	return `(?:[^\pL\pN.!?;"\x60]+[\pL\pN'_-]+){0,` + n + `}?[^\pL\pN.!?;"\x60]+`
}
