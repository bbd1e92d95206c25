package policy

import (
	"net/netip"
	"strings"

	"errand/planner/message"
)

// list is a set of patterns by host. A lookup takes one step for each label of the
// host, independent of the number of patterns.
type list struct {
	names map[string][]entry // exact hosts
	under map[string][]entry // "*.x" by x
	addrs map[netip.Addr][]entry
	any   []entry
	size  int
}

// entry is a pattern with its decision, made once.
type entry struct {
	pattern  Pattern
	decision Decision
	grant    *Grant // that made the entry; nil: the settings did
}

func (l *list) add(p Pattern) {
	e := entry{pattern: p, decision: allow(RuleListed, message.New("policy.allowed_by_pattern", "pattern", p.text))}
	if p.deny {
		e.decision = deny(RuleDenied, message.New("policy.denied_by_pattern", "pattern", p.text))
	}
	if p.wild == anyName {
		e.decision.Flags = publicOnly
	}
	l.put(p, e)
}

func (l *list) put(p Pattern, e entry) {
	if l.names == nil {
		l.names, l.under, l.addrs = map[string][]entry{}, map[string][]entry{}, map[netip.Addr][]entry{}
	}
	l.size++
	switch {
	case p.wild == anyName:
		l.any = append(l.any, e)
	case p.wild == subdomains:
		l.under[p.base] = append(l.under[p.base], e)
	case p.addr.IsValid():
		l.addrs[p.addr] = append(l.addrs[p.addr], e)
	default:
		l.names[p.base] = append(l.names[p.base], e)
	}
}

// find returns the decision of the most specific pattern that covers the target and
// counts for the request, or nil. A "*" covers public names only, no addresses and
// no names that mix scripts. A "!*" covers everything.
func (l *list) find(t *Target, r *Request) *Decision {
	if e := l.entry(t, r); e != nil {
		return &e.decision
	}
	return nil
}

func (l *list) entry(t *Target, r *Request) *entry {
	if l == nil || l.size == 0 {
		return nil
	}
	if t.Addr.IsValid() {
		if e := firstMatch(l.addrs[t.Addr], t, r); e != nil {
			return e
		}
	} else {
		if e := firstMatch(l.names[t.Host], t, r); e != nil {
			return e
		}
		for rest := t.Host; len(l.under) > 0; {
			dot := strings.IndexByte(rest, '.')
			if dot < 0 {
				break
			}
			rest = rest[dot+1:]
			if e := firstMatch(l.under[rest], t, r); e != nil {
				return e
			}
		}
	}
	if e := firstMatch(l.any, t, r); e != nil && (e.decision.Verdict == Deny || !t.Addr.IsValid() && !t.mixed) {
		return e
	}
	return nil
}

func firstMatch(entries []entry, t *Target, r *Request) *entry {
	for i := range entries {
		if e := &entries[i]; e.pattern.covers(t) && (e.grant == nil || e.grant.applies(r)) {
			return e
		}
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
	note := func(entries []entry, why message.Message) {
		for i := range entries {
			e := &entries[i]
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
	note(l.addrs[t.Addr], message.Message{})
	note(l.names[t.Host], message.Message{})
	note(l.under[t.Host], message.New("policy.covers_subdomains_only", "host", t.Host))
	for rest := t.Host; !t.Addr.IsValid(); {
		dot := strings.IndexByte(rest, '.')
		if dot < 0 {
			break
		}
		rest = rest[dot+1:]
		note(l.under[rest], message.Message{})
		note(l.names[rest], message.New("policy.covers_host_only", "host", rest))
	}
	note(l.any, message.Message{})
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
