package quarantine

import (
	"strings"
	"unicode/utf8"
)

// A long text is looked through window by window, so that what it unfolds to is
// never held all at once and nothing in it can cost more than a window can.
// Windows overlap, and each answers for the middle of it: a passage at an edge
// is seen whole by one of them.
const (
	windowSize = 32 << 10
	overlap    = 4 << 10
	edge       = overlap / 2
)

// maxSpans is how many places are looked for. A text that has so many is
// suspect whatever else is in it, and the rest is made inert all the same.
const maxSpans = 200

// window is text[from:to], and the part of it, [first,last), that it answers
// for.
type window struct{ from, to, first, last int }

// windows cuts a text, never inside a rune.
func windows(text string) []window {
	var out []window
	for from := 0; ; {
		to := runeStart(text, min(len(text), from+windowSize))
		w := window{from, to, from + edge, to - edge}
		if from == 0 {
			w.first = 0
		}
		if to == len(text) {
			w.last = len(text) + 1
			return append(out, w)
		}
		out = append(out, w)
		from = runeStart(text, to-overlap)
	}
}

// runeStart is i, or where the rune that text[i] is in begins.
func runeStart(text string, i int) int {
	for from := i; i > 0 && i > from-utf8.UTFMax && i < len(text) && !utf8.RuneStart(text[i]); {
		i--
	}
	return i
}

// tagsOpened says where in a text each element is first opened.
func tagsOpened(text string) map[string]int {
	const most = 1000 // names; a page has fewer
	first := map[string]int{}
	for at := 0; len(first) < most; {
		i := strings.IndexByte(text[at:], '<')
		if i < 0 {
			break
		}
		at += i + 1
		end := at
		for end < len(text) && end-at < 40 && (isLetter(text[end]) && text[end] < utf8.RuneSelf || strings.IndexByte("_-", text[end]) >= 0) {
			end++
		}
		name := strings.ToLower(text[at:end])
		if _, known := first[name]; !known && name != "" {
			first[name] = at - 1
		}
	}
	return first
}
