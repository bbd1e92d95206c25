package find

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"errand/policy/rulefile"
)

// pairRules are the patterns of rules/pairs.toml, which explains them.
type pairRules struct {
	Separator, Option, Telling, Addressed, Qualified, Becoming *rulefile.Pattern
	NamedValue                                                 *rulefile.Pattern `toml:"named_value"`
	Blanks, Block, List, Quoted, Quote                         *rulefile.Pattern
	End, Query                                                 *rulefile.Pattern
	EndQuery                                                   *rulefile.Pattern `toml:"end_query"`
	EndEscaped                                                 *rulefile.Pattern `toml:"end_escaped"`
	EscapedBlanks                                              *rulefile.Pattern `toml:"escaped_blanks"`
	Equals, Colons                                             rulefile.Words
	Fragments                                                  map[string]string
}

var pairs = sync.OnceValue(func() *pairRules {
	r := new(pairRules)
	rulefile.Read(files, "rules/pairs.toml", r)
	for _, p := range []*rulefile.Pattern{
		r.Separator, r.Option, r.Telling, r.Addressed, r.Qualified, r.Becoming, r.NamedValue, r.Blanks, r.EscapedBlanks, r.Block, r.List, r.Quoted, r.Quote,
	} {
		p.Source = `\A(?:` + strings.ReplaceAll(p.Source, "QUOTE", r.Fragments["QUOTE"]) + `)`
	}
	r.EndQuery.Source += "|" + r.End.Source
	r.EndEscaped.Source += "|" + r.End.Source
	return r
})

// pairReader reads names and their values.
type pairReader struct {
	*source
	add func(kind string, start, end int)
}

// separator is what is between a name and its value.
type separator struct {
	end     int
	kind    byte // ':' '=' '>' ' ', '[' before a list, 'i' in a sentence
	spaced  bool // blanks follow it: YAML and prose
	query   bool // the name follows ? or &
	escaped bool // the separator was percent-encoded
}

// yamlString is the tag of strings in YAML.
const yamlString = "!!str "

// valueSpan is the place of a value, without its quotes.
type valueSpan struct {
	start, end int
	quoted     bool
}

// maxName is the longest name, in bytes.
const maxName = 128

// readName reads "name = value" in its many spellings around a word that
// sensitive names hold, which is text[pos:after].
func (p *pairReader) readName(pos, after int) {
	start, end := isName.back(p.Text, pos, maxName/2), isName.upTo(p.Text, after, maxName)
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
			return // another word of the same name will ask again: the last one decides
		}
	}
	p.readPair(start, end, name, str, kind)
}

// judgeKey judges a lone "key" by the word before it: "api key". After any other
// word its value must be long and of mixed case: keys of maps are not.
func (p *pairReader) judgeKey(start int) (strength, string) {
	if start == 0 || p.Text[start-1] != ' ' {
		return none, ""
	}
	word := p.Text[isWord.back(p.Text, start-1, 24) : start-1]
	if str, kind := judgeName(word + "_key"); str == medium {
		return medium, kind
	}
	if terms().Harmless[strings.ToLower(word)+"key"] || word == "" {
		return none, ""
	}
	return mixes, "key"
}

// readForeign reads what follows a word of another language: "Пароль: …",
// "ключ доступа — …", "мой пароль …".
func (p *pairReader) readForeign(pos, end int, str strength, kind string) {
	if r, _ := utf8.DecodeRuneInString(p.Text[end:]); r != utf8.RuneError && unicode.Is(unicode.Cyrillic, r) {
		return // a longer word: паролей, секретный
	}
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

// readPair reads what follows the name text[start:end].
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
	if !ok && spaced && (netrc || str >= medium && strings.ContainsAny(name, "_-")) {
		if str >= medium && strings.ContainsAny(name, "_-") {
			str = randoms // "set aws_secret_access_key …"
		}
		sep, ok = separator{end: end + 1, kind: ' '}, true
	}
	if !ok {
		value, found := p.match(pairs().NamedValue, end)
		if !found {
			return
		}
		if sep, ok = p.readSeparator(value, false); !ok {
			return
		}
	}
	if name == "PASS" && sep.kind == ':' {
		return // a test's verdict
	}
	v := p.readValue(sep)
	if v.quoted && start > 0 && p.Text[start-1] == p.Text[v.start-1] && !strings.Contains(p.Text[end:v.start-1], p.Text[start-1:start]) {
		return // the quote closes a text that ends in the name: a prompt
	}
	if sep.kind == '>' && !strings.HasPrefix(p.Text[v.end:], "</") {
		return // no element, a placeholder in angle brackets
	}
	if start > 0 && p.Text[start-1] == '/' { // "login/password: jane / …"
		if user := p.Text[v.start:v.end]; isName.all(user) && strings.HasPrefix(p.Text[v.end:], " / ") {
			v = p.readValue(separator{end: v.end + len(" / "), kind: ':'})
		}
	}
	if p.accept(v, sep, name, str, bare || netrc) {
		p.add(kind, v.start, v.end)
	}
}

// isFlag reports whether the name at start is a command-line option.
func (p *pairReader) isFlag(start int) bool {
	from := isName.back(p.Text, start, 64)
	return p.Text[from] == '-' && (from == 0 || isSpace[p.Text[from-1]] || strings.IndexByte("\"'`[", p.Text[from-1]) >= 0)
}

// readSeparator reads what follows a name that ends at text[i].
func (p *pairReader) readSeparator(i int, flag bool) (separator, bool) {
	t := p.Text
	name := isName.back(t, i, 64)
	sep := separator{query: pairs().Query.Match(t[max(0, name-6):name])}
	if flag {
		if at, ok := p.match(pairs().Option, i); ok {
			return separator{end: at, kind: ' '}, true
		}
	}
	m := pairs().Separator.Get().FindStringSubmatchIndex(t[i:min(len(t), i+matchReach)])
	if m == nil {
		return sep, false
	}
	sign := strings.ToLower(t[i+m[2] : i+m[1]])
	quoted := m[2] > 0 && t[i] != ' ' && t[i] != '\t' && t[i] != ']' && t[i] != ')'
	i += m[1]
	switch {
	case pairs().Equals[sign]:
		sep.kind = '='
	case pairs().Colons[sign]:
		sep.kind = ':'
	case sign == ">" && name > 0 && t[name-1] == '<', strings.HasPrefix(sign, "</"):
		sep.kind = '>'
	default:
		return sep, false
	}
	sep.escaped = sign[0] == '%'
	blanks := pairs().Blanks
	if sep.escaped {
		blanks = pairs().EscapedBlanks
	}
	for sep.end = i; sep.end < len(t); {
		at, _ := p.match(blanks, sep.end)
		if at == sep.end {
			break
		}
		sep.end = at
	}
	sep.spaced = sep.end > i
	p.skipLayout(&sep, quoted)
	return sep, true
}

// skipLayout goes on to a value that begins on another line or in a list. quoted
// says that the name was.
func (p *pairReader) skipLayout(sep *separator, quoted bool) {
	if sep.end == len(p.Text) {
		return
	}
	switch c := p.Text[sep.end]; {
	case quoted && isSpace[c]:
		at := isSpace.upTo(p.Text, sep.end, maxRun)
		if _, ok := p.match(pairs().Quote, at); ok {
			sep.end = at
		}
	case sep.kind == ':' && (c == '|' || c == '>'):
		if at, ok := p.match(pairs().Block, sep.end); ok {
			sep.end = at
		}
	case c == '[' && sep.kind != '>':
		if at, ok := p.match(pairs().List, sep.end); ok {
			sep.kind, sep.end = '[', at
		}
	}
}

// readList reads the strings of an array behind a sensitive name.
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

// readValue reads the value behind a separator.
func (p *pairReader) readValue(sep separator) valueSpan {
	t, start := p.Text, sep.end
	if from, ok := p.match(pairs().Quoted, start); ok {
		at, _ := p.match(pairs().Quote, from)
		return p.readQuotedValue(at, t[from:at])
	}
	if strings.HasPrefix(t[start:], yamlString) {
		start += len(yamlString)
	}
	from := max(start, markAt(t, start))
	limit := p.run(&isGraph, from)
	if from == start && from < limit && t[from] == '<' && sep.kind != '>' {
		from++
	}
	ends := pairs().End
	switch {
	case sep.escaped:
		ends = pairs().EndEscaped
	case sep.query:
		ends = pairs().EndQuery
	}
	end := limit
	if m := ends.Get().FindStringIndex(t[from:limit]); m != nil {
		end = from + m[0]
	}
	p.effort.matched(end - from)
	for end > start && strings.IndexByte(".,:!?)]}", t[end-1]) >= 0 && markAt(t, start) != end {
		end--
	}
	return valueSpan{start, end, false}
}

func (p *pairReader) readQuotedValue(start int, quote string) valueSpan {
	t := p.Text
	for triple := quote + quote; len(quote) == 1 && strings.HasPrefix(t[start:], triple); {
		start += len(triple)
		quote += triple
	}
	end := min(len(t), start+maxRun)
	if nl := strings.IndexByte(t[start:end], '\n'); nl >= 0 && len(quote) != 3 {
		end = start + nl
	}
	for i := start; i < end; i++ {
		if t[i] == '\\' && strings.IndexByte("\\%&", quote[0]) < 0 {
			i++ // escaped, whatever it is
		} else if len(t)-i >= len(quote) && strings.EqualFold(t[i:i+len(quote)], quote) {
			end = i
		}
	}
	p.noteRead(end)
	return valueSpan{start, end, true} // or cut off before its end
}

// longest is the length in bytes from which an unquoted value is not looked at
// any more.
const longest = 2 << 10

// accept decides whether a value is the secret that its name promises. bare says
// that words follow the name without a sign, as in options.
func (p *pairReader) accept(v valueSpan, sep separator, name string, str strength, bare bool) bool {
	text := p.Text[v.start:v.end]
	if !v.quoted && len(text) > longest {
		return true // no word and no expression is that long
	}
	if text != "" && !v.quoted && strings.IndexByte("{[(", text[0]) >= 0 && markAt(text, 0) < 0 {
		return false // a structure
	}
	if text == "" || isPlaceholder(text) || IsCommonValue(text) || isExpression(text, v.quoted) || repeatsName(name, text) {
		return false
	}
	if v.quoted && isSentence(text) {
		return false
	}
	if sep.kind == 'i' { // a sentence: only what looks like nothing else
		if str != strong && (!isRandom(text) || len(text) < 12 || strings.Contains(text, "/")) {
			return false
		}
		return !strings.Contains(text, " ") && len(text) >= 6 && isUnusual(text) || v.quoted && len(text) >= 4 && str == strong
	}
	loose := !v.quoted && (sep.spaced || bare) && isPlainWord(text)
	if loose && terms().Prose.Match(p.rest(v.end, 40)) {
		return false // "password: must be …"
	}
	number := isDigit.all(text)
	switch str {
	case strong:
		return !number || len(text) >= 4
	case medium:
		if number {
			return len(text) >= 12
		}
		return len(text) >= 4 && !(loose && utf8.RuneCountInString(text) < 16) && (isKeyLike(text) || isRandom(text))
	case digits:
		return number && len(text) >= 3 && len(text) <= 10
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
	return len(text) >= 8 && !strings.ContainsAny(text, "-._/") || !isThing.all(text)
}

var isThing = bytesOf("a-z", "-._/")
