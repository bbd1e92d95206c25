// Package wordlist has what files of words in several languages share: templates of phrases, and the
// spelling by which words are compared.
package wordlist

import (
	"strings"
	"unicode"
)

// Fold is the spelling by which words are compared: lower case, ё as е, without apostrophes.
func Fold(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '\'', '’':
			return -1
		case 'ё', 'Ё':
			return 'е'
		case 'μ':
			return 'µ'
		}
		return unicode.ToLower(r)
	}, s)
}

// Expand lists the phrases of a template: [x] is optional, (a|b) is a choice, and both nest. Phrases
// are folded, with single spaces. It panics on unbalanced brackets.
func Expand(template string) []string {
	var out []string
	for _, phrase := range expand(template) {
		if phrase = Fold(strings.Join(strings.Fields(phrase), " ")); phrase != "" {
			out = append(out, phrase)
		}
	}
	return out
}

func expand(t string) []string {
	open := strings.IndexAny(t, "([")
	if open < 0 {
		return []string{t}
	}
	depth, from := 0, open+1
	var choices []string
	for i := open; i < len(t); i++ {
		switch t[i] {
		case '(', '[':
			depth++
		case '|':
			if depth == 1 {
				choices, from = append(choices, t[from:i]), i+1
			}
		case ')', ']':
			if depth--; depth > 0 {
				continue
			}
			choices = append(choices, t[from:i])
			if t[open] == '[' {
				choices = append(choices, "")
			}
			var out []string
			for _, c := range choices {
				out = append(out, expand(t[:open]+c+t[i+1:])...)
			}
			return out
		}
	}
	panic("wordlist: unbalanced template: " + t)
}
