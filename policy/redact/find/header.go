package find

import (
	"strings"
)

// readAuthorization reads the value of an Authorization or Proxy-Authorization
// header, however it is quoted.
func (s *scanner) readAuthorization(pos int) {
	sep, ok := s.readSeparator(pos+len("authorization"), false)
	if !ok {
		return
	}
	v := s.readValue(sep)
	from, end := v.start, 0
	if v.quoted {
		end = v.end
	} else {
		end = from + len(s.rest(from, 4096))
		if cut := strings.IndexAny(s.Text[from:end], "\"'`"); cut >= 0 && !strings.Contains(strings.ToLower(s.Text[from:from+cut]), "digest ") {
			end = from + cut
		}
	}
	for _, esc := range []string{`\n`, `\r`, `\"`} {
		if cut := strings.Index(s.Text[from:end], esc); cut >= 0 {
			end = from + cut
		}
	}
	word, rest, spaced := strings.Cut(s.Text[from:end], " ")
	if lower := strings.ToLower(word); spaced && terms().ListSchemes[lower] {
		s.addValue("authorization", end-len(rest), end)
		return
	} else if spaced && terms().WordSchemes[lower] {
		at := end - len(rest)
		for at < end && s.Text[at] == ' ' {
			at++
		}
		stop := at
		if m := markAt(s.Text, at); m >= 0 {
			stop = m
		}
		for stop < end && !isSpace[s.Text[stop]] {
			stop++
		}
		s.addValue("authorization", at, trimComma(s.Text, at, stop))
		return
	}
	if spaced && !isDigit.some(word) {
		return // "Authorization: required for this page"
	}
	if len(word) >= 6 && !IsCommonValue(word) && !terms().WordSchemes[strings.ToLower(word)] {
		s.addValue("authorization", from, trimComma(s.Text, from, from+len(word)))
	}
}

func (s *scanner) addValue(kind string, from, end int) {
	if from < end && !isPlaceholder(s.Text[from:end]) {
		s.add(kind, from, end)
	}
}

func trimComma(s string, from, end int) int {
	for end > from && strings.IndexByte(",;)}]", s[end-1]) >= 0 && markAt(s, from) != end {
		end--
	}
	return end
}

// readCookie reads Cookie and Set-Cookie headers: the values, not the names. A
// short word under a harmless name stays.
func (s *scanner) readCookie(pos int) {
	after := pos + len("cookie")
	if after < len(s.Text) && lower(s.Text[after]) == 's' { // "cookies": a jar
		after++
	}
	sep, ok := s.readSeparator(after, s.isFlag(pos))
	if !ok {
		return
	}
	v := s.readValue(sep)
	from, end := v.start, v.end
	if !v.quoted {
		end = from + len(s.rest(from, 8192))
		if cut := strings.IndexAny(s.Text[from:end], "\"'`"); cut >= 0 {
			end = from + cut
		}
	}
	for _, esc := range []string{`\n`, `\r`} {
		if cut := strings.Index(s.Text[from:end], esc); cut >= 0 {
			end = from + cut
		}
	}
	for from < end {
		pairEnd := end
		if semi := strings.IndexByte(s.Text[from:end], ';'); semi >= 0 {
			pairEnd = from + semi
		}
		if !s.readCookiePair(from, pairEnd) {
			return
		}
		from = pairEnd + 1
	}
}

// readCookiePair reads one name=value. It reports whether more may follow: prose
// behind a colon has no pairs.
func (s *scanner) readCookiePair(from, end int) bool {
	pair := s.Text[from:end]
	name, value, ok := strings.Cut(pair, "=")
	name = strings.ToLower(strings.TrimSpace(name))
	if !ok {
		return terms().PreferenceCookies[name] || name == ""
	}
	if strings.ContainsAny(name, " \t{[") {
		return false
	}
	start := end - len(value)
	for start < end && isSpace[s.Text[start]] {
		start++
	}
	if sp := strings.IndexByte(s.Text[start:end], ' '); sp >= 0 && !terms().PreferenceCookies[name] {
		end = start + sp // the header ends where the sentence goes on
	}
	value = strings.TrimRight(s.Text[start:end], ",.")
	if terms().PreferenceCookies[name] || value == "" || len(value) < 6 && !isSecretCookie(name) || IsCommonValue(value) {
		return true
	}
	s.addValue("cookie", start, start+len(value))
	return true
}

func isSecretCookie(name string) bool {
	for w := range terms().SecretCookies {
		if strings.Contains(name, w) {
			return true
		}
	}
	return false
}
