package find

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// readForeignWord reads what follows a word of another language: "Пароль: …",
// "ключ доступа — …", "мой пароль …".
func (s *scanner) readForeignWord(pos, length int, str strength, kind string) {
	end := pos + length
	if r, _ := utf8.DecodeRuneInString(s.Text[end:]); r != utf8.RuneError && unicode.Is(unicode.Cyrillic, r) {
		return // a longer word: паролей, секретный
	}
	name := s.Text[pos:end]
	if _, ok := s.readSeparator(end, false); ok || s.isTold(end) {
		s.readPair(pos, end, name, str, kind)
		return
	}
	at, words := s.skipQualifiers(end)
	if at < 0 {
		return
	}
	v := s.readValue(separator{end: at, kind: 'i'})
	sep := separator{end: at, kind: 'i'}
	if words > 0 { // "ключ доступа: …" is as plain as a name
		sep.kind, sep.spaced = ':', true
		if text := s.Text[v.start:v.end]; !v.quoted && !(len(text) >= 6 && isUnusual(text)) {
			return
		}
	}
	if s.accept(v, sep, name, str, false) {
		s.add(kind, v.start, v.end)
	}
}

// maxQualifiers is how many words may stand between the word and its value:
// "пароль от почты:".
const maxQualifiers = 3

// skipQualifiers answers where the value behind text[end] begins, and how many
// words before its colon, dash or equals sign say more about it; -1 for none.
// Without a sign the value is the next word.
func (s *scanner) skipQualifiers(end int) (at, words int) {
	rest := s.rest(end, 120)
	if strings.TrimLeft(rest, " ") == rest {
		return -1, 0
	}
	next := end + len(rest) - len(strings.TrimLeft(rest, " "))
	for fields := rest; words <= maxQualifiers; words++ {
		fields = strings.TrimLeft(fields, " ")
		word, more, spaced := strings.Cut(fields, " ")
		stem, colon := strings.CutSuffix(word, ":")
		switch {
		case word == "—" || word == "–" || word == "-" || word == "=" || word == ":" || word == "это":
			return end + len(rest) - len(more), max(words, 1)
		case terms().ForeignVerbs[stem] && !colon && isUnusual(strings.Trim(firstWord(more), ".,;:!?")):
			return end + len(rest) - len(more), 0
		case !spaced || !isLettered(stem):
			return next, 0
		case colon:
			return end + len(rest) - len(more), words + 1
		}
		fields = more
	}
	return next, 0
}

func firstWord(s string) string {
	word, _, _ := strings.Cut(s, " ")
	return word
}

// isLettered reports whether a word is one of letters, hyphens and slashes.
func isLettered(word string) bool {
	for _, r := range word {
		if !unicode.IsLetter(r) && r != '-' && r != '/' {
			return false
		}
	}
	return word != ""
}
