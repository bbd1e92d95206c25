package quarantine

import "strings"

// Patterns are dear and most texts have nothing for them. A sign is a cheap
// look for what every match has.

// has reports texts with a run of at least n bytes of a set: ranges and single
// bytes, a dash last for itself.
func has(n int, set string) func(string) bool {
	var in [256]bool
	for i := 0; i < len(set); i++ {
		in[set[i]] = true
		if i+2 < len(set) && set[i+1] == '-' {
			for c := int(set[i]); c <= int(set[i+2]); c++ {
				in[c] = true
			}
			i += 2
		}
	}
	return func(text string) bool {
		run := 0
		for i := range len(text) {
			if !in[text[i]] {
				run = 0
			} else if run++; run >= n {
				return true
			}
		}
		return false
	}
}

// times reports texts that hold a mark at least n times.
func times(n int, mark string) func(string) bool {
	return func(text string) bool { return strings.Count(text, mark) >= n }
}

// anyOf reports texts that hold one of the words.
func anyOf(words ...string) func(string) bool {
	return func(text string) bool { return containsAny(text, words) }
}

// anyOfFolded is anyOf in whatever case.
func anyOfFolded(words ...string) func(string) bool {
	return func(text string) bool { return containsAny(strings.ToLower(text), words) }
}

// setApart reports texts in which single letters may be set apart: five or
// more, each with a gap behind it.
func setApart(text string) bool {
	last, streak := -1, 0
	for i := range len(text) {
		c := text[i]
		if c == '\n' {
			last, streak = -1, 0
			continue
		}
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '@' || c == '$' || c == '!') {
			continue
		}
		if gap := i - last - 1; last >= 0 && gap >= 1 && gap <= 16 {
			if streak++; streak >= 5 {
				return true
			}
		} else {
			streak = 0
		}
		last = i
	}
	return false
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
