package print

// Shorten shortens text to n characters for a table.
func Shorten(text string, n int) string {
	if runes := []rune(text); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return text
}

// OrDash returns text, or "-" if it is empty.
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
