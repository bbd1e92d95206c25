package desktop

import (
	"context"
	"fmt"
	"time"

	"errand/app/config"
	"errand/app/grants"
	"errand/policy"
)

// Policy is what holds now.
func (a *API) Policy() (Policy, error) {
	return query(a, askTimeout, Policy{}, func(ctx context.Context, e *Engine) (Policy, error) {
		conf := e.Config()
		p := Policy{
			File: conf.Paths.File, Subresources: conf.Policy.Subresources,
			Allowed:      listed(conf, "policy.allowed_domains", conf.Policy.AllowedDomains),
			AllowPrivate: listed(conf, "policy.allow_private", conf.Policy.AllowPrivate),
			GoalTools:    listed(conf, "policy.user_goal_tools", conf.Policy.UserGoalTools),
			Rules:        []Rule{},
		}
		for i, r := range conf.Policy.Rules {
			rule := Rule{Name: fmt.Sprintf("rules[%d]", i), Verdict: r.Verdict.String(), Conditions: []Pair{}, Reason: r.Reason, Until: millis(r.Until)}
			for _, c := range r.Conditions() {
				rule.Conditions = append(rule.Conditions, Pair(c))
			}
			p.Rules = append(p.Rules, rule)
		}
		grants, err := e.Grants.Grants(ctx, false)
		p.Grants = grantsOf(grants)
		return p, err
	})
}

// listed are the entries of a list, each with where it comes from.
func listed(conf *config.Loaded, key string, entries []string) []Listed {
	out := make([]Listed, len(entries))
	for i, entry := range entries {
		out[i] = Listed{Entry: entry, Means: []string{}, Source: conf.Source(key)}
		if entry == "@catalogue" {
			out[i].Means = filled(conf.Catalogue.HostPatterns())
		}
	}
	return out
}

// TryURL says what policy says of a URL, stage by stage, and what would change
// it. Nothing is fetched.
func (a *API) TryURL(url string) (URLVerdict, error) {
	return query(a, askTimeout, URLVerdict{}, func(ctx context.Context, e *Engine) (URLVerdict, error) {
		c, err := e.Policy.CheckURL(ctx, url)
		if err != nil {
			return URLVerdict{}, err
		}
		v := URLVerdict{
			URL: c.URL, Verdict: c.Verdict.String(), Rule: c.Rule, Reason: c.Reason, Hint: c.Hint, Addresses: filled(c.Addresses),
			Unresolved: c.Unresolved, Grantable: grantable(c.Verdict.String(), c.Rule), Stages: []URLStage{},
		}
		if v.Grantable {
			v.Host = patternOf(Step{Args: []Pair{{"url", url}}})
		}
		for _, s := range c.Steps {
			v.Stages = append(v.Stages, URLStage{s.Name, s.Verdict.String(), s.Rule, s.Reason, filled(s.Near)})
		}
		if c.Change != nil {
			v.Change = &LineChange{c.Change.Where, c.Change.Text, c.Change.Verdict.String()}
		}
		return v, nil
	})
}

// Grants lists the hosts that the person opened and that still open something;
// all: every one on record.
func (a *API) Grants(all bool) ([]Grant, error) {
	return query(a, askTimeout, []Grant{}, func(ctx context.Context, e *Engine) ([]Grant, error) {
		list, err := e.Grants.Grants(ctx, all)
		return grantsOf(list), err
	})
}

// AllowHost opens a host beside the configuration.
func (a *API) AllowHost(ask AllowAsk) (Grant, error) {
	return query(a, askTimeout, Grant{}, func(_ context.Context, e *Engine) (Grant, error) { return a.grant(e, ask) })
}

func (a *API) grant(e *Engine, ask AllowAsk) (Grant, error) {
	ctx, cancel := context.WithTimeout(a.life, askTimeout)
	defer cancel()
	r := grants.Request{Pattern: ask.Pattern, Scope: policy.Scope(ask.Scope), Tool: ask.Tool, Plugin: ask.Plugin}
	if ask.Until != 0 {
		r.Until = time.UnixMilli(ask.Until)
	}
	g, err := e.Grants.Grant(ctx, r)
	if err != nil {
		return Grant{}, err
	}
	return grantOf(g), nil
}

// Revoke ends a grant at once, also in a run that is under way.
func (a *API) Revoke(id string) (Grant, error) {
	return query(a, askTimeout, Grant{}, func(ctx context.Context, e *Engine) (Grant, error) {
		g, err := e.Grants.Revoke(ctx, id)
		return grantOf(g), err
	})
}

func grantsOf(list []grants.Grant) []Grant {
	out := make([]Grant, len(list))
	for i, g := range list {
		out[i] = grantOf(g)
	}
	return out
}

func grantOf(g grants.Grant) Grant {
	return Grant{
		ID: g.ID, Pattern: g.Pattern, Scope: string(g.Scope), Tool: g.Tool, Plugin: g.Plugin, Origin: string(g.Origin), Until: millis(g.Until),
		State: string(g.State), RunID: g.Run, GrantedAt: millis(g.GrantedAt), GrantedBy: g.GrantedBy, RevokedAt: millis(g.RevokedAt), Note: g.Note,
	}
}
