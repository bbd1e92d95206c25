package find

import (
	"strings"

	"errand/policy/rulefile"
)

// userInfo are the patterns of rules/userinfo.toml, which explains them.
var userInfo = rulefile.Load[struct {
	Before, Host, Mailbox *rulefile.Pattern
	Labels                rulefile.Words
}](files, "rules/userinfo.toml")

const (
	// userInfoReach is how much is read before the sign @, in bytes.
	userInfoReach = 200
	// maxHost is the longest name of a host, with what ends it, in bytes.
	maxHost = 256
)

// findUserInfo finds the passwords of user:password@host that no scheme gives away.
func (s *scanner) findUserInfo() {
	for at, next := 0, 0; ; at++ {
		if next = strings.IndexByte(s.Text[at:], '@'); next < 0 {
			return
		}
		at += next
		from := s.runeStart(max(0, at-userInfoReach))
		line := s.Text[from:at]
		if !strings.Contains(line, ":") || !s.isHost(at+1) {
			continue
		}
		s.effort.addBytes(len(line))
		m := userInfo().Before.Get().FindStringSubmatchIndex(line)
		if m == nil {
			continue
		}
		user, password := strings.ToLower(line[m[2]:m[3]]), line[m[4]:m[5]]
		if isPlaceholder(password) || IsCommonValue(password) || isExpression(password, false) || user == "mailto" {
			continue
		}
		if userInfo().Mailbox.Match(password) && (userInfo().Labels[user] || !isDigit.matchesAny(password)) {
			continue
		}
		s.add("url-password", from+m[4], from+m[5])
	}
}

// isHost reports whether the name of a host begins at text[i].
func (s *scanner) isHost(i int) bool {
	return userInfo().Host.Match(s.Text[i:s.runeStart(min(len(s.Text), i+maxHost))])
}
