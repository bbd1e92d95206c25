package policy

import (
	"fmt"
	"strings"
)

// relates says whether a pattern is about a target's host, a parent of it or a
// subdomain.
func (p *Pattern) relates(t Target) bool {
	return p.base != "" && (p.base == t.Host || strings.HasSuffix(t.Host, "."+p.base) || strings.HasSuffix(p.base, "."+t.Host))
}

// near lists the patterns about a target's host, its parents and its
// subdomains, each with the reason why it doesn't cover the target.
func (l *list) near(t *Target, r *Request) (out []string) {
	note := func(entries []entry, why string) {
		for i := range entries {
			e := &entries[i]
			reason := why
			if reason == "" {
				reason = e.pattern.misses(t)
			}
			if reason == "" && e.grant != nil {
				reason = e.grant.passes(r)
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

// misses says why a pattern whose host fits doesn't cover a target, "" where
// it does.
func (p *Pattern) misses(t *Target) string {
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
