package policy

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"errand/planner/message"
	"errand/policy/hostname"
	"errand/policy/special"
)

// MaxURL is the longest accepted URL, in bytes.
const MaxURL = 8 << 10

// Target is the destination of a URL, in canonical spelling.
type Target struct {
	Scheme string     // http, https, ws or wss
	Host   string     // A-labels in lower case, or an address without brackets
	Port   uint16     // the scheme's default if the URL names none
	Addr   netip.Addr // valid if the host is an address

	path       string // as written in the URL, at least "/"
	pathHidden bool   // path is unknown, see [Request]
	mixed      bool   // a label of the host mixes scripts
}

// HostPort returns the canonical "host:port" of the target, IPv6 in brackets.
func (t Target) HostPort() string {
	if t.Addr.Is6() {
		return "[" + t.Host + "]:" + strconv.Itoa(int(t.Port))
	}
	return t.Host + ":" + strconv.Itoa(int(t.Port))
}

// Origin returns scheme, host and port as one text, equal for equal origins.
func (t Target) Origin() string { return t.Scheme + "://" + t.HostPort() }

// FloorURL decides the text of a URL by the floor alone: its characters, scheme, host
// spelling, port, special names and, for an address, whether it is public. The target
// may be empty unless the verdict is [Allow]. It does not allocate for a usual URL.
//
// If it allows a URL, net/url parses the same host and port.
func FloorURL(raw string) (Target, Decision) {
	t, d := checkSpelling(raw)
	switch {
	case t.Addr.IsValid():
		// A private address is reported before a bad port.
		if addr := FloorAddr(t.Addr); addr.Verdict != Allow {
			addr.Hint = message.New("policy.allow_private_hint", "address", t.HostPort()) // a line of the configuration
			return t, addr
		}
	case d.Verdict == Allow && t.mixed:
		return t, deny(RuleMixedScript, message.New("policy.mixed_scripts", "host", t.Host))
	}
	return t, d
}

// checkSpelling is the floor without what settings can allow: private addresses, and
// hosts that mix scripts.
func checkSpelling(raw string) (Target, Decision) {
	t, f := parseURL(raw)
	if f.isSet() {
		return t, f.decision()
	}
	if special.IsBadPort(t.Port) {
		return t, deny(RuleBadPort, message.New("policy.port_not_for_web", "port", t.Port))
	}
	if !t.Addr.IsValid() {
		if reason, ok := special.FindName(t.Host); ok {
			d := deny(RuleSpecialName, message.New("policy.special_name", "host", t.Host, "reason", reason))
			d.Hint = nameHint(t)
			return t, d
		}
	}
	return t, allow(RuleFloor, message.New("policy.floor_allows"))
}

// FloorAddr decides whether an address is on the public internet.
func FloorAddr(a netip.Addr) Decision {
	if block, ok := special.FindAddr(a); ok {
		return deny(RulePrivateAddress, message.New("policy.not_public", "address", a.String(), "block", block))
	}
	return allow(RuleFloor, message.New("policy.public_address"))
}

// urlProblem is the reason why a URL is rejected. The zero value means that it is
// not.
type urlProblem struct {
	rule   string
	reason message.Message
}

func (f urlProblem) isSet() bool        { return f.rule != "" }
func (f urlProblem) decision() Decision { return deny(f.rule, f.reason) }

func hostFault(reason message.Message) urlProblem { return urlProblem{RuleHost, reason} }

func parseURL(raw string) (Target, urlProblem) {
	if f := checkRaw(raw); f.isSet() {
		return Target{}, f
	}
	scheme, rest, ok := strings.Cut(raw, "://")
	switch {
	case !ok && !strings.Contains(raw, ":"):
		return Target{}, urlProblem{RuleRaw, message.New("policy.no_scheme")}
	case !ok && defaultPort(hostname.Lower(scheme[:strings.IndexByte(scheme, ':')])) != 0:
		return Target{}, urlProblem{RuleRaw, message.New("policy.no_slashes_after_scheme")}
	}
	t := Target{Scheme: hostname.Lower(scheme)}
	if defaultPort(t.Scheme) == 0 {
		return Target{}, urlProblem{RuleScheme, message.New("policy.unsupported_scheme")}
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	authority, tail := rest[:end], rest[end:]
	switch {
	case authority == "":
		return Target{}, hostFault(message.New("policy.no_host"))
	case strings.Contains(authority, "@"):
		return Target{}, urlProblem{RuleRaw, message.New("policy.user_in_url")}
	case strings.Contains(authority, "%"):
		return Target{}, urlProblem{RuleRaw, message.New("policy.escape_in_host")}
	}
	name, port, f := splitPort(authority, defaultPort(t.Scheme))
	if f.isSet() {
		return Target{}, f
	}
	h, problem := hostname.Parse(name)
	if problem.Code != "" {
		return Target{}, hostFault(problem)
	}
	t.Host, t.Addr, t.Port, t.mixed = h.Name, h.Addr, port, h.Mixed
	t.path, f = urlPath(tail)
	return t, f
}

// checkRaw rejects characters that parsers treat differently.
func checkRaw(raw string) urlProblem {
	if len(raw) > MaxURL {
		return urlProblem{RuleRaw, message.New("policy.long_url")}
	}
	ascii := true
	for i := range len(raw) {
		switch c := raw[i]; {
		case c <= ' ' || c == 0x7f:
			return urlProblem{RuleRaw, message.New("policy.control_character_in_url")}
		case c == '\\':
			return urlProblem{RuleRaw, message.New("policy.backslash_in_url")}
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	if ascii {
		return urlProblem{}
	}
	if !utf8.ValidString(raw) {
		return urlProblem{RuleRaw, message.New("policy.url_not_utf8")}
	}
	for _, r := range raw {
		if 0x80 <= r && r <= 0x9f {
			return urlProblem{RuleRaw, message.New("policy.control_character_in_url")}
		}
	}
	return urlProblem{}
}

// splitPort separates the port from an authority without user info.
func splitPort(authority string, byDefault uint16) (name string, port uint16, f urlProblem) {
	colon := strings.IndexByte(authority, ':')
	if authority[0] == '[' {
		closing := strings.IndexByte(authority, ']')
		if closing < 0 {
			return "", 0, hostFault(message.New("policy.unclosed_ipv6"))
		}
		if colon = closing + 1; colon == len(authority) {
			colon = -1
		} else if authority[colon] != ':' {
			return "", 0, hostFault(message.New("policy.text_after_ipv6"))
		}
	}
	if colon < 0 {
		return authority, byDefault, urlProblem{}
	}
	port, ok := special.ParsePort(authority[colon+1:])
	if !ok {
		return "", 0, urlProblem{RuleBadPort, message.New("policy.bad_port")}
	}
	return authority[:colon], port, urlProblem{}
}

// urlPath returns the path from the text after the authority. It rejects broken escapes
// in path and fragment, because net/url does not parse them.
func urlPath(tail string) (string, urlProblem) {
	tail, fragment, _ := strings.Cut(tail, "#")
	path, _, _ := strings.Cut(tail, "?")
	if !hasWholeEscapes(path) || !hasWholeEscapes(fragment) {
		return "", urlProblem{RuleRaw, message.New("policy.broken_escape")}
	}
	if path == "" {
		path = "/"
	}
	return path, urlProblem{}
}

func hasWholeEscapes(s string) bool {
	_, err := url.PathUnescape(s)
	return err == nil
}
