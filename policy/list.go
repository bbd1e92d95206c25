package policy

import (
	"strings"
	"sync/atomic"

	"errand/planner/message"
)

// list is a set of patterns by host. A lookup takes one step for each label of the
// host, independent of the number of patterns.
type list struct {
	entries []entry         // in the order in which they were added
	first   map[hosts]int32 // the first entry of each pattern's hosts
}

// hosts identifies the hosts of a pattern: a name or an address, everything below it,
// or all hosts ("", true).
type hosts struct {
	name     string
	wildcard bool
}

// entry is a pattern in a list. The next field links entries for the same hosts.
type entry struct {
	pattern Pattern
	grant   *Grant // the grant of the entry; nil if it is of the settings
	next    int32  // 0: none
	last    int32  // of a first entry: the last one for its host

	cached atomic.Pointer[Decision] // see decide
}

// decide returns the decision of an entry. It is made at the first use, because most
// entries are never used.
func (e *entry) decide() *Decision {
	if d := e.cached.Load(); d != nil {
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
	e.cached.Store(&d)
	return &d
}

// add adds a pattern and its grant, which may be nil. n is how many patterns may
// follow.
func (l *list) add(p Pattern, g *Grant, n int) {
	if l.first == nil {
		l.entries, l.first = make([]entry, 0, n), make(map[hosts]int32, n)
	}
	at, of := int32(len(l.entries)), hosts{p.base, p.wild != noWildcard}
	l.entries = append(l.entries, entry{pattern: p, grant: g, last: at})
	if first, ok := l.first[of]; ok {
		l.entries[l.entries[first].last].next = at
		l.entries[first].last = at
	} else {
		l.first[of] = at
	}
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
	if e := l.firstMatch(hosts{t.Host, false}, t, r); e != nil {
		return e
	}
	for rest := t.Host; !t.Addr.IsValid(); {
		dot := strings.IndexByte(rest, '.')
		if dot < 0 {
			break
		}
		rest = rest[dot+1:]
		if e := l.firstMatch(hosts{rest, true}, t, r); e != nil {
			return e
		}
	}
	if e := l.firstMatch(hosts{"", true}, t, r); e != nil && (e.decide().Verdict == Deny || !t.Addr.IsValid() && !t.mixed) {
		return e
	}
	return nil
}

// firstMatch returns the first entry of hosts that covers the target and counts for the
// request, or nil.
func (l *list) firstMatch(of hosts, t *Target, r *Request) *entry {
	for at, ok := l.first[of]; ok; ok = at != 0 {
		e := &l.entries[at]
		if e.pattern.covers(t) && (e.grant == nil || e.grant.applies(r)) {
			return e
		}
		at = e.next
	}
	return nil
}

// isRelated reports whether a pattern is about a target's host, a parent or a subdomain
// of it.
func (p *Pattern) isRelated(t Target) bool {
	return p.base != "" && (p.base == t.Host || strings.HasSuffix(t.Host, "."+p.base) || strings.HasSuffix(p.base, "."+t.Host))
}

// nearMisses lists the patterns about a target's host, its parents and its
// subdomains, each with the reason why it doesn't cover the target.
func (l *list) nearMisses(t *Target, r *Request) (out []message.Message) {
	note := func(of hosts, why message.Message) {
		for at, ok := l.first[of]; ok; ok = at != 0 {
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
	note(hosts{t.Host, false}, message.Message{})
	note(hosts{t.Host, true}, message.New("policy.covers_subdomains_only", "host", t.Host))
	for rest := t.Host; !t.Addr.IsValid(); {
		dot := strings.IndexByte(rest, '.')
		if dot < 0 {
			break
		}
		rest = rest[dot+1:]
		note(hosts{rest, true}, message.Message{})
		note(hosts{rest, false}, message.New("policy.covers_host_only", "host", rest))
	}
	note(hosts{"", true}, message.Message{})
	return out
}

// mismatch returns why a pattern with a fitting host does not cover a target, "" if it
// does.
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
