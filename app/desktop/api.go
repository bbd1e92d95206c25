package desktop

import (
	"context"

	"errand/app"
	"errand/app/config"
	"errand/app/desktop/view"
)

// API has the methods that the page can call, from several goroutines at once. Results, events
// and notices are texts in the page's language. Errors become a [view.Failure] by
// [Life.Format]. [Life] has the methods that only the program may call.
//
// Each embedded part has the methods of one use case.
type API struct {
	*session
	*windowAPI
	*goalAPI
	*runAPI
	*draftAPI
	*historyAPI
	*recipeAPI
	*pluginAPI
	*serverAPI
	*policyAPI
	*settingsAPI
	*agentAPI
}

// Options configure an [API].
type Options struct {
	// Open opens the program. It is called again after the API changed the configuration. Its
	// error, a config.Problems or any other, is shown in safe mode.
	Open   func() (*Engine, error)
	Config config.Options // where Open reads the configuration from
	Face   Face
	Demo   bool // see [Boot]
}

// New opens the program and returns its API. If the program can't be opened, the API is in safe
// mode: it plans and runs nothing, and shows the errors.
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
		recipeAPI: recipes, pluginAPI: plugins, serverAPI: &serverAPI{session: s}, policyAPI: policy, settingsAPI: settings, agentAPI: &agentAPI{session: s, runs: runs},
	}}
}
