package print

import (
	"fmt"
	"strings"
)

// Count is a number with its noun: "1 page", "2 pages".
func Count(n int, one, many string) string {
	if n == 1 {
		return fmt.Sprintf("%d %s", n, one)
	}
	return fmt.Sprintf("%d %s", n, many)
}

// CountSteps is "1 step" or "2 steps".
func CountSteps(n int) string { return Count(n, "step", "steps") }

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

// FormatBytes is a number of bytes for people.
func FormatBytes[N int | int64 | uint64](n N) string {
	switch {
	case n >= 10<<20:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
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
