package policy

import (
	"fmt"
	"net/netip"
	"strings"
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
	e := entry{pattern: p, decision: allow(RuleListed, fmt.Sprintf("allowed_domains has %q", p.text))}
	if p.deny {
		e.decision = deny(RuleDenied, fmt.Sprintf("allowed_domains denies it by %q", p.text))
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

// relates says whether a pattern is about a target's host, a parent of it or a
// subdomain.
func (p *Pattern) relates(t Target) bool {
	return p.base != "" && (p.base == t.Host || strings.HasSuffix(t.Host, "."+p.base) || strings.HasSuffix(p.base, "."+t.Host))
}

// nearMisses lists the patterns about a target's host, its parents and its
// subdomains, each with the reason why it doesn't cover the target.
func (l *list) nearMisses(t *Target, r *Request) (out []string) {
	note := func(entries []entry, why string) {
		for i := range entries {
			e := &entries[i]
			reason := why
			if reason == "" {
				reason = e.pattern.mismatch(t)
			}
			if reason == "" && e.grant != nil {
				reason = e.grant.mismatch(r)
			}
			if reason != "" && len(out) < maxNear {
				name := fmt.Sprintf("%q", e.pattern.text)
				if e.grant != nil {
					name = "grants[" + e.grant.ID + "] " + name
				}
				out = append(out, name+" "+reason)
			}
		}
	}
	note(l.addrs[t.Addr], "")
	note(l.names[t.Host], "")
	note(l.under[t.Host], "covers the subdomains of "+t.Host+", not "+t.Host+" itself")
	for rest := t.Host; !t.Addr.IsValid(); {
		dot := strings.IndexByte(rest, '.')
		if dot < 0 {
			break
		}
		rest = rest[dot+1:]
		note(l.under[rest], "")
		note(l.names[rest], "covers "+rest+" alone, not its subdomains")
	}
	note(l.any, "")
	return out
}

// mismatch says why a pattern whose host fits doesn't cover a target. "": it does.
func (p *Pattern) mismatch(t *Target) string {
	switch {
	case p.wild == anyName && t.Addr.IsValid():
		return "covers names, no addresses"
	case p.wild == anyName && t.mixed:
		return "covers no name that mixes scripts"
	case p.scheme != "" && p.scheme != t.Scheme:
		return fmt.Sprintf("is for %s, not for %s", p.scheme, t.Scheme)
	case t.Port < p.from || p.to < t.Port:
		if p.from == p.to {
			return fmt.Sprintf("is for port %d, not for port %d", p.from, t.Port)
		}
		return fmt.Sprintf("is for the ports %d to %d, not for port %d", p.from, p.to, t.Port)
	case !p.covers(t):
		return fmt.Sprintf("is for paths below /%s/", strings.Join(p.path, "/"))
	}
	return ""
}
