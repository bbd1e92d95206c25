package view

import (
	"strings"
	"unicode/utf8"
)

// A long text is read in overlapping windows, so that its decoded forms never have to
// be in memory all at once. Each window is responsible for its middle, so one of them
// contains each passage whole.
const (
	windowSize = 32 << 10
	overlap    = 4 << 10
	edge       = overlap / 2
)

// Window is text[From:To]. It is responsible for [First,Last) of the text.
type Window struct{ From, To, First, Last int }

// Windows splits a text into windows, never inside a rune.
func Windows(text string) []Window {
	var out []Window
	for from := 0; ; {
		to := runeStart(text, min(len(text), from+windowSize))
		w := Window{from, to, from + edge, to - edge}
		if from == 0 {
			w.First = 0
		}
		if to == len(text) {
			w.Last = len(text) + 1
			return append(out, w)
		}
		out = append(out, w)
		from = runeStart(text, to-overlap)
	}
}

// runeStart returns the beginning of the rune that text[i] is in.
func runeStart(text string, i int) int {
	for from := i; i > 0 && i > from-utf8.UTFMax && i < len(text) && !utf8.RuneStart(text[i]); {
		i--
	}
	return i
}

// OpenedTags returns where in a text each element is first opened, for the
// first 1,000 names.
func OpenedTags(text string) map[string]int {
	const most, longest = 1000, 40
	first := map[string]int{}
	for at := 0; len(first) < most; {
		i := strings.IndexByte(text[at:], '<')
		if i < 0 {
			break
		}
		at += i + 1
		end := at
		for end < len(text) && end-at < longest && (IsLetter(text[end]) && text[end] < utf8.RuneSelf || strings.IndexByte("_-", text[end]) >= 0) {
			end++
		}
		name := strings.ToLower(text[at:end])
		if _, known := first[name]; !known && name != "" {
			first[name] = at - 1
		}
	}
	return first
}
