package redact

import (
	"strings"

	"errand/policy/redact/find"
)

const (
	minCut    = 4 // bytes of a truncated secret to redact before dots
	enoughCut = 6 // bytes of a long secret whose match can't be a coincidence
)

// findCut finds truncated secrets: at the end of a text, before closing characters, and
// before an ellipsis. In a name it looks only before an ellipsis.
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

// leastAtEnd returns the minimum length in bytes of a truncated secret at the end of a
// text without an ellipsis: half of a short secret.
func leastAtEnd(secret string) int { return max(minCut, min(enoughCut, (len(secret)+1)/2)) }

// cutLength returns the length of the longest proper prefix of secret, at least of the
// given length, that text ends with, or 0. A word such as "password" reveals nothing, and
// digits inside a number are not a prefix.
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
