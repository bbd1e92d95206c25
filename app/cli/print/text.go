package print

import (
	"strings"
	"unicode/utf8"
)

// Shorten cuts text to n characters for a table.
func Shorten(text string, n int) string {
	if runes := []rune(text); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return text
}

// OrDash is text, or "-" in place of an empty one.
func OrDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// FirstOf returns the first text that is not empty.
func FirstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// quote quotes a value for a shell.
func quote(v string) string {
	if v != "" && !strings.ContainsFunc(v, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:", r))
	}) {
		return v
	}
	return "'" + strings.ReplaceAll(v, "'", `'\''`) + "'"
}

// PrintLines prints a text of several lines.
func (s *Console) PrintLines(text string) {
	for line := range strings.Lines(text) {
		s.Printf("%s", strings.TrimSuffix(line, "\n"))
	}
}

// Cells are the texts of codes, as wide as the widest.
func (s *Console) Cells(codes ...string) []string {
	texts, widest := s.Row(codes...), 0
	for _, t := range texts {
		widest = max(widest, utf8.RuneCountInString(t))
	}
	for i, t := range texts {
		texts[i] = t + strings.Repeat(" ", widest-utf8.RuneCountInString(t))
	}
	return texts
}
