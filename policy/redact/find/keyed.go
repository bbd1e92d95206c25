package find

import (
	"strings"
	"unicode/utf8"
)

// maxName is the length in bytes from which a name is none.
const maxName = 128

// keyed reads "name = value" in its many spellings around a word that
// sensitive names hold: environment, YAML, TOML, JSON, XML, URL queries,
// headers, code, connection strings, command lines.
func (s *scanner) keyed(pos, length int) {
	end := isName.upTo(s.Text, pos+length, maxName)
	start := isName.back(s.Text, pos, maxName/2)
	if end-start > maxName {
		return
	}
	// Another word of the same name will ask again: the last one decides.
	name := strings.Trim(s.Text[start:end], ".-")
	end = start + strings.LastIndex(s.Text[start:end], name) + len(name)
	str, kind := judge(name)
	if strings.EqualFold(name, "key") {
		str, kind = s.keyOf(start)
	}
	if str == none || s.oneOfMany(start, end, pos+length) {
		return
	}
	s.pair(start, end, name, str, kind)
}

// oneOfMany reports whether a later trigger word of the same name will look.
func (s *scanner) oneOfMany(start, end, after int) bool {
	tail := strings.ToLower(s.Text[after:end])
	for w := range terms().KeyWords {
		if strings.Contains(tail, w) {
			return true
		}
	}
	return false
}

// pair reads what follows the name text[start:end].
func (s *scanner) pair(start, end int, name string, str strength, kind string) {
	flag := s.flag(end - len(name))
	sep, ok := s.separator(end, flag)
	switch {
	case ok && sep.kind == '[':
		s.list(sep.end, str, kind)
		return
	case !ok && str != randoms && s.told(end):
		sep, ok = s.telling(end)
	case !ok && str == strong && strings.HasPrefix(s.rest(end, 8), " for "):
		// "password for jane: …"
		if colon := strings.Index(s.rest(end, 60), ":"); colon > 0 && strings.Count(s.rest(end, 60)[:colon], " ") <= 4 {
			sep, ok = s.separator(end+colon, false)
		}
	case !ok && str >= medium && strings.ContainsAny(name, "_-") && end < len(s.Text) && s.Text[end] == ' ':
		// "set aws_secret_access_key …": only what is long and random
		sep, ok, str = separator{end: end + 1, kind: ' '}, true, randoms
	case !ok && s.netrc(start):
		sep, ok = separator{end: end + 1, kind: ' '}, end < len(s.Text) && s.Text[end] == ' '
	}
	if !ok {
		if sep, ok = s.namedValue(end); !ok {
			return
		}
	}
	if name == "PASS" && sep.kind == ':' {
		return // a test's verdict
	}
	v := s.value(sep)
	if v.quoted && start > 0 && s.Text[start-1] == s.Text[v.start-1] && !strings.Contains(s.Text[end:v.start-1], s.Text[start-1:start]) {
		return // the quote closes a text that ends in the name: a prompt
	}
	if sep.kind == '>' && !strings.HasPrefix(s.Text[v.end:], "</") {
		return // no element, a placeholder in angle brackets
	}
	if start > 0 && s.Text[start-1] == '/' { // "login/password: jane / …"
		if user, end := s.Text[v.start:v.end], v.end+len(" / "); isName.all(user) && strings.HasPrefix(s.Text[v.end:], " / ") {
			v = s.value(separator{end: end, kind: ':'})
		}
	}
	if s.accept(v, sep, name, str, flag || s.netrc(start)) {
		s.add(kind, v.start, v.end)
	}
}

// keyOf judges a lone "key" by the word before it: "api key". After any other
// word its value must be long and of mixed case: keys of maps are not.
func (s *scanner) keyOf(start int) (strength, string) {
	if start == 0 || s.Text[start-1] != ' ' {
		return none, ""
	}
	word := s.Text[isWord.back(s.Text, start-1, 24) : start-1]
	if str, kind := judge(word + "_key"); str == medium {
		return medium, kind
	}
	if terms().Harmless[strings.ToLower(word)+"key"] || word == "" {
		return none, ""
	}
	return mixes, "key"
}

// flag reports whether the name at start is a command-line option.
func (s *scanner) flag(start int) bool {
	from := isName.back(s.Text, start, 64)
	return s.Text[from] == '-' && (from == 0 || isSpace[s.Text[from-1]] || strings.IndexByte("\"'`[", s.Text[from-1]) >= 0)
}

// netrc reports whether the line so far is one of a netrc file.
func (s *scanner) netrc(start int) bool {
	line := s.line(start, 200)
	return strings.Contains(line, "machine ") || strings.Contains(line, "login ") || strings.HasPrefix(strings.TrimSpace(line), "default ")
}

// told reports whether a sentence tells the value: password is …, PASSWORD '…'.
func (s *scanner) told(end int) bool { _, ok := s.telling(end); return ok }

func (s *scanner) telling(end int) (separator, bool) {
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

// namedValue reads lists of names and values, as in HAR files, Kubernetes and
// .NET: name="password" value="…".
func (s *scanner) namedValue(end int) (separator, bool) {
	i := end
	for i < len(s.Text) && i-end < 64 && strings.IndexByte("\"'\\, \t\r\n", s.Text[i]) >= 0 {
		i++
	}
	rest := s.Text[i:]
	if i == end || len(rest) < 7 || !strings.EqualFold(rest[:5], "value") || isName[rest[5]] {
		return separator{}, false
	}
	return s.separator(i+5, false)
}

// list reads the strings of an array behind a sensitive name.
func (s *scanner) list(i int, str strength, kind string) {
	for range 32 {
		for i < len(s.Text) && (isSpace[s.Text[i]] || s.Text[i] == ',') {
			i++
		}
		if i >= len(s.Text) || s.Text[i] != '"' && s.Text[i] != '\'' {
			return
		}
		v := s.value(separator{end: i, kind: '['})
		if text := s.Text[v.start:v.end]; random(text) && !placeholder(text) || str == strong && !sentence(text) && !placeholder(text) {
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
	if text == "" || placeholder(text) || CommonValue(text) || code(text, v.quoted) || sameWord(name, text) {
		return false
	}
	if v.quoted && strings.Contains(text, " ") && sentence(text) {
		return false
	}
	if sep.kind == 'i' { // a sentence: only what looks like nothing else
		if str != strong && (!random(text) || len(text) < 12 || strings.Contains(text, "/")) {
			return false
		}
		return !strings.Contains(text, " ") && len(text) >= 6 && odd(text) || v.quoted && len(text) >= 4 && !sentence(text) && str == strong
	}
	loose := !v.quoted && (sep.spaced || bare) // "password: must be …" is prose
	if loose && wordly(text) && s.proseFollows(v.end) {
		return false
	}
	switch str {
	case strong:
		return !(isDigit.all(text) && len(text) < 4)
	case medium:
		if isDigit.all(text) {
			return len(text) >= 12
		}
		return len(text) >= 4 && !(loose && wordly(text) && utf8.RuneCountInString(text) < 16) && (kindOfKey(text) || random(text))
	case digits:
		return isDigit.all(text) && len(text) >= 3 && len(text) <= 10
	case weak:
		return random(text)
	case mixes:
		return len(text) >= 32 && isUpper.some(text) && isLower.some(text) && isDigit.some(text) && isT68.all(text)
	case randoms:
		return len(text) >= 16 && isDigit.some(text) && isAlpha.some(text) && !strings.ContainsAny(text, " /:") || len(text) >= 40 && mixed(text) && !strings.Contains(text, " ")
	}
	return false
}

// kindOfKey refuses names of things: a key or secret is seldom one word in
// lower case with dashes or dots only.
func kindOfKey(text string) bool {
	words := bytesOf("a-z", "-._/")
	return !words.all(text) || len(text) >= 8 && !strings.ContainsAny(text, "-._/")
}

// proseFollows reports whether the line goes on with another word.
func (s *scanner) proseFollows(end int) bool {
	rest := strings.TrimLeft(s.rest(end, 40), ".,:;!?")
	trimmed := strings.TrimLeft(rest, " \t")
	return len(trimmed) > 0 && len(trimmed) < len(rest) && (isAlnum[trimmed[0]] || trimmed[0] >= 0x80 || trimmed[0] == '(')
}

// identifiedBy reads SQL's IDENTIFIED BY 'password'.
func (s *scanner) identifiedBy(pos int) {
	i := pos + len("identified by")
	for i < len(s.Text) && s.Text[i] == ' ' {
		i++
	}
	if i < len(s.Text) && (s.Text[i] == '\'' || s.Text[i] == '"') {
		v := s.value(separator{end: i})
		s.secretValue("password", v.start, v.end)
	}
}
