// Package hostname reads the hosts of URLs and patterns in one spelling only, because other parsers
// could read another host from any other.
package hostname

import (
	"net/netip"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"

	"errand/planner/message"
	"errand/planner/script"
)

// Host is a host in its canonical spelling: a lower-case name of A-labels, a
// dotted quad, or an IPv6 address as RFC 5952 writes it, without brackets.
type Host struct {
	Name  string
	Addr  netip.Addr // valid for an address
	Mixed bool       // a label mixes scripts that no language mixes
}

// idnaProfile maps as browsers do (UTS 46, not transitional) and validates labels,
// joiners and the Bidi rule. checkLabels checks ASCII, because names with labels like
// "r3---sn-x" and with "_" exist.
var idnaProfile = idna.New(idna.MapForLookup(), idna.BidiRule(), idna.VerifyDNSLength(true),
	idna.StrictDomainName(false), idna.CheckHyphens(false))

// Parse reads the host of a URL or a pattern. Apart from letter case, IDNA and the
// spellings of an IPv6 address it accepts only the canonical spelling. If it rejects the text,
// problem has a code and says why.
func Parse(s string) (h Host, problem message.Message) {
	switch {
	case s == "":
		return Host{}, message.New("policy.no_host")
	case s[0] == '[':
		return parseIPv6(s)
	}
	if !isASCII(s) {
		var f message.Message
		if s, f = toASCII(s); f.Code != "" {
			return Host{}, f
		}
	}
	s = Lower(s)
	last, f := checkLabels(s)
	if f.Code != "" {
		return Host{}, f
	}
	if last[0] >= '0' && last[0] <= '9' {
		// Only an address ends in a number: no top-level domain starts with a digit,
		// and parsers read 0x7f.1, 017700000001 and 2130706433 as addresses.
		a, err := netip.ParseAddr(s)
		if err != nil || a.String() != s {
			return Host{}, message.New("policy.bad_ipv4")
		}
		return Host{Name: s, Addr: a}, message.Message{}
	}
	if !strings.Contains(s, "xn--") {
		return Host{Name: s}, message.Message{}
	}
	mixed, f := checkALabels(s)
	return Host{Name: s, Mixed: mixed}, f
}

func parseIPv6(s string) (Host, message.Message) {
	inner, closed := strings.CutSuffix(s[1:], "]")
	a, err := netip.ParseAddr(inner)
	switch {
	case !closed || err != nil || !a.Is6():
		return Host{}, message.New("policy.no_ipv6_in_brackets")
	case a.Zone() != "":
		return Host{}, message.New("policy.ipv6_with_zone")
	case strings.Contains(inner, "."):
		return Host{}, message.New("policy.ipv6_with_ipv4")
	}
	return Host{Name: a.String(), Addr: a}, message.Message{}
}

// checkLabels checks an ASCII name by the rules of DNS names, with "_" allowed, and
// returns the last label.
func checkLabels(s string) (last string, f message.Message) {
	if len(s) > 253 {
		return "", message.New("policy.long_name")
	}
	start := 0
	for i := 0; i <= len(s); i++ {
		if i < len(s) && s[i] != '.' {
			if !isNameByte(s[i]) {
				return "", message.New("policy.bad_name_character")
			}
			continue
		}
		label := s[start:i]
		switch {
		case label == "" && i == len(s) && i > 0:
			return "", message.New("policy.trailing_dot")
		case label == "":
			return "", message.New("policy.empty_label")
		case len(label) > 63:
			return "", message.New("policy.long_label")
		case label[0] == '-' || label[len(label)-1] == '-':
			return "", message.New("policy.hyphen_at_label_edge")
		}
		last, start = label, i+1
	}
	return last, message.Message{}
}

func isNameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_' || 'A' <= c && c <= 'Z'
}

// toASCII maps a name with non-ASCII letters to A-labels. It rejects letters that IDNA
// would map to ASCII letters (full width, enclosed, mathematical, ligature, Kelvin
// sign), ideographic dots, and everything else that is not a letter, mark or digit.
func toASCII(s string) (string, message.Message) {
	for _, r := range s {
		if r >= utf8.RuneSelf && !isIDNLetter(r) {
			return "", message.New("policy.bad_unicode_name")
		}
	}
	ascii, err := idnaProfile.ToASCII(s)
	if err != nil {
		return "", message.New("policy.bad_international_name")
	}
	from, to := strings.Split(s, "."), strings.Split(ascii, ".")
	if len(from) != len(to) {
		return "", message.New("policy.bad_international_name")
	}
	for i := range from {
		if !isASCII(from[i]) && !strings.HasPrefix(to[i], "xn--") {
			return "", message.New("policy.disguised_ascii")
		}
	}
	return ascii, message.Message{}
}

// checkALabels checks that each A-label encodes a name that would be accepted, and
// reports whether one of them mixes scripts.
func checkALabels(s string) (mixed bool, f message.Message) {
	for label := range strings.SplitSeq(s, ".") {
		if !strings.HasPrefix(label, "xn--") {
			continue
		}
		u, err := idnaProfile.ToUnicode(label)
		if err != nil || isASCII(u) {
			return false, message.New("policy.bad_international_name")
		}
		for _, r := range u {
			if r >= utf8.RuneSelf && !isIDNLetter(r) {
				return false, message.New("policy.bad_international_character")
			}
		}
		if back, err := idnaProfile.ToASCII(u); err != nil || back != label {
			return false, message.New("policy.bad_international_name")
		}
		mixed = mixed || script.IsMixed(u)
	}
	return mixed, message.Message{}
}

// isIDNLetter accepts letters, marks, decimal digits and the two joiners, whose
// position IDNA checks (CONTEXTJ), unless they normalise to ASCII.
func isIDNLetter(r rune) bool {
	if !unicode.In(r, unicode.L, unicode.M, unicode.Nd) && r != '\u200c' && r != '\u200d' {
		return false
	}
	for _, n := range norm.NFKC.String(string(r)) {
		if n < utf8.RuneSelf {
			return false
		}
	}
	return true
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Lower folds ASCII letters. It allocates only if there is one to fold.
func Lower(s string) string {
	for i := range len(s) {
		if 'A' <= s[i] && s[i] <= 'Z' {
			return strings.ToLower(s)
		}
	}
	return s
}
