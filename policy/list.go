package policy

import (
	"fmt"
	"net/netip"
	"strings"
)

// list is a set of patterns that is looked up by host: one step for each label
// of the host, whatever the number of patterns.
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
	grant    *Grant // for whom it counts; nil: for everyone
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

// find returns the decision of the most specific pattern that covers the
// target, and counts for the request, nil where none does. A "*" covers public names alone: no address,
// and no name that mixes scripts; a "!*" covers everything.
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
		if e := first(l.addrs[t.Addr], t, r); e != nil {
			return e
		}
	} else {
		if e := first(l.names[t.Host], t, r); e != nil {
			return e
		}
		for rest := t.Host; len(l.under) > 0; {
			dot := strings.IndexByte(rest, '.')
			if dot < 0 {
				break
			}
			rest = rest[dot+1:]
			if e := first(l.under[rest], t, r); e != nil {
				return e
			}
		}
	}
	if e := first(l.any, t, r); e != nil && (e.decision.Verdict == Deny || !t.Addr.IsValid() && !t.mixed) {
		return e
	}
	return nil
}

func first(entries []entry, t *Target, r *Request) *entry {
	for i := range entries {
		if e := &entries[i]; e.pattern.covers(t) && (e.grant == nil || e.grant.counts(r)) {
			return e
		}
	}
	return nil
}
