package find

import (
	"fmt"
	"slices"
	"strings"

	"errand/policy/rulefile"
)

// strength is how much the name of a key proves about its value; rules/words.toml
// explains each.
type strength int

const (
	none strength = iota
	weak
	medium
	strong
	digits
	randoms
	mixes // longer and of mixed case: "cohere key"
)

// UnmarshalText reads a strength.
func (s *strength) UnmarshalText(text []byte) error {
	i := slices.Index([]string{"none", "weak", "medium", "strong", "digits", "random"}, string(text))
	if i < 0 {
		return fmt.Errorf("unknown strength %q", text) // the rules are embedded, so no user sees it
	}
	*s = strength(i)
	return nil
}

// NamesSecret reports whether the name, label or selector of a field means that its
// value is a secret: "Password", "Security code", "Пароль".
func NamesSecret(name string) bool {
	str, _ := judgeLabel(name)
	joined := strings.Join(splitName(name), "")
	return str == strong || str == medium || str == digits ||
		endsWith(joined, terms().FieldWords)
}

// judgeLabel does the same as judgeName for the words of a heading or a label, in any
// language.
func judgeLabel(label string) (strength, string) {
	for _, w := range terms().ForeignPasswords {
		if strings.Contains(label, w) {
			return strong, "password"
		}
	}
	return judgeName(label)
}

// judgeName returns what a name proves about its value, and the kind of the secret.
func judgeName(name string) (strength, string) {
	words := splitName(name)
	for len(words) > 1 && (terms().Qualifiers[words[len(words)-1]] || isDigit.matchesAll(words[len(words)-1])) {
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return none, ""
	}
	joined := strings.TrimRight(strings.Join(words, ""), "0123456789")
	if terms().Harmless[joined] {
		return none, ""
	}
	last := words[len(words)-1]
	for _, n := range terms().Names {
		if n.Is[joined] || n.Last[last] || endsWith(joined, n.Ends) {
			return n.Strength, n.Kind
		}
	}
	if last == "key" && len(words) > 1 {
		if endsWith(joined, terms().Harmless) {
			return none, ""
		}
		return randoms, "key"
	}
	return none, ""
}

// longestEnd is the most bytes that a word has which ends a name.
const longestEnd = 40

func endsWith(s string, ends rulefile.Words) bool {
	for i := max(0, len(s)-longestEnd); i < len(s); i++ {
		if ends[s[i:]] {
			return true
		}
	}
	return false
}

// splitName splits a name into lower-case words, at everything but letters and digits
// and at the capitals of camelCase.
func splitName(name string) []string {
	var words []string
	start := -1
	cut := func(i int) {
		if start >= 0 {
			words = append(words, strings.ToLower(name[start:i]))
		}
		start = -1
	}
	for i := range len(name) {
		c := name[i]
		if !isAlnum[c] {
			cut(i)
			continue
		}
		if start >= 0 && isUpper[c] && (isLower[name[i-1]] || isDigit[name[i-1]] || i+1 < len(name) && isLower[name[i+1]] && isUpper[name[i-1]]) {
			cut(i)
		}
		if start < 0 {
			start = i
		}
	}
	cut(len(name))
	return words
}
