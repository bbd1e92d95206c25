package desktop

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"

	"errand/app/desktop/view"
	"errand/app/grants"
	"errand/host/tool"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// scopes returns the scopes that an approval of the steps can have. There are none if
// no step needs approval, or if a step is denied and approval can't change that.
func scopes(e *Engine, steps []view.Step) []view.Scope {
	var calls, hosts []view.Cover
	var always []grants.AlwaysCall
	for _, s := range steps {
		switch {
		case s.Grantable:
			if pattern := patternOf(s); pattern != "" && !slices.ContainsFunc(hosts, func(c view.Cover) bool { return c.Host == pattern }) {
				hosts = append(hosts, view.Cover{Does: s.Preview, Args: []view.Pair{}, Host: pattern})
			}
		case s.Verdict == policy.Ask.String():
			calls = append(calls, view.Cover{Tool: s.Tool, Does: s.Preview, Args: s.Args, Host: s.Host})
			deletes := plan.IsDeletion(s.Tool) || s.Forecast != nil && len(s.Forecast.Destroys) > 0
			always = append(always, grants.AlwaysCall{Tool: s.Tool, Args: s.Action.Args, Rule: s.Rule, Deletes: deletes, Risky: s.RiskLevel == plan.High})
		case s.Verdict != policy.Allow.String():
			return []view.Scope{}
		}
	}
	if len(calls)+len(hosts) == 0 {
		return []view.Scope{}
	}
	covers := slices.Concat(calls, hosts)
	once := view.Scope{Scope: view.ScopeOnce, Available: true, Covers: covers}
	run := view.Scope{Scope: view.ScopeRun, Available: len(hosts) > 0, Covers: covers}
	if !run.Available {
		run.Why = message.New("window.run_is_once")
	}
	forEver := view.Scope{Scope: view.ScopeAlways, Available: true, Covers: covers}
	if len(always) > 0 {
		forEver.File = e.Config().Paths.File
		rules, err := e.Policy.AlwaysRules(always)
		if why, ok := errors.AsType[*tool.Error](err); ok {
			forEver.Available, forEver.Why = false, why.Message
		}
		var lines []string
		for _, r := range rules {
			lines = append(lines, r.Text)
		}
		forEver.Writes = strings.Join(lines, "\n\n")
	}
	return []view.Scope{once, run, forEver}
}

// patternOf returns the narrowest pattern that allows a step's host.
func patternOf(s view.Step) string {
	i := slices.IndexFunc(s.Args, func(p view.Pair) bool { return p.Name == "url" })
	if i < 0 {
		return ""
	}
	u, err := url.Parse(s.Args[i].Value)
	switch {
	case err != nil || u.Hostname() == "":
		return ""
	case u.Scheme == "https" && (u.Port() == "" || u.Port() == "443"):
		return u.Hostname()
	}
	return u.Scheme + "://" + u.Host
}

// widen grants the hosts of a scope and, for ScopeAlways, writes its rules. undo revokes
// the grants that are for this run only.
func (a *policyAPI) widen(e *Engine, scope view.ScopeName, offered []view.Scope) (undo func(), err error) {
	if scope == "" {
		scope = view.ScopeOnce
	}
	undo = func() {}
	i := slices.IndexFunc(offered, func(s view.Scope) bool { return s.Scope == scope })
	switch {
	case i < 0 && scope == view.ScopeOnce: // no host has to be allowed
		return undo, nil
	case i < 0 || !offered[i].Available:
		return undo, tool.NewError(tool.ValidationError, "no_scope", message.New("window.no_scope", "scope", scope))
	}
	if offered[i].Writes != "" {
		if faults, err := a.settings.writeRules(offered[i].Writes); err != nil {
			return undo, err
		} else if len(faults) > 0 {
			return undo, tool.NewError(tool.ValidationError, "bad_rule", message.New("window.bad_rule", "cause", faults[0].Message))
		}
	}
	var made []string
	for _, c := range offered[i].Covers {
		if c.Tool != "" {
			continue
		}
		g, err := a.grant(e, view.AllowAsk{Pattern: c.Host, Scope: string(scope)})
		if err != nil {
			return undo, err
		}
		if scope != view.ScopeAlways {
			made = append(made, g.ID)
		}
	}
	return func() { a.revokeUnused(e, made) }, nil
}

// revokeUnused revokes grants that no call needed.
func (a *policyAPI) revokeUnused(e *Engine, ids []string) {
	if len(ids) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.life), askTimeout)
	defer cancel()
	open, err := e.Grants.Grants(ctx, false)
	if err != nil {
		return // the user can revoke them in the list
	}
	for _, g := range open {
		if slices.Contains(ids, g.ID) {
			_, _ = e.Grants.Revoke(ctx, g.ID)
		}
	}
}

// withholdAlways returns why an approval can't have the scope always.
func withholdAlways(list []view.Scope, why message.Message) {
	for i, s := range list {
		if s.Scope == view.ScopeAlways {
			list[i].Available, list[i].Why, list[i].Writes = false, why, ""
		}
	}
}
