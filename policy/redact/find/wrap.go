package find

import (
	"regexp"
	"strings"
	"sync"
)

// maxQuoted limits how often a text is a string in another string.
const maxQuoted = 3

// stringEscapes are the characters that a backslash stands before in strings of JSON, TOML,
// shells and programs, and what they mean there.
var stringEscapes = map[byte]string{
	'n': "\n", 't': "\t", 'r': "\r", '"': `"`, '\'': "'", '\\': `\`, '/': "/", '$': "$", '`': "`",
}

// decodeString shows the content of a text that is a string: it decodes one level of
// backslashes. It reports false if the text has no string in it: an escaped backslash or
// quote.
func decodeString(p Page) (Page, bool) {
	t := p.Text
	if !strings.Contains(t, `\\`) && !strings.Contains(t, `\"`) {
		return p, false
	}
	return rewrite(p, func(i int) (string, int) {
		if t[i] == '\\' && i+1 < len(t) {
			if decoded, ok := stringEscapes[t[i+1]]; ok {
				return decoded, 2
			}
		}
		return "", 0
	}), true
}

// maxIndent is the most bytes of indentation that a wrapped line loses.
const maxIndent = 64

// joinLines shows a text without the line breaks after a backslash, or after the backtick of
// PowerShell, and without the indentation behind them. It reports false if there is none.
func joinLines(p Page) (Page, bool) {
	t := p.Text
	if !strings.Contains(t, "\\\n") && !strings.Contains(t, "\\\r\n") && !strings.Contains(t, "`\n") && !strings.Contains(t, "`\r\n") {
		return p, false
	}
	changed := false
	v := rewrite(p, func(i int) (string, int) {
		if t[i] != '\\' && t[i] != '`' {
			return "", 0
		}
		end := skipLineEnd(t, i+1)
		if end == 0 || t[i] == '`' && isCode(t, i) {
			return "", 0
		}
		for limit := end + maxIndent; end < min(len(t), limit) && (t[end] == ' ' || t[end] == '\t'); {
			end++
		}
		changed = true
		return "", end - i
	})
	return v, changed
}

// skipLineEnd returns the place behind a line break at t[i], or 0 if there is none.
func skipLineEnd(t string, i int) int {
	switch rest := t[i:]; {
	case strings.HasPrefix(rest, "\n"):
		return i + 1
	case strings.HasPrefix(rest, "\r\n"):
		return i + 2
	}
	return 0
}

// isCode reports whether the backtick t[i] ends code in a line of Markdown.
func isCode(t string, i int) bool {
	start := strings.LastIndexByte(t[max(0, i-maxRun):i], '\n') + 1
	return strings.IndexByte(t[max(0, i-maxRun):i][start:], '`') >= 0
}

var (
	// softBreak matches an equals sign at the end of a line.
	softBreak = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`=\r?\n`) })
	// encodesBytes matches what shows that a text is quoted-printable.
	encodesBytes = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i:quoted-printable)|=3D|(?:=[0-9A-F]{2}){2}`)
	})
	// isAssignment matches the line of a name without a value.
	isAssignment = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\s*(?:(?:export|set|declare|local|let|var|const)\s+)?[\w.$\[\]"'-]+\s*(?:[:+?]|==)?$`)
	})
	// beginsPair matches a name and a sign at the beginning of a line.
	beginsPair = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\w.-]+\s*(?::|=[^\r\n])`) })
)

// decodeQuotedPrintable shows a text without the soft line breaks of mail, and with its
// encoded bytes if the text shows that it is quoted-printable. An equals sign behind a name
// alone, or before another name and value, assigns and stays. It reports false if nothing
// changes.
func decodeQuotedPrintable(p Page) (Page, bool) {
	t := p.Text
	encoded := strings.IndexByte(t, '=') >= 0 && encodesBytes().MatchString(t)
	if !encoded && !softBreak().MatchString(t) {
		return p, false
	}
	changed, wrapped := false, -1
	v := rewrite(p, func(i int) (string, int) {
		if t[i] != '=' {
			return "", 0
		}
		if end := skipLineEnd(t, i+1); end > 0 && (encoded || isSoftBreak(t, i, end, wrapped)) {
			changed, wrapped = true, end
			return "", end - i
		}
		if n, end := readNumber(t, i+1, 2, 16, ""); encoded && end > 0 {
			changed = true
			return string([]byte{byte(n)}), end - i
		}
		return "", 0
	})
	return v, changed
}

// isSoftBreak reports whether the equals sign t[i] wraps a line. The next line begins at
// t[next], and the last one that a soft line break began at t[wrapped].
func isSoftBreak(t string, i, next, wrapped int) bool {
	line := t[max(0, i-maxLine):i]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	if next == len(t) || line == "" || !isGraph[line[len(line)-1]] || !isGraph[t[next]] {
		return false
	}
	return (i-len(line) == wrapped || !isAssignment().MatchString(line)) && !beginsPair().MatchString(t[next:min(len(t), next+maxLine)])
}

// maxLine is how many bytes of a line are looked at; quoted-printable allows 76.
const maxLine = 80
