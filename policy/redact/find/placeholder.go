package find

import "strings"

// isPlaceholder reports whether a value is a placeholder of a secret.
func isPlaceholder(v string) bool {
	if end := markAt(v, 0); end == len(v) && end > 0 {
		return true
	}
	v = strings.TrimSpace(v)
	return v == "" || terms().Placeholder.Match(v)
}

// IsCommonValue reports whether a value is a common technical word.
func IsCommonValue(v string) bool {
	return terms().Common[strings.ToLower(strings.Trim(v, ".,:;!?()[]\"' "))]
}

// isExpression reports whether a value is an expression that evaluates to the secret.
func isExpression(v string, quoted bool) bool {
	if quoted {
		return terms().Reference.Match(v)
	}
	if terms().Expression.Match(v) {
		return true
	}
	if open := strings.IndexByte(v, '['); open >= 0 && markAt(v, open) < 0 && terms().Index.Match(v) {
		return true
	}
	return isMember(v)
}

// isMember reports whether every part of a dotted value is an identifier without
// digits, and one of them is the name of a secret.
func isMember(v string) bool {
	if !strings.Contains(v, ".") || isDigit.matchesAny(v) {
		return false
	}
	for part := range strings.SplitSeq(v, ".") {
		if part == "" || !isWord.matchesAll(part) {
			return false
		}
	}
	str, _ := judgeName(v)
	return str != none
}

// repeatsName reports whether the value repeats the name ("password=password",
// a label "Password").
func repeatsName(name, v string) bool {
	return strings.EqualFold(name, v) || strings.EqualFold(strings.Join(splitName(name), ""), strings.Join(splitName(v), "")) && len(splitName(v)) > 0 && isDots.matchesAll(v)
}

// isPlainWord reports whether v is one word of letters.
func isPlainWord(v string) bool { return terms().PlainWord.Match(v) }

// isSentence reports whether a quoted value with blanks is a sentence about a secret.
func isSentence(v string) bool {
	first, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(v)), " ")
	if !strings.Contains(strings.TrimSpace(v), " ") {
		return false
	}
	return terms().Openings[strings.Trim(first, ".,:;!?")] || strings.Contains(strings.ToLower(v), "password") || strings.Contains(strings.ToLower(v), "passwort")
}

// isRandom reports whether v looks generated: letters and digits in one word of eight
// or more characters, or a long word of mixed case.
func isRandom(v string) bool {
	if len(v) < 8 || strings.ContainsAny(v, " \t\n") {
		return false
	}
	if isDigit.matchesAny(v) && isAlpha.matchesAny(v) {
		return true
	}
	return len(v) >= 16 && isUpper.matchesAny(v) && isLower.matchesAny(v)
}

// isSpoken reports whether a word of a sentence is the secret that the words before it
// name, and not a file, version, date or address.
func isSpoken(v string, str strength) bool {
	if str == digits {
		return isDigit.matchesAll(v) && len(v) >= 3 && len(v) <= 8
	}
	if terms().Thing.Match(v) {
		return false
	}
	switch str {
	case strong:
		return len(v) >= 6 && isUnusual(v)
	case medium, weak:
		return len(v) >= 8 && isDigit.matchesAny(v) && isAlpha.matchesAny(v) && !strings.ContainsAny(v, "/.:") && countChanges(v) >= minChanges
	}
	return false
}

// minChanges is how often upper case, lower case and digits must alternate in the
// secrets of sentences: "hunter2Xq9", but not "economy2030".
const minChanges = 4

// isUnusual reports whether v has a digit or a punctuation character among letters.
func isUnusual(v string) bool {
	return isAlpha.matchesAny(v) && (isDigit.matchesAny(v) || strings.ContainsAny(v, "!@#$%^&*_+=~"))
}
