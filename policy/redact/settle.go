package redact

import (
	"bytes"
	"strings"
	"unicode"

	"errand/policy/redact/find"
)

// longWord is the bytes of a word at the end of a line that the next line may continue.
const longWord = 12

// Settled returns how many bytes of a text that still grows can be redacted and shown now: whole lines,
// and whole sentences of the last line if nothing in it is like a secret's name or its value. What
// follows can't make a secret of them. A private key without an end is held back.
func Settled(text string) int {
	n := settledLines(text)
	if line := text[n:]; n == strings.LastIndexByte(text, '\n')+1 && !mayHoldSecret(line) {
		for at, c := range line {
			if strings.ContainsRune(".!?…", c) && strings.HasPrefix(line[at+len(string(c)):], " ") {
				n = len(text) - len(line) + at + len(string(c))
			}
		}
	}
	return n
}

// settledLines returns the end of the last line that no later line continues.
func settledLines(text string) int {
	n := wholeLines([]byte(text))
	if n == 0 || n < strings.LastIndexByte(text, '\n')+1 { // a key is held back
		return n
	}
	last := bytes.TrimRight([]byte(text[:n]), " \t\r\n\\")
	word := last[bytes.LastIndexAny(last, " \t\r\n")+1:]
	if line := last[bytes.LastIndexByte(last, '\n')+1:]; len(word) >= longWord && !endsSentence(word) || mayHoldSecret(string(line)) && !strings.HasSuffix(text[:n], "\n\n") {
		return len(last) - len(line)
	}
	return n
}

func endsSentence(word []byte) bool {
	return len(word) > 0 && bytes.IndexByte([]byte(".!?,:;)"), word[len(word)-1]) >= 0
}

// mayHoldSecret reports whether a line has what names a secret or separates a name from its value.
func mayHoldSecret(line string) bool {
	if strings.ContainsAny(line, ":=|\"'`<>{}\\@") {
		return true
	}
	for _, word := range strings.FieldsFunc(line, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '_' && c != '-' }) {
		if len(word) >= 2*longWord || find.NamesSecret(word) {
			return true
		}
	}
	return false
}
