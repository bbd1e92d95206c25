package find

import "strings"

// isURL are the bytes of a URL as it is written in text.
var isURL = func() charset {
	var c charset
	for b := byte(0x21); b < 0x7f; b++ {
		c[b] = strings.IndexByte("\"'`<>\\ ", b) < 0
	}
	return c
}()

// isParameter are the bytes of one parameter's value.
var isParameter = func() charset {
	c := isURL
	c['&'], c['#'], c[';'] = false, false, false
	return c
}()

// readURL hides the password in a URL's user info, at the "://" that it was found
// by. Queries and fragments are found by their keys.
func (s *scanner) readURL(pos int) {
	from := pos + len("://")
	if pos == 0 || !isAlnum[s.Text[pos-1]] || from >= len(s.Text) {
		return
	}
	end := s.run(&isURL, from)
	rest := s.Text[from:end]
	authority := rest
	if cut := strings.IndexAny(rest, "/?#"); cut >= 0 {
		authority = rest[:cut]
	}
	at := strings.LastIndexByte(authority, '@')
	if at < 0 {
		// A password may hold an unescaped slash. Then the colon isn't followed by
		// a port.
		colon := strings.IndexByte(authority, ':')
		if colon < 0 || colon+1 < len(authority) && isDigit.all(authority[colon+1:]) || colon+1 == len(authority) {
			return
		}
		if at = strings.LastIndexByte(rest, '@'); at < 0 {
			return
		}
		authority = rest
	}
	s.readUserInfo(from, authority[:at])
}

func (s *scanner) readUserInfo(from int, info string) {
	user, password, ok := strings.Cut(info, ":")
	if ok && terms().SampleUsers[strings.ToLower(user)] && terms().SamplePasswords[strings.ToLower(password)] {
		return
	}
	if ok && !isPlaceholder(password) {
		s.add("url-password", from+len(user)+1, from+len(info))
	}
	if len(user) >= 16 && isRandom(user) && !isPlaceholder(user) {
		s.add("url-password", from, from+len(user))
	}
}

// readEncodedURL does the same in a URL that is the value of a parameter.
func (s *scanner) readEncodedURL(pos int) {
	from := pos + len("%3a%2f%2f")
	end := s.run(&isURL, from)
	rest := strings.ToLower(s.Text[from:end])
	if cut := strings.Index(rest, "%2f"); cut >= 0 {
		rest = rest[:cut]
	}
	at := strings.LastIndex(rest, "%40")
	if at < 0 {
		return
	}
	if colon := strings.Index(rest[:at], "%3a"); colon >= 0 {
		if password := s.Text[from+colon+3 : from+at]; !isPlaceholder(password) {
			s.add("url-password", from+colon+3, from+at)
		}
	}
}

// readMySQLDSN reads user:password@tcp(host) of Go's MySQL driver.
func (s *scanner) readMySQLDSN(pos int) {
	start := isURL.back(s.Text, pos, 200)
	user, password, ok := strings.Cut(s.Text[start:pos], ":")
	if i := strings.LastIndexByte(user, '='); i >= 0 {
		user = user[i+1:]
	}
	if ok && user != "" && !strings.HasPrefix(password, "//") && !isPlaceholder(password) {
		s.add("url-password", pos-len(password), pos)
	}
}

// readPgpass reads the line of a .pgpass file, host:port:database:user:password,
// at PostgreSQL's own port.
func (s *scanner) readPgpass(pos int) {
	from := pos + len(":5432:")
	line := s.rest(from, 400)
	if cut := strings.IndexAny(line, " \t\"'`"); cut >= 0 {
		line = line[:cut]
	}
	parts := strings.SplitN(line, ":", 3)
	if len(parts) == 3 && parts[0] != "" && isName.all(parts[1]) && len(parts[2]) >= MinSecret {
		s.addValue("password", from+len(line)-len(parts[2]), from+len(line))
	}
}

// readQueryKey reads the value of such a parameter; pos is the key's place. The
// key may be the end of a longer one ("X-Amz-Signature").
func (s *scanner) readQueryKey(pos, length int) {
	start := isName.back(s.Text, pos, 40)
	key := strings.ToLower(s.Text[start : pos+length])
	if !s.isInQuery(start) {
		return
	}
	from := pos + length + 1
	end := s.run(&isParameter, from)
	for end > from && strings.IndexByte(".,)]}!?:", s.Text[end-1]) >= 0 && markAt(s.Text, from) != end {
		end--
	}
	value := s.Text[from:end]
	if !terms().HarmlessQueryKeys[key] && isRandom(value) && !isPlaceholder(value) {
		s.add("url-query", from, end)
	}
}

// isInQuery reports whether a key that begins at i follows ?, & or #, or one of
// their escapes.
func (s *scanner) isInQuery(i int) bool {
	if i == 0 {
		return false
	}
	if strings.IndexByte("?&#;", s.Text[i-1]) >= 0 {
		return true
	}
	before := strings.ToLower(s.Text[max(0, i-6):i])
	for _, e := range []string{"%3f", "%26", "%23", `\u0026`} {
		if strings.HasSuffix(before, e) {
			return true
		}
	}
	return false
}
