package find

import (
	"regexp"
	"strings"
	"sync"
)

// maxQuoted limits the nesting of strings in strings.
const maxQuoted = 3

// stringEscapes maps the characters after a backslash in strings of JSON, TOML, shells
// and programs to their meaning.
var stringEscapes = map[byte]string{
	'n': "\n", 't': "\t", 'r': "\r", '"': `"`, '\'': "'", '\\': `\`, '/': "/", '$': "$", '`': "`",
}

// decodeString decodes one level of backslashes, for a text that is the source of a
// string. It returns false if the text contains no escaped backslash or quote.
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

// maxIndent limits the bytes of indentation that a wrapped line loses.
const maxIndent = 64

// joinLines removes the line breaks after a backslash, or after the backtick of
// PowerShell, and the indentation after them. It returns false if there are none.
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

// skipLineEnd returns the offset after a line break at t[i], or 0 if there is none.
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
	// encodesBytes matches text that must be quoted-printable.
	encodesBytes = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i:quoted-printable)|=3D|(?:=[0-9A-F]{2}){2}`)
	})
	// isAssignment matches the line of a name without a value.
	isAssignment = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\s*(?:(?:export|set|declare|local|let|var|const)\s+)?[\w.$\[\]"'-]+\s*(?:[:+?]|==)?$`)
	})
	// beginsPair matches a name and a separator at the beginning of a line.
	beginsPair = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\w.-]+\s*(?::|=[^\r\n])`) })
)

// decodeQuotedPrintable removes the soft line breaks of mail, and decodes bytes if the
// text must be quoted-printable. It keeps an equals sign after a single name, or before
// another name and value, because that assigns. It returns false if nothing changes.
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

// isSoftBreak reports whether the equals sign t[i] wraps a line. The next line begins
// at t[next], and t[wrapped] is where the last line after a soft break began.
func isSoftBreak(t string, i, next, wrapped int) bool {
	line := t[max(0, i-maxLine):i]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	if next == len(t) || line == "" || !isGraph[line[len(line)-1]] || !isGraph[t[next]] {
		return false
	}
	return (i-len(line) == wrapped || !isAssignment().MatchString(line)) && !beginsPair().MatchString(t[next:min(len(t), next+maxLine)])
}

// maxLine limits the bytes of a line that are read; quoted-printable allows 76.
const maxLine = 80
