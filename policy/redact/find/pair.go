package find

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// pairReader finds names and their values.
type pairReader struct {
	*source
	add      func(kind string, start, end int)
	tableEnd int // the end of the last table
}

// maxName is the maximum length of a name, in bytes.
const maxName = 128

// readName reads "name = value" in its many spellings. text[pos:after] is a word that
// names of secrets contain.
func (p *pairReader) readName(pos, after int) {
	p.readTable(pos)
	start, end := isName.startOfRun(p.Text, pos, maxName/2), isName.upTo(p.Text, after, maxName)
	if end-start > maxName {
		return
	}
	name := strings.Trim(p.Text[start:end], ".-")
	end = start + strings.LastIndex(p.Text[start:end], name) + len(name)
	str, kind := judgeName(name)
	if strings.EqualFold(name, "key") {
		str, kind = p.judgeKey(start)
	}
	if str == none {
		return
	}
	tail := strings.ToLower(p.Text[after:end])
	for w := range terms().KeyWords {
		if strings.Contains(tail, w) {
			return // a later word of the same name decides
		}
	}
	p.readPair(start, end, name, str, kind)
}

// judgeKey judges the word "key" by the word before it, as in "api key". After any
// other word its value must be long and of mixed case, which excludes keys of maps.
func (p *pairReader) judgeKey(start int) (strength, string) {
	if start == 0 || p.Text[start-1] != ' ' {
		return none, ""
	}
	word := p.Text[isWord.startOfRun(p.Text, start-1, 24) : start-1]
	if str, kind := judgeName(word + "_key"); str == medium {
		return medium, kind
	}
	if terms().Harmless[strings.ToLower(word)+"key"] || word == "" {
		return none, ""
	}
	return mixes, "key"
}

// readForeign reads the value after a word of another language: "Пароль: …", "ключ
// доступа — …", "мой пароль …".
func (p *pairReader) readForeign(pos, end int, str strength, kind string) {
	if r, _ := utf8.DecodeRuneInString(p.Text[end:]); r != utf8.RuneError && unicode.Is(unicode.Cyrillic, r) {
		return // a longer word: паролей, секретный
	}
	p.readTable(pos)
	name := p.Text[pos:end]
	_, ok := p.readSeparator(end, false)
	if _, told := p.match(pairs().Telling, end); ok || told {
		p.readPair(pos, end, name, str, kind)
		return
	}
	if at, ok := p.match(pairs().Qualified, end); ok {
		v := p.readValue(separator{end: at, kind: 'i'})
		text := p.Text[v.start:v.end]
		if (v.quoted || len(text) >= 6 && isUnusual(text)) && p.accept(v, separator{kind: ':', spaced: true}, name, str, false) {
			p.add(kind, v.start, v.end)
		}
		return
	}
	at, ok := p.match(pairs().Becoming, end)
	if word, _, _ := strings.Cut(p.Text[at:min(len(p.Text), at+matchReach)], " "); !ok || !isUnusual(strings.Trim(word, ".,;:!?")) {
		for at = end; at < len(p.Text) && p.Text[at] == ' '; {
			at++
		}
	}
	if sep := (separator{end: at, kind: 'i'}); at > end {
		if v := p.readValue(sep); p.accept(v, sep, name, str, false) {
			p.add(kind, v.start, v.end)
		}
	}
}

// readPair reads the value after the name text[start:end].
func (p *pairReader) readPair(start, end int, name string, str strength, kind string) {
	bare := p.isFlag(end - len(name))
	sep, ok := p.readSeparator(end, bare)
	if ok && sep.kind == '[' {
		p.readList(sep.end, str, kind)
		return
	}
	line := p.line(start, 200)
	netrc := strings.Contains(line, "machine ") || strings.Contains(line, "login ") || strings.HasPrefix(strings.TrimSpace(line), "default ")
	spaced := end < len(p.Text) && p.Text[end] == ' '
	if !ok && str != randoms {
		sep.kind = 'i'
		sep.end, ok = p.match(pairs().Telling, end)
	}
	if !ok && str == strong {
		if colon, found := p.match(pairs().Addressed, end); found {
			sep, ok = p.readSeparator(colon, false)
		}
	}
	said := str
	if !ok && spaced && (netrc || str >= medium && strings.ContainsAny(name, "_-")) {
		if str >= medium && strings.ContainsAny(name, "_-") {
			str = randoms // "set aws_secret_access_key …"
		}
		sep, ok = separator{end: end + 1, kind: ' '}, true
	}
	if !ok && str != randoms && p.Text[start:end] == name {
		sep.kind = 'i'
		sep.end, ok = p.match(pairs().Spoken, end)
	}
	if !ok {
		if sep, ok = p.readNamed(start, end); !ok {
			return
		}
	}
	if name == "PASS" && sep.kind == ':' {
		return // the result of a test
	}
	v := p.readValue(sep)
	if v.quoted && start > 0 && p.Text[start-1] == p.Text[v.start-1] && !strings.Contains(p.Text[end:v.start-1], p.Text[start-1:start]) {
		return // the quote closes a text that ends with the name: a prompt
	}
	if rest := strings.TrimLeft(p.Text[v.end:min(len(p.Text), v.end+matchReach)], " \t\r\n"); sep.kind == '>' && !strings.HasPrefix(rest, "</") && !strings.HasPrefix(rest, "]]>") {
		return // a placeholder in angle brackets, not an element
	}
	if start > 0 && p.Text[start-1] == '/' { // "login/password: jane / …"
		if user := p.Text[v.start:v.end]; isName.matchesAll(user) && strings.HasPrefix(p.Text[v.end:], " / ") {
			v = p.readValue(separator{end: v.end + len(" / "), kind: ':'})
		}
	}
	if p.accept(v, sep, name, str, bare || netrc) || said != str && isSpoken(p.Text[v.start:v.end], said) {
		p.add(kind, v.start, v.end)
	}
}

// readNamed reads from text[start:end], an attribute's value that is a name, to what it
// names: another attribute or the content of the element.
func (p *pairReader) readNamed(start, end int) (separator, bool) {
	if value, ok := p.match(pairs().NamedValue, end); ok {
		return p.readSeparator(value, false)
	}
	at, ok := p.match(pairs().NamedElement, end)
	return separator{end: at, kind: '>'}, ok && pairs().ElementName.Match(p.line(start, 24))
}

// readList reads the strings of an array after the name of a secret.
func (p *pairReader) readList(i int, str strength, kind string) {
	for range 32 {
		for i < len(p.Text) && (isSpace[p.Text[i]] || p.Text[i] == ',') {
			i++
		}
		if i >= len(p.Text) || p.Text[i] != '"' && p.Text[i] != '\'' {
			return
		}
		v := p.readValue(separator{end: i, kind: '['})
		if text := p.Text[v.start:v.end]; !isPlaceholder(text) && (isRandom(text) || str == strong && !isSentence(text)) {
			p.add(kind, v.start, v.end)
		}
		i = v.end + 1
	}
}
