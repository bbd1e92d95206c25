// Package app is the one place where Errand's parts are wired, and the use
// cases that every face shares: understand, plan, run, look back, ask policy.
//
// It opens what a use case needs when it needs it, and closes all of it in
// [App.Close]: understanding a goal opens nothing at all.
package app

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"errand/app/agent"
	"errand/app/config"
	"errand/app/conversation"
	"errand/app/drafts"
	"errand/app/external"
	"errand/app/grants"
	"errand/app/history"
	"errand/app/planning"
	"errand/app/plugins"
	"errand/app/recipes"
	"errand/app/replay"
	"errand/app/runs"
	"errand/app/schedule"
	"errand/app/secrets"
	"errand/app/servers"
	"errand/app/session"
	"errand/app/setting"
	"errand/app/undo"
	"errand/host/event"
	"errand/host/question"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/phrase"
	"errand/planner/plan"
	"errand/policy"
)

// Version of the program, as `errand --version` prints it.
const Version = "0.1.0"

// Options say how to open the program. The zero Options read no file and no
// environment and run with the defaults.
type Options struct {
	Config config.Options
	Demo   bool     // serve the built-in site and point its names at it
	Show   bool     // a visible browser that stays until it is closed
	Allow  []string // host patterns allowed beside the configured ones
	// Profile is the named browser profile to use in place of the configured one;
	// an empty name is one that is thrown away. Nil: the configured one.
	Profile *string
	// Program is the program that can be started as the resident process, with the arguments
	// that precede its own. Empty: no such process is found or started, and every page is
	// opened by this program.
	Program []string
	// Conversation names the goals that goals of this face can be about. Empty: none.
	Conversation string
	// LeftOut is called for each plugin that can't be loaded and for a lock file that
	// can't be read, once until the error changes. The program goes on without those
	// tools. Several goroutines may call it, one at a time. Nil: not reported.
	LeftOut func(*tool.Error)
	// Text writes what the resident process shows by itself. Nil: it shows nothing.
	Text func(message.Message) string
}

// App is the program, opened. Its methods may be called by several goroutines
// at once.
type App struct {
	o    Options
	conf *config.Loaded
	gate policy.Chain
	*planning.Planner
	*runs.Runs
	*drafts.Drafts
	*history.History
	*replay.Replayer
	*undo.Undo
	ModelAgent *agent.Providers // the model-driven agent, with its providers
	External   *external.Agents // agents of others
	*conversation.Keeper
	settings    *setting.Recorder
	vault       *secrets.Vault
	now         func() time.Time
	replaceTool func(tool.Tool) tool.Tool // tests put another tool in the place of one; nil: none
	newID       func() string             // of runs, drafts and grants; sortable
	grants      *grants.Keeper
	sessions    *session.Sessions
	registry    tool.Registry // every source of tools
	installed   *installedApps
	bus         atomic.Pointer[event.Bus] // tells of the record's changes; nil before that was opened
	parts
	plugins *plugins.Set
	servers *servers.Set // of the Model Context Protocol
	pruned  sync.Once

	ownScheduler atomic.Pointer[schedule.Scheduler] // of the resident process, if this is it

	changeablePath []string // folders that were left out of PATH

	settingChanged atomic.Pointer[func()] // see OnSettingChange

	mu      sync.Mutex
	closers []func() error // in the order of opening
	closed  bool
}

// Open reads and checks the configuration and opens nothing else. A bad
// configuration is a [config.Problems]; a bad pattern in Allow a *tool.Error of
// class validation_error. Close releases everything that is opened later.
func Open(o Options) (*App, error) {
	conf, err := config.Load(o.Config)
	if err != nil {
		return nil, err
	}
	gate, err := conf.Gate.WithAllowed(o.Allow...)
	if err != nil {
		return nil, tool.NewError(tool.ValidationError, "bad_pattern", message.New("app.bad_host_pattern", "cause", err)).
			WithHint(message.New("app.bad_host_pattern_hint"))
	}
	if o.Profile != nil {
		if err := useProfile(conf, *o.Profile); err != nil {
			return nil, err
		}
	}
	changeable, err := leaveOut(conf)
	if err != nil {
		return nil, err
	}
	written, err := openRego(conf, RegoOptions(conf, o.Config.Env))
	if err != nil {
		return nil, err
	}
	narrowing := agent.NewNarrowing()
	a := &App{
		o: o, conf: conf, gate: policy.NewChain(gate, deciders(narrowing, written)...),
		vault: secrets.NewVault(conf.Policy.Redaction, secrets.LoadKey(conf.Paths.HashKey())),
		now:   time.Now,
		newID: run.IDs(time.Now, rand.Reader), changeablePath: changeable,
	}
	if written != nil {
		a.addCloser(written.Close)
	}
	a.parts = lazily(a)
	clock := func() time.Time { return a.now() } // which tests change
	newID := func() string { return a.newID() }
	a.grants = &grants.Keeper{Config: conf, Policy: a.gate, Store: a.storage, Tools: a.Tools, Off: a.OffTools, Now: clock, NewID: newID, User: a.user}
	conf.Granted = a.grants.AllFolders
	a.sessions = session.New(session.Options{
		Config: conf, Policy: a.gate, Grants: a.grants, Vault: a.vault, Site: a.site,
		Demo: o.Demo, Show: o.Show, Window: a.Agent().window(), AddCloser: a.addCloser, Now: clock,
	})
	a.installed = newInstalledApps(conf, o.Config.Env, clock)
	a.plugins = a.newPlugins()
	a.servers = a.newServers()
	a.ModelAgent = &agent.Providers{
		Config: conf, Env: o.Config.Env, Vault: a.vault, Tools: a.Tools, Narrow: narrowing,
		Start: func(ctx context.Context, r runs.Request) (runs.Report, error) { return a.Start(ctx, r) },
		Store: a.storage, Now: clock,
	}
	a.registerTools()
	a.settings = &setting.Recorder{Version: Version, Config: conf, Allow: o.Allow, Demo: o.Demo, Grants: a.grants.ForRun, Vault: a.vault, Now: clock}
	if a.Planner, err = planning.New(planning.Options{Config: conf, Vault: a.vault, Store: a.storage, Capabilities: a.Capabilities, Off: a.OffTools, Now: clock, Folders: a.grants.FoldersForAll, Recipes: a.namedRecipes(), Phrases: planning.Phrases{All: func() []phrase.Phrase { return slices.Concat(plugins.Phrases(a.plugins), a.servers.Phrases()) }, Specs: a.Tools}, Apps: a.installed.finder(), Context: contextOf(a), OpenPage: a.sessions.HasWindowPage, LostWindow: a.sessions.HasLostWindow}); err != nil {
		_ = a.Close()
		return nil, err
	}
	a.Keeper = newKeeper(a, clock)
	a.Drafts = drafts.New(drafts.Options{
		Store: a.storage, Vault: a.vault, Settings: a.settings, Demo: o.Demo, User: a.user(), Now: clock, NewID: newID,
		Evaluate: func(ctx context.Context, d drafts.Draft, rec trace.Record, p plan.Plan) (drafts.Evaluation, error) {
			return a.Evaluate(ctx, d, rec, p)
		},
	})
	a.External = newExternalAgents(a)
	a.Runs = runs.New(runs.Options{
		Config: conf, Store: a.storage, Planner: a.Planner, Drafts: a.Drafts, Settings: a.settings, Vault: a.vault, Tools: a.toolSet,
		PlanRecipe: func(ctx context.Context, name string, origin plan.Origin) (*runs.Plan, error) {
			return a.Recipes().Prepare(ctx, recipes.Run{Ref: name, Origin: origin})
		},
		Session: func(runID string, origin plan.Origin, note func(trace.Note)) (runs.Session, error) {
			s, err := a.sessions.Open(runID, origin, note)
			if err != nil {
				return nil, err
			}
			return s, nil
		},
		Decide: decideForAgents(a), TaskPlanner: taskPlanners(a),
		Question: question.About, Folders: a.grants.Folders, PolicyDigest: a.grants.Digest,
		Revoke: func(ctx context.Context, id string) error {
			_, err := a.grants.Revoke(ctx, id)
			return err
		},
		DemoHosts: a.demoHosts, Prune: a.forgetOld,
		Demo: o.Demo, User: a.user(), Now: clock, NewID: newID, Conversations: a.Keeper,
		LookBack: lookBack(a),
	})
	a.History = history.New(history.Options{Store: a.storage, Jobs: JobProgram{a}.existingQueue, Dir: conf.Paths.Data, Bus: a.bus.Load, Drafts: a.Drafts, Version: Version, Now: clock})
	a.Replayer = replay.New(replay.Options{Record: a.FindRecord, Decide: decideForAgents(a), Now: clock, Seal: a.vault.Seal, Version: Version, Rego: regoOfReplay(o.Config.Env, conf)})
	a.Undo = undo.New(undo.Options{Store: a.storage, Drafts: a.Drafts, Start: a.Start, Preview: a.Runs.Preview, Specs: a.Tools, Now: clock, Demo: o.Demo})
	return a, nil
}

// Config is the checked configuration.
func (a *App) Config() *config.Loaded { return a.conf }

// addCloser registers a function for Close to call.
func (a *App) addCloser(closer func() error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed { // opened by a run that outlived Close
		_ = closer()
		return
	}
	a.closers = append(a.closers, closer)
}

// Close ends everything that was opened, the newest first: browsers, proxies,
// plugins, the demo site, the store. It may be called again.
func (a *App) Close() error {
	a.mu.Lock()
	closers := a.closers
	a.closers, a.closed = nil, true
	a.mu.Unlock()
	var errs []error
	for _, closer := range slices.Backward(closers) {
		errs = append(errs, closer())
	}
	return errors.Join(errs...)
}
