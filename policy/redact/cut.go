package redact

import (
	"strings"

	"errand/policy/redact/find"
)

const (
	minCut    = 4 // bytes of a secret's beginning that are taken out before dots
	enoughCut = 6 // bytes of the beginning of a long secret that are no chance
)

// findCut finds beginnings of secrets where a text has been cut: at its end,
// before what closes it, and before dots that stand for more; in a name before
// dots alone.
func findCut(text string, all []spelling, name bool, found func(find.Span)) {
	if len(all) == 0 {
		return
	}
	at := func(end int, least func(string) int) {
		for _, sp := range all {
			if k := cutLength(text[:end], sp.text, least(sp.text)); k > 0 {
				found(find.Span{Start: end - k, End: end, Kind: "own", Secret: sp.secret})
			}
		}
	}
	if !name {
		at(len(text), leastAtEnd)
		at(len(strings.TrimRight(text, " \t\r\n\u00a0.…\ufffd\"'`”’»)]}>")), leastAtEnd)
	}
	for _, dots := range []string{"…", "..."} {
		for from := 0; ; {
			i := strings.Index(text[from:], dots)
			if i < 0 {
				break
			}
			at(from+i, func(string) int { return minCut })
			for from += i; strings.HasPrefix(text[from:], dots); {
				from += len(dots)
			}
		}
	}
}

// leastAtEnd is how much of a secret, in bytes, must stand at the end of a text
// that nothing says was cut: half of a short one.
func leastAtEnd(secret string) int { return max(minCut, min(enoughCut, (len(secret)+1)/2)) }

// cutLength is the length of the longest beginning of secret that text ends
// with, not all of it and at least so many bytes; 0 for none. A word such as
// "password" gives nothing away, and digits inside a number are no beginning.
func cutLength(text, secret string, least int) int {
	for k := min(len(secret)-1, len(text)); k >= least; k-- {
		k = strings.LastIndexByte(secret[:k], text[len(text)-1]) + 1
		if k < least {
			return 0
		}
		before := text[:len(text)-k]
		if text[len(before):] != secret[:k] || before != "" && isDigit(secret[0]) && isDigit(before[len(before)-1]) {
			continue
		}
		if find.IsCommonValue(secret[:k]) {
			return 0
		}
		return k
	}
	return 0
}
