package app

import (
	"context"
	"net/http"
	"runtime"
	"time"

	"errand/app/access"
	"errand/app/config"
	"errand/app/doctor"
	"errand/app/grants"
	"errand/app/plancheck"
	"errand/app/planning"
	"errand/app/plugins"
	"errand/app/plugins/author"
	"errand/app/recipes"
	"errand/host/desktop/notify"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// newPlugins wires the set of plugins. It opens nothing.
func (a *App) newPlugins() *plugins.Set {
	return plugins.New(plugins.Options{
		Config: a.conf, Now: func() time.Time { return a.now() },
		Client: func() (plugins.ClientFor, error) {
			g, err := a.guard()
			if err != nil {
				return nil, err
			}
			return func(caller string, hosts []string) *http.Client { return a.sessions.PluginClient(g, caller, hosts) }, nil
		},
		Log: a.sessions.LogPlugin, AddCloser: a.addCloser, OnLoad: a.bindSecrets, LeftOut: a.o.LeftOut,
	})
}

// Plugins is the set of plugins that the program can use.
func (a *App) Plugins() *plugins.Set { return a.plugins }

// PluginKit works on plugins for their authors.
func (a *App) PluginKit() *author.Kit { return &author.Kit{Set: a.plugins} }

// PluginInstaller installs and removes plugins for the user.
func (a *App) PluginInstaller() *plugins.Installer {
	return &plugins.Installer{
		Set: a.plugins,
		Fetcher: func() (*http.Client, error) {
			g, err := a.guard()
			if err != nil {
				return nil, err
			}
			return g.Client(policy.Request{Kind: policy.KindFetch, Origin: plan.UserGoal, Tool: "plugin.install"}), nil
		},
		NeedsGrant: func(plugin, rawURL string) bool {
			return policy.CanGrant(a.grants.Decide(policy.Request{
				Kind: policy.KindFetch, URL: rawURL, At: a.now(), Origin: plan.UserGoal, Plugin: plugin, Run: policy.FutureRun, Call: policy.FutureRun,
			}))
		},
		Revoke:    a.grants.RevokePlugin,
		Configure: func(edits ...config.Edit) error { return config.Change(a.o.Config, edits...) },
	}
}

// Grants keeps the hosts that the user granted.
func (a *App) Grants() *grants.Keeper { return a.grants }

// Policy answers questions about policy.
func (a *App) Policy() *grants.Checker {
	return &grants.Checker{Grants: a.grants, Guard: a.guard, PlaceArgs: a.PlaceArgs, NeededFolders: access.OfCall}
}

// Doctor checks this machine.
func (a *App) Doctor() *doctor.Doctor {
	d := &doctor.Doctor{Config: a.conf, Policy: a.Policy(), Plugins: a.plugins, Store: a.storage, Launch: a.sessions.Launch, ChangeablePath: a.changeablePath, ModelAgent: a.ModelAgent.Status, Servers: a.servers.Problems}
	if _, ok := a.Agent().place(); ok {
		d.Agent = a.Agent().status
	}
	if runtime.GOOS == "linux" {
		d.Notifications = notify.Check
		d.Unshown = func(ctx context.Context) (int, error) {
			notices, err := TimersOf(a).Unshown(ctx)
			return len(notices), err
		}
	}
	if a.sessions.Attaches() {
		d.OwnBrowser = func(ctx context.Context) (string, error) {
			_, product, err := a.sessions.DevTools(ctx)
			return product, err
		}
	}
	return d
}

// PlanChecker compares plans with expected results.
func (a *App) PlanChecker(ctx context.Context) (*plancheck.Checker, error) {
	caps, err := a.Capabilities(ctx)
	if err != nil {
		return nil, message.Error("app.list_tools", "cause", err)
	}
	return &plancheck.Checker{Planner: a.Planner, Policy: a.Policy(), Capabilities: caps, Decide: func(ctx context.Context, p plan.Plan) ([]policy.Decision, error) {
		verdicts, err := a.Preview(ctx, p, "")
		decisions := make([]policy.Decision, len(verdicts))
		for i, v := range verdicts {
			decisions[i] = v.Decision
		}
		return decisions, err
	}}, nil
}

// Recipes is the library of the user's recipes.
func (a *App) Recipes() *recipes.Library {
	return &recipes.Library{Config: a.conf, Planner: a.Planner, Store: a.storage, Tools: a.Tools, Off: a.OffTools}
}

// namedRecipes are the recipes that words can name. A recipe that can't be read keeps its
// name, so that its error is shown.
func (a *App) namedRecipes() planning.Recipes {
	return planning.Recipes{
		Names: func() []string {
			all, _ := a.Recipes().List() // an unreadable folder has none
			names := make([]string, len(all))
			for i, r := range all {
				names[i] = r.Name
			}
			return names
		},
		Plan: func(ctx context.Context, name string) (planning.Planned, error) {
			return a.Recipes().Plan(ctx, recipes.Run{Ref: name})
		},
	}
}
