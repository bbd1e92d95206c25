package find

import "strings"

// separator is what is between a name and its value.
type separator struct {
	end    int
	kind   byte // ':' '=' '>' ' ', '[' before a list, 'i' in a sentence
	spaced bool // blanks follow it: YAML and prose
	key    byte // the quote that closed the name, 0 without
	query  bool // the name follows ? or &
	pct    bool // the separator was percent-encoded
}

// quotes are how a string begins, longest first where one begins another.
var quotes = []string{`"`, `'`, "`", "%22", "%27", "&quot;", "&#34;", "&#39;", "&#x27;", `\u0022`}

// quoteAt returns the quote at s[i], backslashes before it
// included, "" for none.
func quoteAt(s string, i int) string {
	j := i
	for j < len(s) && j-i < 8 && s[j] == '\\' {
		j++
	}
	for _, q := range quotes {
		if len(s)-j >= len(q) && strings.EqualFold(s[j:j+len(q)], q) {
			return s[i : j+len(q)]
		}
	}
	return ""
}

// readSeparator reads what follows a name at text[i].
func (s *scanner) readSeparator(i int, flag bool) (separator, bool) {
	t := s.Text
	sep := separator{query: s.isInQuery(isName.back(t, i, 64))}
	name := isName.back(t, i, 64)
	if q := quoteAt(t, i); q != "" {
		i += len(q)
		sep.key = q[len(q)-1]
	}
	for i < len(t) && (t[i] == ']' || t[i] == ')') && sep.kind == 0 { // env["X"] =, params[x]=
		i++
	}
	if flag && i < len(t) && t[i] == ' ' && sep.key == 0 {
		sep.end, sep.kind = i+1, ' '
		return sep, i+1 < len(t) && t[i+1] != '-' && !isSpace[t[i+1]]
	}
	if flag && sep.key != 0 { // ["--password", "…"]
		j := i
		for j < len(t) && (t[j] == ',' || t[j] == ' ') {
			j++
		}
		if j > i && quoteAt(t, j) != "" {
			return separator{end: j, kind: ' ', key: sep.key}, true
		}
	}
	for n := 0; i < len(t) && (t[i] == ' ' || t[i] == '\t') && n < 20; n++ {
		i++
	}
	if strings.HasPrefix(t[i:], "%20") {
		i += 3
	}
	low := strings.ToLower(t[i:min(len(t), i+6)])
	for _, form := range []struct {
		text string
		kind byte
		pct  bool
	}{
		{":=", '=', false},
		{"=>", '=', false},
		{"==", 0, false},
		{"=~", 0, false},
		{"::", 0, false},
		{"://", 0, false},
		{"=", '=', false},
		{":", ':', false},
		{"%3d", '=', true},
		{"%3a", ':', true},
		{"：", ':', false},
		{"&#61;", '=', false},
		{`\u003d`, '=', false},
		{"->", '=', false},
	} {
		if strings.HasPrefix(low, form.text) {
			if form.kind == 0 {
				return sep, false
			}
			sep.kind, sep.pct = form.kind, form.pct
			i += len(form.text)
			break
		}
	}
	if sep.kind == 0 && i < len(t) && t[i] == '>' && name > 0 && t[name-1] == '<' {
		sep.kind = '>'
		i++
	}
	if sep.kind == 0 {
		return sep, s.readPlist(&sep, i)
	}
	before := i
	for i < len(t) && (t[i] == ' ' || t[i] == '\t') {
		i++
	}
	for sep.pct && (strings.HasPrefix(t[i:], "%20") || strings.HasPrefix(t[i:], "+")) {
		i += len("%20")
		if t[i-3] == '+' {
			i -= 2
		}
	}
	sep.spaced = i > before
	if nl := skipNewlines(t, i); nl > i && (sep.key != 0 && nl < len(t) && quoteAt(t, nl) != "") {
		i = nl
	} else if sep.kind == ':' && i < len(t) && (t[i] == '|' || t[i] == '>') { // YAML block scalars
		if nl := skipNewlines(t, skipBlockHead(t, i)); nl > i && nl < len(t) && t[nl-1] == ' ' {
			i = nl
		}
	}
	if i < len(t) && t[i] == '[' && markAt(t, i) < 0 && sep.kind != '>' && i+1 < len(t) && (t[i+1] == '"' || t[i+1] == '\'' || isSpace[t[i+1]]) {
		sep.kind = '['
		i++
	}
	sep.end = i
	return sep, true
}

// readPlist reads </key><string> of Apple's property lists.
func (s *scanner) readPlist(sep *separator, i int) bool {
	rest := s.Text[i:min(len(s.Text), i+64)]
	after, ok := strings.CutPrefix(rest, "</key>")
	if !ok {
		return false
	}
	after = strings.TrimLeft(after, " \t\r\n")
	value, ok := strings.CutPrefix(after, "<string>")
	sep.end, sep.kind = i+len(rest)-len(value), '>'
	return ok
}

func skipNewlines(t string, i int) int {
	for j := i; j < len(t); j++ {
		if !isSpace[t[j]] {
			return j
		}
	}
	return i
}

func skipBlockHead(t string, i int) int {
	for i < len(t) && strings.IndexByte("|>-+0123456789", t[i]) >= 0 {
		i++
	}
	return i
}

// valueSpan is the place of a value, without its quotes.
type valueSpan struct {
	start, end int
	quoted     bool
}

// readValue reads the value behind a separator.
func (s *scanner) readValue(sep separator) valueSpan {
	t, i := s.Text, sep.end
	if i+1 < len(t) && strings.IndexByte("bBrRuUfFNL@$", t[i]) >= 0 && (t[i+1] == '"' || t[i+1] == '\'') {
		i++ // a string prefix of Python, SQL, C or C#
	}
	if q := quoteAt(t, i); q != "" && (q[0] != '\\' || len(q) > 1) {
		return s.readQuotedValue(i+len(q), q)
	}
	if strings.HasPrefix(t[i:], "!!str ") { // a tag of YAML
		i += len("!!str ")
	}
	start := i
	if m := markAt(t, i); m >= 0 {
		i = m
	}
	if s.bare.start < i && i < s.bare.end && s.bare.sep == sep.ending() {
		i = s.bare.end // inside a value that has just been read
	} else {
		from := i
		for end := min(len(t), i+maxRun); i < end && !s.endsValue(i, start, sep); {
			i++
		}
		s.bare = bareRun{from, i, sep.ending()}
	}
	s.noteRead(i)
	for i > start && strings.IndexByte(".,:!?)]}", t[i-1]) >= 0 && markAt(t, start) != i {
		i--
	}
	return valueSpan{start, i, false}
}

// bareRun remembers where the last unquoted value ended. Without it a text such
// as "token=token=…" would be read again from every word.
type bareRun struct {
	start, end int
	sep        separator
}

// ending is what of a separator decides where a value ends.
func (s separator) ending() separator { return separator{kind: s.kind, query: s.query, pct: s.pct} }

func (s *scanner) readQuotedValue(start int, quote string) valueSpan {
	t := s.Text
	for triple := quote + quote; len(quote) == 1 && strings.HasPrefix(t[start:], triple); {
		start += len(triple)
		quote = quote + triple
	}
	limit := min(len(t), start+maxRun)
	for i := start; i < limit; i++ {
		if t[i] == '\n' && len(quote) != 3 {
			limit = i
			break
		}
		if quote[0] != '\\' && t[i] == '\\' && quote[0] != '%' && quote[0] != '&' {
			i++ // escaped, whatever it is
			continue
		}
		if len(t)-i >= len(quote) && strings.EqualFold(t[i:i+len(quote)], quote) {
			s.noteRead(i)
			return valueSpan{start, i, true}
		}
	}
	s.noteRead(limit)
	return valueSpan{start, limit, true} // cut off before its end
}

// endsValue reports whether an unquoted value ends before text[i].
func (s *scanner) endsValue(i, start int, sep separator) bool {
	t := s.Text
	c := t[i]
	switch {
	case c <= ' ' || c == 0x7f || c == '"' || c == '\'' || c == '`':
		return true
	case c == '<':
		return i > start || sep.kind == '>'
	case c == ';':
		return true
	case c == '#':
		return sep.query
	case c == '&':
		return sep.query || sep.pct || strings.HasPrefix(t[i:], "&quot;") || strings.HasPrefix(t[i:], "&amp;") || s.nameFollows(i+1)
	case c == '%':
		low := strings.ToLower(t[i:min(len(t), i+3)])
		return sep.pct && (low == "%26" || low == "%22" || low == "%0a" || low == "%7d" || low == "%2c" || low == "%3b")
	case c == '\\':
		return i+1 < len(t) && strings.IndexByte(`nrt"'u\`, t[i+1]) >= 0
	case c == ',':
		return i+1 >= len(t) || isSpace[t[i+1]] || strings.IndexByte("\"'}])", t[i+1]) >= 0 || s.nameFollows(i+1)
	case strings.IndexByte(")]}|", c) >= 0:
		return i+1 >= len(t) || strings.IndexByte(" \t\r\n,;)]}|\"'", t[i+1]) >= 0
	case strings.HasPrefix(t[i:], "…"):
		return true
	}
	return false
}

// nameFollows reports whether "name=" or "name:" begins at text[i].
func (s *scanner) nameFollows(i int) bool {
	end := s.run(&isName, i)
	return end > i && end < len(s.Text) && (s.Text[end] == '=' || s.Text[end] == ':')
}
