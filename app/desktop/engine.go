package desktop

import (
	"context"
	"io"
	"time"

	"errand/app"
	"errand/app/config"
	"errand/app/desktop/view"
	"errand/app/doctor"
	"errand/app/drafts"
	"errand/app/grants"
	"errand/app/history"
	"errand/app/planning"
	"errand/app/plugins"
	"errand/app/recipes"
	"errand/app/replay"
	"errand/app/runs"
	"errand/app/servers"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
)

// Engine is the program as the window uses it. Its methods may be called by several goroutines
// at once.
type Engine struct {
	Program
	Grants    GrantKeeper
	Policy    PolicyChecker
	Plugins   *plugins.Set
	Installer *plugins.Installer
	Servers   *servers.Set
	Doctor    *doctor.Doctor
	Recipes   *recipes.Library
	Agent     ModelAgent
	// OnSettingChange calls a function after a goal changed a setting. Nil: never.
	OnSettingChange func(func())
	// KeepTimers makes sure, at the end, that timers ring afterwards. Nil: there are none.
	KeepTimers func(context.Context)
}

// OpenEngine opens the real program.
func OpenEngine(o app.Options) (*Engine, error) {
	o.Conversation = "window"
	app, err := app.Open(o)
	if err != nil {
		return nil, err
	}
	return &Engine{
		Program: app, Grants: app.Grants(), Policy: app.Policy(), Plugins: app.Plugins(), Installer: app.PluginInstaller(), Servers: app.Servers(), Doctor: app.Doctor(), Recipes: app.Recipes(), Agent: app.ModelAgent,
		OnSettingChange: app.OnSettingChange, KeepTimers: func(ctx context.Context) { _ = app.Agent().KeepTimers(ctx) },
	}, nil
}

// Program is the part of an [Engine] that runs goals and keeps their records.
type Program interface {
	Goals
	Drafts
	History
	Config() *config.Loaded
	Close() error
}

// Goals reads goals, plans them and runs them.
type Goals interface {
	// InterpretHere reads a goal by rules. It may look at the names of the user's files.
	InterpretHere(text string) planning.Interpretation
	// Suggest completes a goal that is being typed.
	Suggest(ctx context.Context, r planning.SuggestRequest) ([]planning.Suggestion, error)
	// Plan makes a plan without looking at the present world. It takes milliseconds and runs
	// nothing.
	Plan(ctx context.Context, r planning.Request) (planning.Planned, error)
	// Start makes a plan for the present world and runs it, unless the request is a dry run.
	Start(ctx context.Context, r runs.Request) (runs.Report, error)
	// Resume goes on with a run that was interrupted or failed.
	Resume(ctx context.Context, r runs.ResumeRequest) (runs.Report, error)
	// CountProcesses counts the living processes that a run started. It returns -1 if the
	// platform can't tell.
	CountProcesses(runID string) int
	Tools(ctx context.Context) ([]tool.Spec, error)
}

// Drafts are the plans that need approval.
type Drafts interface {
	ListDrafts(ctx context.Context, all bool) ([]drafts.View, error)
	ShowDraft(ctx context.Context, id string) (drafts.View, error)
	Approve(ctx context.Context, r runs.ApproveRequest) (runs.Report, error)
	Apply(ctx context.Context, r runs.ApplyRequest) (runs.Report, error)
	Reject(ctx context.Context, id string, actions ...string) (drafts.View, error)
	Edit(ctx context.Context, r drafts.EditRequest) (drafts.View, error)
	Answer(ctx context.Context, id string, answers map[string]string, permit runs.Permit) (drafts.View, error)
	// WatchDrafts calls changed after drafts changed, here or in another program,
	// until ctx ends.
	WatchDrafts(ctx context.Context, changed func()) error
}

// History is the record of earlier runs.
type History interface {
	FindRuns(ctx context.Context, q history.Query) (history.RunPage, error)
	Record(ctx context.Context, id string) (trace.Record, error)
	OpenArtifact(ctx context.Context, key string) (io.ReadCloser, error)
	Excerpt(ctx context.Context, id string, n int) (trace.Record, error)
	Replay(ctx context.Context, idOrFile string) (replay.Result, error)
	PolicyToday(ctx context.Context, idOrFile string) ([]replay.Difference, error)
	Export(ctx context.Context, id, format string) ([]byte, error)
	ProposeUndo(ctx context.Context, origin plan.Origin, id string) (drafts.View, error)
	Forget(ctx context.Context, id string) (history.PruneReport, error)
	Prune(ctx context.Context, olderThan time.Duration, dryRun bool) (history.PruneReport, error)
}

// GrantKeeper keeps the hosts that the user granted in addition to the configuration.
type GrantKeeper interface {
	Grant(ctx context.Context, r grants.Request) (grants.Grant, error)
	Grants(ctx context.Context, all bool) ([]grants.Grant, error)
	Revoke(ctx context.Context, id string) (grants.Grant, error)
	Permit(ctx context.Context, runID string, access grants.Access, always bool) (id string, err error)
}

// PolicyChecker answers questions about policy.
type PolicyChecker interface {
	ExplainURL(ctx context.Context, raw string) (grants.URLCheck, error)
	// AlwaysRules returns the rules that would allow exactly these calls without approval.
	AlwaysRules(calls []grants.AlwaysCall) ([]grants.AlwaysRule, error)
}

// Face is the window as the API uses it. Its methods are safe for concurrent use and
// never call the API. All except the dialogs return at once.
type Face interface {
	Emit(event string, data any) // to the page; lost if no page listens
	Quit()                       // closes the window as the user would
	Notify(n Notice)             // shows it outside of the window, if the platform can
	Dialogs() bool               // whether the next two methods work
	// Choose shows a dialog to choose a file or a folder, and waits for it. It returns "" if
	// nothing was chosen.
	Choose(ask view.ChooseAsk) (string, error)
	// Save shows a dialog to choose where to write data, and writes it. It returns "" if
	// nothing was chosen.
	Save(name string, data []byte) (path string, err error)
}

// Notice is a desktop notification.
type Notice struct {
	Title, Body string
}
