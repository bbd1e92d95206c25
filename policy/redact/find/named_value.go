package find

import (
	"strings"
	"unicode/utf8"
)

// maxName is the longest name, in bytes.
const maxName = 128

// readName reads "name = value" in its many spellings around a word that
// sensitive names hold: environment, YAML, TOML, JSON, XML, URL queries,
// headers, code, connection strings, command lines.
func (s *scanner) readName(pos, length int) {
	end := isName.upTo(s.Text, pos+length, maxName)
	start := isName.back(s.Text, pos, maxName/2)
	if end-start > maxName {
		return
	}
	// Another word of the same name will ask again: the last one decides.
	name := strings.Trim(s.Text[start:end], ".-")
	end = start + strings.LastIndex(s.Text[start:end], name) + len(name)
	str, kind := judgeName(name)
	if strings.EqualFold(name, "key") {
		str, kind = s.judgeKey(start)
	}
	if str == none || s.hasLaterWord(start, end, pos+length) {
		return
	}
	s.readPair(start, end, name, str, kind)
}

// hasLaterWord reports whether a later trigger word of the same name will look.
func (s *scanner) hasLaterWord(start, end, after int) bool {
	tail := strings.ToLower(s.Text[after:end])
	for w := range terms().KeyWords {
		if strings.Contains(tail, w) {
			return true
		}
	}
	return false
}

// readPair reads what follows the name text[start:end].
func (s *scanner) readPair(start, end int, name string, str strength, kind string) {
	flag := s.isFlag(end - len(name))
	sep, ok := s.readSeparator(end, flag)
	switch {
	case ok && sep.kind == '[':
		s.readList(sep.end, str, kind)
		return
	case !ok && str != randoms && s.isTold(end):
		sep, ok = s.findTelling(end)
	case !ok && str == strong && strings.HasPrefix(s.rest(end, 8), " for "):
		// "password for jane: …"
		if colon := strings.Index(s.rest(end, 60), ":"); colon > 0 && strings.Count(s.rest(end, 60)[:colon], " ") <= 4 {
			sep, ok = s.readSeparator(end+colon, false)
		}
	case !ok && str >= medium && strings.ContainsAny(name, "_-") && end < len(s.Text) && s.Text[end] == ' ':
		// "set aws_secret_access_key …": only what is long and random
		sep, ok, str = separator{end: end + 1, kind: ' '}, true, randoms
	case !ok && s.isNetrc(start):
		sep, ok = separator{end: end + 1, kind: ' '}, end < len(s.Text) && s.Text[end] == ' '
	}
	if !ok {
		if sep, ok = s.readNamedValue(end); !ok {
			return
		}
	}
	if name == "PASS" && sep.kind == ':' {
		return // a test's verdict
	}
	v := s.readValue(sep)
	if v.quoted && start > 0 && s.Text[start-1] == s.Text[v.start-1] && !strings.Contains(s.Text[end:v.start-1], s.Text[start-1:start]) {
		return // the quote closes a text that ends in the name: a prompt
	}
	if sep.kind == '>' && !strings.HasPrefix(s.Text[v.end:], "</") {
		return // no element, a placeholder in angle brackets
	}
	if start > 0 && s.Text[start-1] == '/' { // "login/password: jane / …"
		if user, end := s.Text[v.start:v.end], v.end+len(" / "); isName.all(user) && strings.HasPrefix(s.Text[v.end:], " / ") {
			v = s.readValue(separator{end: end, kind: ':'})
		}
	}
	if s.accept(v, sep, name, str, flag || s.isNetrc(start)) {
		s.add(kind, v.start, v.end)
	}
}

// judgeKey judges a lone "key" by the word before it: "api key". After any other
// word its value must be long and of mixed case: keys of maps are not.
func (s *scanner) judgeKey(start int) (strength, string) {
	if start == 0 || s.Text[start-1] != ' ' {
		return none, ""
	}
	word := s.Text[isWord.back(s.Text, start-1, 24) : start-1]
	if str, kind := judgeName(word + "_key"); str == medium {
		return medium, kind
	}
	if terms().Harmless[strings.ToLower(word)+"key"] || word == "" {
		return none, ""
	}
	return mixes, "key"
}

// isFlag reports whether the name at start is a command-line option.
func (s *scanner) isFlag(start int) bool {
	from := isName.back(s.Text, start, 64)
	return s.Text[from] == '-' && (from == 0 || isSpace[s.Text[from-1]] || strings.IndexByte("\"'`[", s.Text[from-1]) >= 0)
}

// isNetrc reports whether the line so far is one of a netrc file.
func (s *scanner) isNetrc(start int) bool {
	line := s.line(start, 200)
	return strings.Contains(line, "machine ") || strings.Contains(line, "login ") || strings.HasPrefix(strings.TrimSpace(line), "default ")
}

// isTold reports whether a sentence states the value: password is …, PASSWORD '…'.
func (s *scanner) isTold(end int) bool { _, ok := s.findTelling(end); return ok }

func (s *scanner) findTelling(end int) (separator, bool) {
	rest := s.rest(end, 40)
	for _, verb := range terms().Telling {
		if strings.HasPrefix(rest, verb) {
			at := end + len(verb)
			if verb == " " && (at >= len(s.Text) || strings.IndexByte("'\"", s.Text[at]) < 0) {
				continue
			}
			return separator{end: at, kind: 'i'}, true
		}
	}
	return separator{}, false
}

// readNamedValue reads lists of names and values, as in HAR files, Kubernetes and
// .NET: name="password" value="…".
func (s *scanner) readNamedValue(end int) (separator, bool) {
	i := end
	for i < len(s.Text) && i-end < 64 && strings.IndexByte("\"'\\, \t\r\n", s.Text[i]) >= 0 {
		i++
	}
	rest := s.Text[i:]
	if i == end || len(rest) < 7 || !strings.EqualFold(rest[:5], "value") || isName[rest[5]] {
		return separator{}, false
	}
	return s.readSeparator(i+5, false)
}

// readList reads the strings of an array behind a sensitive name.
func (s *scanner) readList(i int, str strength, kind string) {
	for range 32 {
		for i < len(s.Text) && (isSpace[s.Text[i]] || s.Text[i] == ',') {
			i++
		}
		if i >= len(s.Text) || s.Text[i] != '"' && s.Text[i] != '\'' {
			return
		}
		v := s.readValue(separator{end: i, kind: '['})
		if text := s.Text[v.start:v.end]; isRandom(text) && !isPlaceholder(text) || str == strong && !isSentence(text) && !isPlaceholder(text) {
			s.add(kind, v.start, v.end)
		}
		i = v.end + 1
	}
}

// longest is the length in bytes from which an unquoted value is not looked at
// any more.
const longest = 2 << 10

// accept decides whether a value is the secret that its name promises.
func (s *scanner) accept(v valueSpan, sep separator, name string, str strength, bare bool) bool {
	text := s.Text[v.start:v.end]
	if !v.quoted && len(text) > longest {
		return true // no word and no expression is that long
	}
	if text != "" && !v.quoted && strings.IndexByte("{[(", text[0]) >= 0 && markAt(text, 0) < 0 {
		return false // a structure
	}
	if text == "" || isPlaceholder(text) || IsCommonValue(text) || isExpression(text, v.quoted) || repeatsName(name, text) {
		return false
	}
	if v.quoted && strings.Contains(text, " ") && isSentence(text) {
		return false
	}
	if sep.kind == 'i' { // a sentence: only what looks like nothing else
		if str != strong && (!isRandom(text) || len(text) < 12 || strings.Contains(text, "/")) {
			return false
		}
		return !strings.Contains(text, " ") && len(text) >= 6 && isUnusual(text) || v.quoted && len(text) >= 4 && !isSentence(text) && str == strong
	}
	loose := !v.quoted && (sep.spaced || bare) // "password: must be …" is prose
	if loose && isPlainWord(text) && s.continuesProse(v.end) {
		return false
	}
	switch str {
	case strong:
		return !(isDigit.all(text) && len(text) < 4)
	case medium:
		if isDigit.all(text) {
			return len(text) >= 12
		}
		return len(text) >= 4 && !(loose && isPlainWord(text) && utf8.RuneCountInString(text) < 16) && (isKeyLike(text) || isRandom(text))
	case digits:
		return isDigit.all(text) && len(text) >= 3 && len(text) <= 10
	case weak:
		return isRandom(text)
	case mixes:
		return len(text) >= 32 && isUpper.some(text) && isLower.some(text) && isDigit.some(text) && isT68.all(text)
	case randoms:
		return len(text) >= 16 && isDigit.some(text) && isAlpha.some(text) && !strings.ContainsAny(text, " /:") || len(text) >= 40 && isMixed(text) && !strings.Contains(text, " ")
	}
	return false
}

// isKeyLike refuses names of things: a key or secret is seldom one word in
// lower case with dashes or dots only.
func isKeyLike(text string) bool {
	words := bytesOf("a-z", "-._/")
	return !words.all(text) || len(text) >= 8 && !strings.ContainsAny(text, "-._/")
}

// continuesProse reports whether the line goes on with another word.
func (s *scanner) continuesProse(end int) bool {
	rest := strings.TrimLeft(s.rest(end, 40), ".,:;!?")
	trimmed := strings.TrimLeft(rest, " \t")
	return len(trimmed) > 0 && len(trimmed) < len(rest) && (isAlnum[trimmed[0]] || trimmed[0] >= 0x80 || trimmed[0] == '(')
}
