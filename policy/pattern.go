package policy

import (
	"net/netip"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"

	"errand/planner/message"
	"errand/policy/hostname"
	"errand/policy/special"
	"errand/policy/urlpath"
)

// Pattern is one entry of a list of hosts, parsed:
//
//	[!][scheme://]host[:port|:from-to|:*][/path/]
//
// "example.com" is that host alone, "*.example.com" its subdomains at any
// depth but not the apex, "*" any public name. Without a scheme it means
// https, without a port the scheme's own. A path needs a scheme, ends in "/"
// and covers whole segments. "!" denies; a denying pattern without a scheme
// covers every scheme, without a port every port, so that a ban has no gap. One
// for https covers wss too, and one for http ws.
//
// The zero Pattern matches nothing.
type Pattern struct {
	text     string
	deny     bool
	scheme   string // "" in a denying pattern means any
	base     string // the host, or the part after "*."
	addr     netip.Addr
	wild     wildcard
	from, to uint16 // ports, inclusive
	path     []string
}

type wildcard int

const (
	noWildcard wildcard = iota
	subdomains          // "*.base"
	anyName             // "*"
)

// String returns the pattern as it was written.
func (p Pattern) String() string { return p.text }

// ParsePattern reads a pattern. The error says what is wrong and what to write instead.
// It does not repeat the pattern.
func ParsePattern(text string) (Pattern, error) {
	p := Pattern{text: text}
	rest, denies := strings.CutPrefix(text, "!")
	p.deny = denies
	if f := checkRaw(rest); f.isSet() {
		return Pattern{}, message.Error("policy.bad_pattern_character")
	}
	if rest == "" {
		return Pattern{}, message.Error("policy.empty_pattern")
	}
	scheme, after, hasScheme := strings.Cut(rest, "://")
	if hasScheme {
		if p.scheme = hostname.Lower(scheme); defaultPort(p.scheme) == 0 {
			return Pattern{}, message.Error("policy.unknown_scheme", "scheme", scheme)
		}
		rest = after
	} else if !denies {
		p.scheme = "https"
	}
	authority, path, hasPath := cutPath(rest)
	if hasPath {
		if err := p.parsePath(path, hasScheme, authority); err != nil {
			return Pattern{}, err
		}
	}
	name, ports, err := cutPorts(authority)
	if err != nil {
		return Pattern{}, err
	}
	if err := p.parsePorts(ports); err != nil {
		return Pattern{}, err
	}
	return p, p.parseHost(name)
}

func cutPath(rest string) (authority, path string, ok bool) {
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		return rest[:i], rest[i:], true
	}
	return rest, "", false
}

func (p *Pattern) parsePath(path string, hasScheme bool, authority string) error {
	if _, err := netip.ParsePrefix(authority + path); err == nil {
		return message.Error("policy.cidr_as_host")
	}
	if !hasScheme {
		return message.Error("policy.path_without_scheme", "host", authority, "path", path)
	}
	if !strings.HasSuffix(path, "/") {
		return message.Error("policy.path_without_slash", "path", path)
	}
	if strings.ContainsAny(path, "?#*") {
		return message.Error("policy.query_in_path")
	}
	plain := urlpath.Split(path)
	if slices.Contains(plain[:len(plain)-1], "") {
		return message.Error("policy.empty_path_segment")
	}
	segments, ok := urlpath.Clean(path)
	if !ok {
		return message.Error("policy.ambiguous_path")
	}
	if len(plain) != len(segments) {
		return message.Error("policy.empty_path_segment")
	}
	p.path = segments[:len(segments)-1] // the last is empty: it ends in "/"
	return nil
}

// cutPorts removes ":port", ":from-to" or ":*" from an authority; ports is empty if
// there is none.
func cutPorts(authority string) (name, ports string, err error) {
	i := strings.IndexByte(authority, ':')
	if strings.HasPrefix(authority, "[") {
		if end := strings.IndexByte(authority, ']'); end >= 0 {
			if i = end + 1; i == len(authority) {
				i = -1
			} else if authority[i] != ':' {
				return "", "", message.Error("policy.text_after_ipv6")
			}
		}
	}
	if i < 0 {
		return authority, "", nil
	}
	if authority[i+1:] == "" {
		return "", "", message.Error("policy.no_port_after_colon")
	}
	if _, err := netip.ParseAddr(authority); err == nil {
		return "", "", message.Error("policy.ipv6_without_brackets", "address", authority)
	}
	return authority[:i], authority[i+1:], nil
}

func (p *Pattern) parsePorts(ports string) error {
	switch {
	case ports == "*" || ports == "" && p.deny:
		p.from, p.to = 1, 65535
		return nil
	case ports == "":
		p.from = defaultPort(p.scheme)
		p.to = p.from
		return nil
	}
	low, high, isRange := strings.Cut(ports, "-")
	if !isRange {
		high = low
	}
	var okFrom, okTo bool
	p.from, okFrom = special.ParsePort(low)
	p.to, okTo = special.ParsePort(high)
	if !okFrom || !okTo || p.from > p.to {
		return message.Error("policy.bad_ports", "ports", ports)
	}
	return nil
}

func (p *Pattern) parseHost(name string) error {
	if strings.Contains(name, "@") {
		return message.Error("policy.user_in_pattern")
	}
	switch base, sub := strings.CutPrefix(name, "*."); {
	case name == "*":
		p.wild = anyName
		return nil
	case strings.Contains(base, "*"):
		return message.Error("policy.misplaced_star")
	case sub:
		p.wild, name = subdomains, base
	}
	h, problem := hostname.Parse(name)
	if problem.Code != "" {
		return problem.Err()
	}
	p.base, p.addr = h.Name, h.Addr
	if p.wild != subdomains {
		return nil
	}
	if h.Addr.IsValid() {
		return message.Error("policy.address_has_no_subdomains")
	}
	if isRegistry(h.Name) || isRegistry("a."+h.Name) {
		return message.Error("policy.wildcard_over_registry", "name", h.Name)
	}
	return nil
}

// isRegistry reports whether names directly under this one belong to different owners
// (https://publicsuffix.org, both sections).
func isRegistry(name string) bool {
	suffix, _ := publicsuffix.PublicSuffix(name)
	return suffix == name
}

// covers reports whether the pattern covers a target whose host was found under the
// pattern's key.
func (p *Pattern) covers(t *Target) bool {
	return p.coversScheme(t.Scheme) && p.from <= t.Port && t.Port <= p.to && p.coversPath(t)
}

// coversScheme reports whether the pattern covers a scheme. A WebSocket begins with an
// HTTP request to the same server, so a pattern that denies http or https also denies
// ws or wss.
func (p *Pattern) coversScheme(scheme string) bool {
	return p.scheme == "" || p.scheme == scheme ||
		p.deny && (p.scheme == "https" && scheme == "wss" || p.scheme == "http" && scheme == "ws")
}

func (p *Pattern) coversPath(t *Target) bool {
	switch {
	case len(p.path) == 0:
		return true
	case t.pathHidden: // treated like a path that servers read in different ways
		return p.deny
	}
	return urlpath.HasPrefix(p.path, t.path, p.deny)
}
