package find

import "strings"

// decodePluses replaces the "+" of URL queries and forms by blanks. A sum such as
// "salt+password" keeps its sign: outside of a query, at least two signs in one run of
// characters have to join words. It returns false if nothing changes.
func decodePluses(p Page) (Page, bool) {
	t := p.Text
	at := strings.IndexByte(t, '+')
	if at < 0 {
		return p, false
	}
	var text []byte
	for at < len(t) {
		start := isGraph.startOfRun(t, at, maxRun)
		end := isGraph.upTo(t, at, maxRun)
		if run := t[start:end]; countPluses(run) >= minPluses(run) {
			if text == nil {
				text = []byte(t)
			}
			for i := start; i < end; i++ {
				if joinsWords(t, i) {
					text[i] = ' '
				}
			}
		}
		next := strings.IndexByte(t[end:], '+')
		if next < 0 {
			break
		}
		at = end + next
	}
	if text == nil {
		return p, false
	}
	// Each sign becomes one byte, so the places stay the same.
	p.Text = string(text)
	return p, true
}

// minPluses returns how many "+" a run of characters needs to count as the words of a
// form.
func minPluses(run string) int {
	if strings.ContainsAny(run[:strings.IndexByte(run, '+')], "?=&") {
		return 1
	}
	return 2
}

func countPluses(run string) int {
	n := 0
	for i := range len(run) {
		if joinsWords(run, i) {
			n++
		}
	}
	return n
}

// joinsWords reports whether t[i] is a "+" with a word before it and a character other
// than a blank or "+" after it.
func joinsWords(t string, i int) bool {
	return t[i] == '+' && i > 0 && i+1 < len(t) && t[i-1] != '+' && t[i+1] != '+' && isGraph[t[i-1]] && isGraph[t[i+1]]
}
