package find

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// isPlaceholder reports whether a value only takes the place of a secret: already
// hidden, a variable, a template, an instruction to the reader.
func isPlaceholder(v string) bool {
	if end := markAt(v, 0); end == len(v) && end > 0 {
		return true
	}
	v = strings.TrimSpace(v)
	if v == "" {
		return true
	}
	first, last := v[0], v[len(v)-1]
	switch {
	case strings.Trim(v, "*•·.-_?#~") == "", len(v) >= 3 && strings.Trim(v, "xX-_") == "", strings.Trim(v, "…•●∗＊") == "":
		return true
	case first == '<' && (last == '>' || !strings.Contains(v, ">")), first == '{' && last == '}', first == '[' && last == ']', first == '(' && last == ')':
		return true
	case strings.HasPrefix(v, "${"), strings.HasPrefix(v, "{{"), strings.HasPrefix(v, "$("), strings.HasPrefix(v, "<%"), strings.HasPrefix(v, "#{"), strings.HasPrefix(v, "$env:"), strings.HasPrefix(v, "{%"):
		return true
	case first == '$' && isWord.all(v[1:]) && !isDigit[v[1]]:
		return true
	case first == '%' && last == '%' && len(v) > 2, first == '%' && (len(v) == 2 && isAlpha[last] || strings.HasPrefix(v, "%(") || v == "%+v"):
		return true
	case strings.HasPrefix(v, "***") || strings.HasSuffix(v, "****"):
		return true
	case strings.Contains(v, "xxxx") || strings.Contains(v, "XXXX"):
		return true
	}
	low := strings.ToLower(v)
	for _, w := range terms().Placeholders {
		if strings.HasPrefix(low, w) {
			return true
		}
	}
	return strings.HasSuffix(low, "_here") || strings.HasSuffix(low, "-here") || low == "…" || low == "..."
}

func IsCommonValue(v string) bool {
	return terms().Common[strings.ToLower(strings.Trim(v, ".,:;!?()[]\"' "))]
}

// isExpression reports whether a value is an expression that yields the secret.
func isExpression(v string, quoted bool) bool {
	if quoted {
		return strings.HasPrefix(v, "env:") || strings.HasPrefix(v, "vault:") || strings.HasPrefix(v, "op://") || strings.HasPrefix(v, "file:")
	}
	if open := strings.IndexByte(v, '('); open > 0 && isDots.all(v[:open]) {
		return true // a call
	}
	if open := strings.IndexByte(v, '['); open > 0 && isDots.all(v[:open]) && markAt(v, open) < 0 {
		return true // an index, or a type
	}
	if strings.HasPrefix(v, "&") || strings.HasPrefix(v, "@") && isWord.all(v[1:]) || strings.HasPrefix(v, "!") && isAlpha.some(v) && len(v) < 12 || strings.HasPrefix(v, "~/") || strings.HasPrefix(v, "./") || strings.HasPrefix(v, "/run/") || strings.HasPrefix(v, "/etc/") || strings.HasPrefix(v, "/home/") || strings.HasPrefix(v, "/var/") {
		return true
	}
	head, _, dotted := strings.Cut(v, ".")
	if !dotted || !isDots.all(v) || isDigit.some(v) && !terms().Roots[head] {
		return false
	}
	return terms().Roots[head] || isMember(v)
}

// isMember reports whether every part of a dotted value is an identifier in
// letters, and one of them names what it holds.
func isMember(v string) bool {
	for part := range strings.SplitSeq(v, ".") {
		if part == "" || !isWord.all(part) {
			return false
		}
	}
	str, _ := judgeName(v)
	return str != none
}

// repeatsName reports whether the value repeats the name ("password=password",
// a label "Password").
func repeatsName(name, v string) bool {
	return strings.EqualFold(name, v) || strings.EqualFold(strings.Join(splitName(name), ""), strings.Join(splitName(v), "")) && len(splitName(v)) > 0 && isDots.all(v)
}

// isPlainWord reports whether v is one word of letters.
func isPlainWord(v string) bool {
	first, n := utf8.DecodeRuneInString(v)
	for i, r := range v {
		if !unicode.IsLetter(r) && r != '\'' && r != '-' || i > 0 && unicode.IsUpper(r) && unicode.IsLower(first) {
			return false
		}
	}
	return v != "" && (strings.ToLower(v[n:]) == v[n:] || strings.ToUpper(v) == v)
}

// isSentence reports whether a quoted value with blanks talks about a secret.
func isSentence(v string) bool {
	first, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(v)), " ")
	if !strings.Contains(strings.TrimSpace(v), " ") {
		return false
	}
	return terms().Openings[strings.Trim(first, ".,:;!?")] || strings.Contains(strings.ToLower(v), "password") || strings.Contains(strings.ToLower(v), "passwort")
}

// isRandom reports whether v looks generated:
// letters and digits in one word of eight or more, or a long mixed one.
func isRandom(v string) bool {
	if len(v) < 8 || strings.ContainsAny(v, " \t\n") {
		return false
	}
	if isDigit.some(v) && isAlpha.some(v) {
		return true
	}
	return len(v) >= 16 && isUpper.some(v) && isLower.some(v)
}

// isUnusual reports whether v has a digit or a sign among letters.
func isUnusual(v string) bool {
	return isAlpha.some(v) && (isDigit.some(v) || strings.ContainsAny(v, "!@#$%^&*_+=~"))
}
