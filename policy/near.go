package policy

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// This file says of entries, grants and rules why they don't match.

// nearly says what keeps a rule from matching, where that is one thing alone and
// something else of it fits: another field, or a part of the host.
func (c *rule) nearly(r *Request, targets []Target) (miss string, near bool) {
	misses, fields := c.misses(r, targets), len(c.args)
	for _, set := range []bool{!c.Until.IsZero(), c.Tool != "", c.Effect != "", c.Origin != "", c.Host != ""} {
		if set {
			fields++
		}
	}
	if len(misses) != 1 || fields < 2 && !slices.ContainsFunc(targets, c.host.kin) {
		return "", false
	}
	return misses[0], true
}

// kin says whether a pattern is about a target's host, one above or one below.
func (p *Pattern) kin(t Target) bool {
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

// misses says of each field of a rule that doesn't match why it doesn't.
func (c *rule) misses(r *Request, targets []Target) (out []string) {
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if c.over(r) {
		add("ended at %s", c.Until.UTC().Format(time.RFC3339))
	}
	if c.Tool != "" && !glob(c.Tool, r.Tool) {
		add("is for the tool %s", c.Tool)
	}
	if c.Effect != "" && c.Effect != r.Effect {
		add("is for the effect %s, not %s", c.Effect, r.Effect)
	}
	if c.Origin != "" && c.Origin != string(r.Origin) {
		add("is for the origin %s, not %s", c.Origin, r.Origin)
	}
	if c.Host != "" && !c.covers(targets) {
		add("is for the host %s", c.Host)
	}
	if c.Exact && len(r.Args) > len(c.args) {
		add("allows no argument beside its own")
	}
	for i := range c.args {
		a := &c.args[i]
		switch value, ok := a.of(r.Args); {
		case !ok:
			add("wants the argument %s", a.pointer)
		case !glob(a.want, value):
			add("wants %s = %q, not %q", a.pointer, a.want, clipped(value))
		}
	}
	return out
}

// clipped is a value short enough to be read in a line.
func clipped(s string) string {
	const most = 80
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
