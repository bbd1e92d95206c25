package find

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// scanner goes through one text. A trigger is a literal that is a part of
// every secret of some kind or of what stands before it; only where one is
// found does anything slower look.
type scanner struct {
	Page
	spans []Span
	marks []Span // of this text, by rising place
	// covered is the end of what has been found so far.
	covered   int
	bare      bareRun
	effort    effort
	leakTried map[*leakRule]int // up to where rules of gitleaks have been tried
	// inner says that the text was decoded from a word of another.
	inner bool
}

type trigger struct {
	literal string // lower case
	look    func(s *scanner, pos int)
}

func (s *scanner) scan() {
	t := triggers()
	t.Each(s.Text, func(pos, n int) {
		// What lies in a secret is gone with it; a mark's kind is no name.
		if pos >= s.covered && !s.marked(pos) {
			s.effort.begin(pos)
			t.looks[n](s, pos)
			if s.effort.spent(pos) {
				s.add("unread", max(pos, s.covered), s.lineEnd(s.effort.block))
			}
		}
	})
}

// marked reports whether text[pos] is in a mark. Calls come with rising pos.
func (s *scanner) marked(pos int) bool {
	for len(s.marks) > 0 && s.marks[0].End <= pos {
		s.marks = s.marks[1:]
	}
	return len(s.marks) > 0 && s.marks[0].Start <= pos
}

// lineEnd is the end of the line that text[i] is in, at most one block further
// and never inside a rune.
func (s *scanner) lineEnd(i int) int {
	i = min(i, len(s.Text))
	return i + len(s.rest(i, blockSize))
}

func (s *scanner) add(kind string, start, end int) {
	if start < end {
		s.spans = append(s.spans, Span{Start: start, End: end, Kind: kind})
		s.covered = max(s.covered, end)
	}
}

// lookout finds triggers and knows who looks at each.
type lookout struct {
	*Matcher
	looks []func(*scanner, int)
}

// triggers are indexed on first use: a program that redacts nothing doesn't
// pay for it.
var triggers = sync.OnceValue(func() lookout {
	var l lookout
	var literals []string
	for _, t := range allTriggers() {
		literals = append(literals, t.literal)
		l.looks = append(l.looks, t.look)
	}
	l.Matcher = NewMatcher(literals, true)
	return l
})

// minTrigger keeps the matcher's window, and so its speed, at three bytes.
const minTrigger = 3

func allTriggers() []trigger {
	var all []trigger
	on := func(look func(*scanner, int), literals ...string) {
		for _, l := range literals {
			l = lowerASCII(l)
			if len(l) < minTrigger {
				panic("redact: trigger " + l + " is too short")
			}
			all = append(all, trigger{l, look})
		}
	}
	for _, t := range tokens().Tokens {
		for prefix := range strings.FieldsSeq(t.Prefixes) {
			on(func(s *scanner, pos int) { s.token(t, prefix, pos) }, prefix)
		}
	}
	for _, r := range leakRules() {
		on(func(s *scanner, pos int) { s.leak(r, pos) }, r.Keywords...)
	}
	on((*scanner).jwt, "eyJ")
	on((*scanner).twilio, pairs("sk", "0123456789abcdef")...)
	on((*scanner).mailchimp, "-us")
	on((*scanner).azureClient, "0q~", "1q~", "2q~", "3q~", "4q~", "5q~", "6q~", "7q~", "8q~", "9q~")
	on((*scanner).encodedPEM, "LS0tLS1CRUdJTi")
	for d := '0'; d <= '9'; d++ {
		on((*scanner).telegramBot, pairs(string(d)+":", "abcdefghijklmnopqrstuvwxyz")...)
	}
	// The bot's number begins with three digits, of which base64 makes these.
	for _, a := range []string{"m", "n", "o"} {
		for _, b := range []string{"d", "t", "j", "z"} {
			on((*scanner).discordBot, pairs(a+b, "aeimquycgk")...)
		}
	}
	for _, host := range terms().CapabilityURLs {
		on(func(s *scanner, pos int) { s.capabilityURL(pos, len(host)) }, host)
	}
	on((*scanner).pemBegin, "begin ")
	on((*scanner).pemEnd, "end ")
	on((*scanner).puttyKey, "private-lines:")
	on((*scanner).url, "://")
	on((*scanner).encodedURL, "%3a%2f%2f")
	on((*scanner).mysqlDSN, "@tcp(", "@unix(")
	on((*scanner).authorization, "authorization")
	on((*scanner).cookie, "cookie")
	on(func(s *scanner, pos int) { s.scheme(pos, len("bearer")) }, "bearer")
	on(func(s *scanner, pos int) { s.basic(pos, len("basic")) }, "basic ")
	on((*scanner).userFlag, " -u ", " -u\"", " -u'", "--user ", "--user=", "--proxy-user ")
	on((*scanner).passFlag, " -p")
	on((*scanner).authFlag, " -a ")
	on((*scanner).identifiedBy, "identified by")
	on((*scanner).insertInto, "insert into")
	on((*scanner).wifi, "wifi:")
	on((*scanner).pgpass, ":5432:")
	for _, q := range slices.Sorted(maps.Keys(terms().QueryKeys)) {
		on(func(s *scanner, pos int) { s.queryKey(pos, len(q)) }, q+"=")
	}
	for _, w := range slices.Sorted(maps.Keys(terms().KeyWords)) {
		on(func(s *scanner, pos int) { s.keyed(pos, len(w)) }, w)
	}
	for _, w := range terms().ForeignPasswords {
		on(func(s *scanner, pos int) { s.foreign(pos, len(w), strong, "password") }, w)
	}
	for _, w := range terms().ForeignKeys {
		on(func(s *scanner, pos int) { s.foreign(pos, len(w), medium, "key") }, w)
	}
	return all
}

// lowerASCII leaves other letters alone, as the matcher does.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		b[i] = lower(c)
	}
	return string(b)
}

func pairs(first, seconds string) []string {
	var out []string
	for _, r := range seconds {
		out = append(out, first+string(r))
	}
	return out
}

// line is the part of the text's line that stands before i, at most limit
// bytes.
func (s *scanner) line(i, limit int) string {
	from := max(0, i-limit)
	if nl := strings.LastIndexByte(s.Text[from:i], '\n'); nl >= 0 {
		from += nl + 1
	}
	return s.Text[from:i]
}

// rest is what follows i on its line, at most limit bytes, never half a rune.
func (s *scanner) rest(i, limit int) string {
	end := min(len(s.Text), i+limit)
	if nl := strings.IndexByte(s.Text[i:end], '\n'); nl >= 0 {
		end = i + nl
	}
	for end < len(s.Text) && end > i && !utf8.RuneStart(s.Text[end]) {
		end--
	}
	s.saw(end)
	return s.Text[i:end]
}
