package policy

import (
	"slices"
	"strconv"
	"strings"

	"errand/policy/urltext"
)

// Change is one change of the settings that changes the verdict on a request: entries
// of a list, the verdict of a rule, or a new rule.
type Change struct {
	Key    string   // allowed_domains, allow_private, user_goal_tools or rules
	Add    []string // to the list
	Remove string   // from the list
	Index  int      // of the rule whose verdict changes, if Rule is nil and Key is rules
	To     Verdict  // the new verdict of that rule
	Rule   *Rule    // a rule to add

	Verdict Verdict // of the request after the change
}

// Apply returns the settings with the change.
func (c Change) Apply(s Settings) Settings {
	s = s.clone()
	edit := func(list []string) []string {
		list = slices.DeleteFunc(list, func(entry string) bool { return c.Remove != "" && entry == c.Remove })
		return append(list, c.Add...)
	}
	switch c.Key {
	case "allowed_domains":
		s.AllowedDomains = edit(s.AllowedDomains)
	case "allow_private":
		s.AllowPrivate = edit(s.AllowPrivate)
	case "user_goal_tools":
		s.UserGoalTools = edit(s.UserGoalTools)
	case "rules":
		if c.Rule != nil {
			s.Rules = append(s.Rules, *c.Rule)
		} else if c.Index < len(s.Rules) {
			s.Rules[c.Index].Verdict = c.To
		}
	}
	return s
}

// Change finds the narrowest change of the settings that makes the verdict on a request
// more lenient, or stricter if it is Allow. It has checked that the change works. It
// returns false if no single change is enough: the floor or a manifest denies, approval
// is always required, or several entries lead to the same verdict.
func (p *Policy) Change(r Request) (Change, bool) {
	d := p.Decide(r)
	if p == nil || !p.ready || p.floor {
		return Change{}, false
	}
	c, ok := p.findChange(&r, d)
	if !ok {
		return Change{}, false
	}
	changed, err := New(c.Apply(p.settings))
	if err != nil {
		return Change{}, false
	}
	c.Verdict = changed.WithGrants(p.grants...).Decide(r).Verdict
	return c, c.changesVerdict(d.Verdict)
}

// changesVerdict reports whether the change makes the verdict on a request more lenient
// than now, or stricter if now is Allow.
func (c Change) changesVerdict(now Verdict) bool {
	return c.Verdict > now || now == Allow && c.Verdict < Allow
}

func (p *Policy) findChange(r *Request, d Decision) (c Change, ok bool) {
	targets := listTargets(r)
	switch {
	case d.Rule == RulePrivateAddress:
		c.Key = "allow_private"
		for _, t := range targets {
			if t.Addr.IsValid() && FloorAddr(t.Addr).Verdict != Allow && !p.private.contains(addrPort(&t)) {
				c.Add = append(c.Add, t.HostPort())
			}
		}
		return c, len(c.Add) > 0
	case d.Rule == RuleDenied:
		c.Key = "allowed_domains"
		for _, t := range targets {
			if e := p.denied.entry(&t, r); e != nil {
				c.Remove = e.pattern.text
				return c, true
			}
		}
	case CanGrant(d), d.Rule == RulePrivateFromPage:
		c.Key = "allowed_domains"
		for _, t := range targets {
			if p.allowed.find(&t, r) == nil && p.granted.find(&t, r) == nil && !slices.Contains(c.Add, t.pattern()) {
				c.Add = append(c.Add, t.pattern())
			}
		}
		return c, len(c.Add) > 0
	case strings.HasPrefix(d.Rule, "rules[") && d.Verdict != Allow:
		i, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(d.Rule, "rules["), "]"))
		return Change{Key: "rules", Index: i, To: Allow}, err == nil
	case d.Rule == RuleDefaultAsk && r.Origin.IsOwn():
		return Change{Key: "user_goal_tools", Add: []string{r.Tool}}, true
	case d.Rule == RuleDefaultAsk, d.Rule == RuleSeveral:
		return Change{Key: "rules", Rule: &Rule{Verdict: Allow, Tool: r.Tool, Origin: string(r.Origin)}}, true
	case d.Verdict == Allow && r.Kind == KindCall:
		return Change{Key: "rules", Rule: &Rule{Verdict: Deny, Tool: r.Tool}}, true
	case d.Verdict == Allow && len(targets) == 1:
		return Change{Key: "allowed_domains", Add: []string{"!" + targets[0].pattern()}}, true
	}
	return Change{}, false
}

// listTargets lists the hosts that a request is about.
func listTargets(r *Request) (targets []Target) {
	urls := []string{r.URL}
	if r.Kind == KindCall {
		urls = nil
		if r.Effect == "navigate" || len(r.Hosts) > 0 {
			urls = urltext.Find(r.Args, r.Effect == "navigate")
		}
	}
	for _, u := range urls {
		if t, _ := checkSpelling(u); t.Host != "" {
			targets = append(targets, t)
		}
	}
	return targets
}
