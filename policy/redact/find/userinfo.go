package find

import (
	"strings"

	"errand/policy/rulefile"
)

// userInfo are the patterns of rules/userinfo.toml, which explains them.
var userInfo = rulefile.Load[struct {
	Host, Mailbox *rulefile.Pattern
	Labels        rulefile.Words
}](files, "rules/userinfo.toml")

// isUserInfo is the set of characters of a user and a password before "@".
var isUserInfo = bytesOf("!", "#-&", "(-+", "--.", "0-:", "=", "?", "A-_", "a-{", "}-~", "\x80-\xff")

const (
	maxUser     = 64  // bytes
	maxPassword = 128 // bytes
	maxHost     = 256 // bytes, including the character after it
	portDigits  = 5   // maximum digits of a port
)

// findUserInfo finds the passwords of user:password@host without a scheme.
func (s *scanner) findUserInfo() {
	for at, next := 0, 0; ; at++ {
		if next = strings.IndexByte(s.Text[at:], '@'); next < 0 {
			return
		}
		at += next
		run := s.Text[isUserInfo.startOfRun(s.Text, at, maxUser+maxPassword):at]
		user, password, ok := strings.Cut(run, ":")
		if before := strings.FieldsFunc(user, endsBeforeUser); len(before) > 0 {
			user = strings.ToLower(before[len(before)-1])
		}
		if ok && user != "" && isPasswordOf(user, password) && s.isHost(at+1) {
			s.add("url-password", at-len(password), at)
		}
	}
}

// endsBeforeUser reports whether a character ends the text before a user.
func endsBeforeUser(r rune) bool { return r == '(' || r == '=' || r == '“' || r == '«' }

// isPasswordOf reports whether a word between a user and a host is a password, and not
// a port or a mailbox with a label.
func isPasswordOf(user, password string) bool {
	switch {
	case len(password) < MinSecret || len(password) > maxPassword || strings.Contains(password, ":") || user == "mailto",
		isPlaceholder(password) || IsCommonValue(password) || isExpression(password, false),
		isDigit.matchesAll(password) && len(password) <= portDigits:
		return false
	}
	return !userInfo().Mailbox.Match(password) || isDigit.matchesAny(password) && !userInfo().Labels[user]
}

// isHost reports whether a host name begins at text[i].
func (s *scanner) isHost(i int) bool {
	return userInfo().Host.Match(s.Text[i:s.runeStart(min(len(s.Text), i+maxHost))])
}
