package redact

import (
	"sort"
	"strings"
)

const (
	markOpen = "[redacted:"
	tagBytes = 2
	maxKind  = 24
)

// markAt returns the end of the mark that begins at s[pos], or -1. Only the
// exact form counts: text that merely looks like a mark must not shelter a
// secret.
func markAt(s string, pos int) int {
	rest, ok := strings.CutPrefix(s[pos:], markOpen)
	if !ok {
		return -1
	}
	kind := 0
	for kind < len(rest) && kind < maxKind && (rest[kind] >= 'a' && rest[kind] <= 'z' || rest[kind] == '-') {
		kind++
	}
	rest = rest[kind:]
	if kind == 0 || len(rest) < 2+2*tagBytes || rest[0] != ':' || rest[1+2*tagBytes] != ']' {
		return -1
	}
	for _, c := range []byte(rest[1 : 1+2*tagBytes]) {
		if !isHex[c] || c >= 'A' && c <= 'F' {
			return -1
		}
	}
	return pos + len(markOpen) + kind + 2 + 2*tagBytes
}

// marksIn lists the marks of a text as spans.
func marksIn(s string) []span {
	var marks []span
	for at := 0; ; {
		i := strings.Index(s[at:], markOpen)
		if i < 0 {
			return marks
		}
		at += i
		end := markAt(s, at)
		if end < 0 {
			at += len(markOpen)
			continue
		}
		marks = append(marks, span{start: at, end: end})
		at = end
	}
}

// insideMark reports whether sp holds nothing but a part of a mark, or marks
// and nothing else.
func insideMark(marks []span, sp span) bool {
	first := sort.Search(len(marks), func(i int) bool { return marks[i].end > sp.start })
	at := sp.start
	for _, m := range marks[first:] {
		if m.start > at || at >= sp.end {
			break
		}
		at = m.end
	}
	return at >= sp.end
}

// partOfMark reports whether s could be found again in the mark that replaces
// it.
func partOfMark(s string) bool {
	return strings.Contains(markOpen+"own:", s) || strings.Contains(s, markOpen)
}

// Marked reports whether s holds a mark: whether something was taken out of it,
// by this redactor or another.
func Marked(s string) bool { return len(marksIn(s)) > 0 }
