package desktop

import (
	"context"

	"errand/app"
	"errand/app/config"
	"errand/app/desktop/view"
)

// API is what the page can call: its exported methods, several at once. What
// they return is text in the page's language, and so are events and notices;
// errors become a [view.Failure] by [Life.Format]. What no page may call is
// [Life]'s.
// Each part has the methods of one use case.
type API struct {
	*session
	*windowAPI
	*goalAPI
	*runAPI
	*draftAPI
	*historyAPI
	*recipeAPI
	*pluginAPI
	*policyAPI
	*settingsAPI
}

// Options make an [API].
type Options struct {
	// Open opens the program; again after its configuration was changed here. Its
	// error is shown in safe mode: a config.Problems or any other.
	Open   func() (*Engine, error)
	Config config.Options // where Open reads the configuration from
	Face   Face
	Demo   bool // see [Boot]
}

// New opens the program and makes the API of it. Where it can't be opened the
// API is in safe mode: nothing can be planned or run, and the faults say why.
func New(o Options) *Life {
	s := &session{open: o.Open, config: o.Config}
	s.boot = view.Boot{Version: app.Version, Demo: o.Demo, Dialogs: o.Face.Dialogs()}
	s.life, s.end = context.WithCancel(context.Background())

	counter := &draftCounter{session: s, face: o.Face}
	window := &windowAPI{session: s, face: o.Face, drafts: counter, looking: true}
	goals := &goalAPI{session: s}
	history := &historyAPI{session: s, face: o.Face, openFolder: app.OpenFolder}
	plugins := &pluginAPI{session: s}
	settings := &settingsAPI{session: s, face: o.Face}
	policy := &policyAPI{session: s, settings: settings}
	runs := &runAPI{session: s, face: o.Face, window: window, goals: goals, history: history, policy: policy}
	drafts := &draftAPI{session: s, runs: runs, policy: policy}
	recipes := &recipeAPI{session: s, goals: goals, runs: runs}

	s.reset = func() { goals.lastPlan, history.lastRun, plugins.offer = view.Plan{}, nil, nil }
	s.reopen()
	s.owns.Go(counter.watch)
	return &Life{api: &API{
		session: s, windowAPI: window, goalAPI: goals, runAPI: runs, draftAPI: drafts, historyAPI: history,
		recipeAPI: recipes, pluginAPI: plugins, policyAPI: policy, settingsAPI: settings,
	}}
}
