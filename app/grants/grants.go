// Package grants keeps the hosts and folders that the user granted beside the config, decides
// by policy and grants together, and explains those decisions.
package grants

import (
	"cmp"
	"context"
	"time"

	"errand/app/config"
	"errand/host/store"
	"errand/host/tool"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
	"errand/policy/glob"
)

// Keeper keeps grants in the store and decides with them. Its methods may be
// called by several goroutines at once.
type Keeper struct {
	Config *config.Loaded
	Policy policy.Chain
	Store  func() (store.Store, error)
	Tools  func(context.Context) ([]tool.Spec, error)
	Off    func() []tool.Off // tools that the user turned off; nil: none
	Now    func() time.Time
	NewID  func() string
	User   func() string // who grants
}

// Request asks for a grant of a host or a folder.
type Request struct {
	Pattern string
	Folder  string // in place of Pattern: absolute and clean
	Real    string // Folder without links, as the user saw it
	Scope   policy.Scope
	Tool    string      // glob; empty: any
	Plugin  string      // id; empty: any
	Origin  plan.Origin // empty: any
	Expires time.Time   // zero: no end
	Run     string      // the id of the only run that may use it; empty: the next that needs it
}

// State says whether a grant can be used.
type State string

// States of grants.
const (
	Open    State = "open"
	Used    State = "used" // a call or run has used it, and only that one can
	Ended   State = "ended"
	Revoked State = "revoked"
)

// Grant is a host or a folder that the user granted, with its present state.
type Grant struct {
	store.Grant
	State State           `json:"state"`
	Note  message.Message `json:"note,omitzero"` // a warning about a new one: no tool can use it
}

// Grant grants a host or a folder. Only the command line and the window may call it: no plan,
// plugin or page may lead here. It refuses a grant that could have no effect.
func (k *Keeper) Grant(ctx context.Context, r Request) (Grant, error) {
	now := k.Now().UTC()
	g := store.Grant{
		Grant: policy.Grant{
			ID: k.NewID(), Pattern: r.Pattern, Scope: r.Scope, Tool: r.Tool, Plugin: r.Plugin, Origin: r.Origin, Until: r.Expires.UTC(),
			Run: r.Run, Folder: r.Folder, Real: r.Real,
		},
		GrantedAt: now, GrantedBy: k.User(),
	}
	if err := g.Validate(); err != nil {
		e := tool.NewError(tool.ValidationError, "bad_grant", message.FromError(err))
		return Grant{}, e.WithHint(message.New("grants.bad_pattern_hint"))
	}
	if !r.Expires.IsZero() && !now.Before(r.Expires) {
		return Grant{}, tool.NewError(tool.ValidationError, "bad_grant", message.New("grants.expired", "time", r.Expires.Format(time.RFC3339))).
			WithHint(message.New("grants.expired_hint"))
	}
	if g.Folder != "" {
		if err := k.checkFolder(g.Folder, g.Real); err != nil {
			return Grant{}, err
		}
	} else if d := k.decideWith(g.Grant, now); d.Verdict == policy.Deny {
		return Grant{}, tool.NewError(tool.PolicyDenied, "grant_opens_nothing", message.New("grants.grant_opens_nothing", "pattern", r.Pattern, "reason", d.Reason, "rule", d.Rule)).
			WithHint(message.New("grants.grant_opens_nothing_hint"))
	}
	s, err := k.Store()
	if err != nil {
		return Grant{}, err
	}
	if err := s.SaveGrant(ctx, g); err != nil {
		return Grant{}, err
	}
	made := k.view(g)
	made.Note = k.warnUnusable(ctx, g.Grant)
	return made, nil
}

// warnUnusable warns if no tool of the program can use a grant: a typing error, or
// a grant for a plugin that is not installed yet.
func (k *Keeper) warnUnusable(ctx context.Context, g policy.Grant) message.Message {
	specs, err := k.Tools(ctx)
	if err != nil || g.Tool == "" && g.Plugin == "" {
		return message.Message{}
	}
	for _, s := range specs {
		if (g.Tool == "" || glob.Match(g.Tool, s.Name)) && (g.Plugin == "" || s.Source == "plugin:"+g.Plugin) {
			return message.Message{}
		}
	}
	return message.New("grants.unused")
}

// decideWith decides about the host of a grant as if the grant were given: a ban or
// a rule may go before it. A pattern of many hosts is allowed.
func (k *Keeper) decideWith(g policy.Grant, now time.Time) policy.Decision {
	raw := policy.ExampleURL(g.Pattern)
	if raw == "" {
		return policy.Decision{Verdict: policy.Allow}
	}
	return k.Policy.WithGrants(g).Decide(policy.Request{
		Kind: policy.KindNavigate, URL: raw, At: now, Run: cmp.Or(g.Run, policy.FutureRun), Call: policy.FutureRun, Plugin: g.Plugin, Origin: g.Origin,
	})
}

// Grants lists the grants that can still be used, or all on record, newest first.
func (k *Keeper) Grants(ctx context.Context, all bool) ([]Grant, error) {
	grants := []Grant{}
	if !store.HasRecord(k.Config.Paths.Data) {
		return grants, nil
	}
	s, err := k.Store()
	if err != nil {
		return nil, err
	}
	stored, err := s.Grants(ctx)
	for _, g := range stored {
		if view := k.view(g); all || view.State == Open {
			grants = append(grants, view)
		}
	}
	return grants, err
}

// Revoke ends a grant by its id or an unambiguous prefix of it. The next decision
// no longer counts it, also in a run that is under way.
func (k *Keeper) Revoke(ctx context.Context, id string) (Grant, error) {
	s, err := k.Store()
	if err != nil {
		return Grant{}, err
	}
	g, err := s.RevokeGrant(ctx, id, k.User(), k.Now().UTC())
	return k.view(g), err
}

// RevokePlugin ends the grants that only one plugin may use.
func (k *Keeper) RevokePlugin(ctx context.Context, plugin string) error {
	grants, err := k.Grants(ctx, false)
	if err != nil {
		return err
	}
	for _, g := range grants {
		if g.Plugin != plugin {
			continue
		}
		if _, err := k.Revoke(ctx, g.ID); err != nil {
			return err
		}
	}
	return nil
}

// view is a grant with its present state.
func (k *Keeper) view(g store.Grant) Grant {
	state := Open
	switch {
	case !g.RevokedAt.IsZero():
		state = Revoked
	case !g.Until.IsZero() && !k.Now().Before(g.Until):
		state = Ended
	case g.Run != "" && g.Scope != policy.Always:
		state = Used
	}
	return Grant{Grant: g, State: state}
}
