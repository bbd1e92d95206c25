package desktop

import (
	"context"
	"fmt"
	"slices"
	"time"

	"errand/app/config"
	"errand/app/desktop/view"
	"errand/app/grants"
	"errand/policy"
)

// policyAPI is the part of [API] that explains the policy and manages grants.
type policyAPI struct {
	*session
	settings *settingsAPI
}

// Policy returns the current policy.
func (a *policyAPI) Policy() (view.Policy, error) {
	return query(a.session, askTimeout, view.Policy{}, func(ctx context.Context, e *Engine) (view.Policy, error) {
		conf := e.Config()
		p := view.Policy{
			File: conf.Paths.File, Subresources: conf.Policy.Subresources,
			Allowed:      listEntries(conf, "policy.allowed_domains", conf.Policy.AllowedDomains),
			AllowPrivate: listEntries(conf, "policy.allow_private", conf.Policy.AllowPrivate),
			GoalTools:    listEntries(conf, "policy.user_goal_tools", conf.Policy.UserGoalTools),
			Addable:      []view.Listed{},
			Rules:        []view.Rule{},
		}
		if !slices.Contains(conf.Policy.AllowedDomains, config.KnownSites) {
			p.Addable = listEntries(conf, "policy.allowed_domains", []string{config.KnownSites})
		}
		for i, r := range conf.Policy.Rules {
			rule := view.Rule{Name: fmt.Sprintf("rules[%d]", i), Verdict: r.Verdict.String(), Conditions: []view.Pair{}, Reason: r.Reason, Until: view.Millis(r.Until)}
			for _, c := range r.Conditions() {
				rule.Conditions = append(rule.Conditions, view.Pair{Name: c.Name, Value: c.Value})
			}
			p.Rules = append(p.Rules, rule)
		}
		grants, err := e.Grants.Grants(ctx, false)
		p.Grants = grantsOf(grants)
		return p, err
	})
}

// listEntries returns the entries of a list, each with its source.
func listEntries(conf *config.Loaded, key string, entries []string) []view.Listed {
	out := make([]view.Listed, len(entries))
	for i, entry := range entries {
		out[i] = view.Listed{Entry: entry, Means: []string{}, Source: conf.Source(key)}
		if entry == config.KnownSites {
			out[i].Means = view.OrEmpty(conf.Catalogue.HostPatterns())
		}
	}
	return out
}

// TryURL returns the policy decision about a URL, stage by stage, and what would change it. It
// fetches nothing.
func (a *policyAPI) TryURL(url string) (view.URLVerdict, error) {
	return query(a.session, askTimeout, view.URLVerdict{}, func(ctx context.Context, e *Engine) (view.URLVerdict, error) {
		c, err := e.Policy.ExplainURL(ctx, url)
		if err != nil {
			return view.URLVerdict{}, err
		}
		v := view.URLVerdict{
			URL: c.URL, Verdict: c.Verdict.String(), Rule: c.Rule, Reason: c.Reason, Hint: view.HintFor(c.Rule, c.Hint), Addresses: view.OrEmpty(c.Addresses),
			Unresolved: c.Unresolved, Grantable: view.IsGrantable(c.Verdict.String(), c.Rule), Stages: []view.URLStage{},
		}
		if v.Grantable {
			v.Host = patternOf(view.Step{Args: []view.Pair{{Name: "url", Value: url}}})
		}
		for _, s := range c.Steps {
			v.Stages = append(v.Stages, view.URLStage{Name: s.Name, Verdict: s.Verdict.String(), Rule: s.Rule, Reason: s.Reason, NearMisses: view.OrEmpty(s.Near)})
		}
		if c.Change != nil {
			v.Change = &view.LineChange{Location: c.Change.Location, Text: c.Change.Text, Verdict: c.Change.Verdict.String()}
		}
		return v, nil
	})
}

// Grants lists the hosts that the user granted. Without all, it omits grants that have no
// effect any more.
func (a *policyAPI) Grants(all bool) ([]view.Grant, error) {
	return query(a.session, askTimeout, []view.Grant{}, func(ctx context.Context, e *Engine) ([]view.Grant, error) {
		list, err := e.Grants.Grants(ctx, all)
		return grantsOf(list), err
	})
}

// AllowHost grants a host in addition to the configuration.
func (a *policyAPI) AllowHost(ask view.AllowAsk) (view.Grant, error) {
	return query(a.session, askTimeout, view.Grant{}, func(_ context.Context, e *Engine) (view.Grant, error) { return a.grant(e, ask) })
}

func (a *policyAPI) grant(e *Engine, ask view.AllowAsk) (view.Grant, error) {
	ctx, cancel := context.WithTimeout(a.life, askTimeout)
	defer cancel()
	r := grants.Request{Pattern: ask.Pattern, Scope: policy.Scope(ask.Scope), Tool: ask.Tool, Plugin: ask.Plugin}
	if ask.Until != 0 {
		r.Expires = time.UnixMilli(ask.Until)
	}
	g, err := e.Grants.Grant(ctx, r)
	if err != nil {
		return view.Grant{}, err
	}
	return grantOf(g), nil
}

// Revoke ends a grant at once, also for active runs.
func (a *policyAPI) Revoke(id string) (view.Grant, error) {
	return query(a.session, askTimeout, view.Grant{}, func(ctx context.Context, e *Engine) (view.Grant, error) {
		g, err := e.Grants.Revoke(ctx, id)
		return grantOf(g), err
	})
}

func grantsOf(list []grants.Grant) []view.Grant {
	out := make([]view.Grant, len(list))
	for i, g := range list {
		out[i] = grantOf(g)
	}
	return out
}

func grantOf(g grants.Grant) view.Grant {
	return view.Grant{
		ID: g.ID, Pattern: g.Name(), Scope: string(g.Scope), Tool: g.Tool, Plugin: g.Plugin, Origin: string(g.Origin), Until: view.Millis(g.Until),
		State: string(g.State), RunID: g.Run, GrantedAt: view.Millis(g.GrantedAt), GrantedBy: g.GrantedBy, RevokedAt: view.Millis(g.RevokedAt), Note: g.Note,
	}
}
