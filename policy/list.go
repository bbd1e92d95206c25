package policy

import (
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"

	"errand/planner/message"
)

// list is a set of patterns by host. A lookup takes one step for each label of the
// host, independent of the number of patterns.
type list struct {
	entries []entry              // in the order in which they were added
	names   map[string]int32     // exact hosts, by the index of their first entry
	under   map[string]int32     // "*.x" by x
	addrs   map[netip.Addr]int32 // addresses
	any     int32                // the first entry for "*"; none if hasAny is false
	hasAny  bool
}

// entry is a pattern in a list. Further entries for the same host follow by next.
type entry struct {
	pattern Pattern
	grant   *Grant // that made the entry; nil: the settings did
	next    int32  // 0: none
	last    int32  // of a first entry: the last one for its host

	made atomic.Pointer[Decision] // see decide
}

// decide returns the decision of an entry. It is made when the entry first decides: most
// never do.
func (e *entry) decide() *Decision {
	if d := e.made.Load(); d != nil {
		return d
	}
	var d Decision
	switch p := &e.pattern; {
	case e.grant != nil:
		d = e.grant.decision(p)
	case p.deny:
		d = deny(RuleDenied, message.New("policy.denied_by_pattern", "pattern", p.text))
	default:
		d = allow(RuleListed, message.New("policy.allowed_by_pattern", "pattern", p.text))
	}
	if e.grant == nil && e.pattern.wild == anyName {
		d.Flags = publicOnly
	}
	e.made.Store(&d)
	return &d
}

// grow makes room for n more entries.
func (l *list) grow(n int) {
	l.entries = slices.Grow(l.entries, n)
	if l.names == nil {
		l.names = make(map[string]int32, n)
	}
}

// add adds a pattern, of a grant if it is not nil.
func (l *list) add(p Pattern, g *Grant) {
	at := int32(len(l.entries))
	l.entries = append(l.entries, entry{pattern: p, grant: g, last: at})
	switch {
	case p.wild == anyName:
		if l.hasAny {
			l.chain(l.any, at)
		} else {
			l.any, l.hasAny = at, true
		}
	case p.wild == subdomains:
		chain(l, &l.under, p.base, at)
	case p.addr.IsValid():
		chain(l, &l.addrs, p.addr, at)
	default:
		chain(l, &l.names, p.base, at)
	}
}

// chain adds an entry to those for a host.
func chain[K comparable](l *list, hosts *map[K]int32, host K, at int32) {
	if *hosts == nil {
		*hosts = map[K]int32{}
	}
	if first, ok := (*hosts)[host]; ok {
		l.chain(first, at)
	} else {
		(*hosts)[host] = at
	}
}

func (l *list) chain(first, at int32) {
	l.entries[l.entries[first].last].next = at
	l.entries[first].last = at
}

// find returns the decision of the most specific pattern that covers the target and
// counts for the request, or nil. A "*" covers public names only, no addresses and
// no names that mix scripts. A "!*" covers everything.
func (l *list) find(t *Target, r *Request) *Decision {
	if e := l.entry(t, r); e != nil {
		return e.decide()
	}
	return nil
}

func (l *list) entry(t *Target, r *Request) *entry {
	if l == nil || len(l.entries) == 0 {
		return nil
	}
	if t.Addr.IsValid() {
		first, ok := l.addrs[t.Addr]
		if e := l.firstMatch(first, ok, t, r); e != nil {
			return e
		}
	} else {
		first, ok := l.names[t.Host]
		if e := l.firstMatch(first, ok, t, r); e != nil {
			return e
		}
		for rest := t.Host; len(l.under) > 0; {
			dot := strings.IndexByte(rest, '.')
			if dot < 0 {
				break
			}
			rest = rest[dot+1:]
			first, ok := l.under[rest]
			if e := l.firstMatch(first, ok, t, r); e != nil {
				return e
			}
		}
	}
	if e := l.firstMatch(l.any, l.hasAny, t, r); e != nil && (e.decide().Verdict == Deny || !t.Addr.IsValid() && !t.mixed) {
		return e
	}
	return nil
}

// firstMatch returns the first entry of a chain that covers the target and counts for
// the request, or nil.
func (l *list) firstMatch(first int32, ok bool, t *Target, r *Request) *entry {
	for at := first; ok; ok = at != 0 {
		e := &l.entries[at]
		if e.pattern.covers(t) && (e.grant == nil || e.grant.applies(r)) {
			return e
		}
		at = e.next
	}
	return nil
}

// isRelated says whether a pattern is about a target's host, a parent of it or a
// subdomain.
func (p *Pattern) isRelated(t Target) bool {
	return p.base != "" && (p.base == t.Host || strings.HasSuffix(t.Host, "."+p.base) || strings.HasSuffix(p.base, "."+t.Host))
}

// nearMisses lists the patterns about a target's host, its parents and its
// subdomains, each with the reason why it doesn't cover the target.
func (l *list) nearMisses(t *Target, r *Request) (out []message.Message) {
	note := func(first int32, ok bool, why message.Message) {
		for at := first; ok; ok = at != 0 {
			e := &l.entries[at]
			at = e.next
			reason := why
			if reason.IsZero() {
				reason = e.pattern.mismatch(t)
			}
			if reason.IsZero() && e.grant != nil {
				reason = e.grant.mismatch(r)
			}
			if !reason.IsZero() && len(out) < maxNear {
				m := message.New("policy.near_pattern", "pattern", e.pattern.text, "reason", reason)
				if e.grant != nil {
					m = message.New("policy.near_grant", "grant", e.grant.ID, "pattern", e.pattern.text, "reason", reason)
				}
				out = append(out, m)
			}
		}
	}
	about := func(hosts map[string]int32, host string, why message.Message) {
		first, ok := hosts[host]
		note(first, ok, why)
	}
	first, ok := l.addrs[t.Addr]
	note(first, ok, message.Message{})
	about(l.names, t.Host, message.Message{})
	about(l.under, t.Host, message.New("policy.covers_subdomains_only", "host", t.Host))
	for rest := t.Host; !t.Addr.IsValid(); {
		dot := strings.IndexByte(rest, '.')
		if dot < 0 {
			break
		}
		rest = rest[dot+1:]
		about(l.under, rest, message.Message{})
		about(l.names, rest, message.New("policy.covers_host_only", "host", rest))
	}
	note(l.any, l.hasAny, message.Message{})
	return out
}

// mismatch says why a pattern whose host fits doesn't cover a target. "": it does.
func (p *Pattern) mismatch(t *Target) message.Message {
	switch {
	case p.wild == anyName && t.Addr.IsValid():
		return message.New("policy.covers_names_only")
	case p.wild == anyName && t.mixed:
		return message.New("policy.covers_no_mixed_scripts")
	case !p.coversScheme(t.Scheme):
		return message.New("policy.for_scheme", "scheme", p.scheme, "other", t.Scheme)
	case t.Port < p.from || p.to < t.Port:
		if p.from == p.to {
			return message.New("policy.for_port", "port", p.from, "other", t.Port)
		}
		return message.New("policy.for_ports", "from", p.from, "to", p.to, "other", t.Port)
	case !p.coversPath(t) && t.pathHidden:
		return message.New("policy.hidden_path", "path", strings.Join(p.path, "/"))
	case !p.coversPath(t):
		return message.New("policy.for_paths", "path", strings.Join(p.path, "/"))
	}
	return message.Message{}
}
