// Package runs starts, resumes and records runs, whatever asks for them: words,
// goals, a plan or a task, of any origin. It is the only owner of the engine.
package runs

import (
	"context"
	"time"

	"errand/app/config"
	"errand/app/conversation"
	"errand/app/drafts"
	"errand/app/planning"
	"errand/app/runs/calls"
	"errand/app/secrets"
	"errand/app/setting"
	"errand/host/run"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
	"errand/policy"
)

// Session holds the resources of one run: a browser and a proxy.
type Session interface {
	// CheckReach checks that the addresses of a call resolve and may be contacted.
	CheckReach(ctx context.Context, spec tool.Spec, call tool.Call) *tool.Error
	// BeforeCall prepares a call, and returns why it can't be made.
	BeforeCall(ctx context.Context, spec tool.Spec, call tool.Call) *tool.Error
	// Plan tells which calls open a page for the user to see. It comes before them.
	Plan(tools *tool.Set, p plan.Plan)
	// Approve records that the user approved the run's actions.
	Approve()
	IsApproved() bool
	// LosePage makes the calls of the actions fail with the error: their page is closed.
	LosePage(actions []string, e *tool.Error)
	// HasOwnPage reports whether the run opened a page outside of the visible browser that stays open.
	HasOwnPage() bool
	// NetworkPolicy is "not enforced" where the run's browser is not behind the proxy.
	NetworkPolicy() string
	// Account returns the run's network traffic so far.
	Account() trace.Egress
	// Continue counts what earlier attempts of the run used against its budget.
	Continue(used trace.Use)
	// End closes the browser and the connections, unless the user closes the browser.
	End() error
}

// Options configure [Runs].
type Options struct {
	Config   *config.Loaded
	Store    func() (store.Store, error)
	Planner  *planning.Planner
	Drafts   *drafts.Drafts
	Settings *setting.Recorder
	Vault    *secrets.Vault
	// TaskPlanner makes the planner of a task. Its errors are *tool.Error. Nil: there are no tasks.
	TaskPlanner func(ctx context.Context, r calls.PlannerRequest) (run.Planner, error)
	// PlanRecipe makes the plan of a recipe that the words of an origin name.
	PlanRecipe func(ctx context.Context, name string, origin plan.Origin) (*Plan, error)
	// Tools returns every tool of the program, with the folders of [tool.WithFolders].
	Tools func(context.Context) (*tool.Set, error)
	// Session opens the session of a run, which policy decides for by the origin of its
	// request. note records an event of the run.
	Session func(runID string, origin plan.Origin, note func(trace.Note)) (Session, error)
	// Decide returns the policy decision with the present grants.
	Decide func(policy.Request) policy.Decision
	// Question is the question to policy about a call, without a time.
	Question func(tool.Spec, tool.Call) policy.Request
	// Folders returns the grants of folders that count now for any of some runs. Nil: none.
	Folders func(runs ...string) []policy.Grant
	// Revoke ends a grant.
	Revoke func(ctx context.Context, id string) error
	// PolicyDigest names the policy and those of the grants that are listed.
	PolicyDigest func(grants []string) string
	// Conversations keeps what goals were about, for later ones. Nil: nothing is kept.
	Conversations *conversation.Keeper
	// LookBack does what is asked of an earlier run itself, by the report's interpretation.
	LookBack func(context.Context, Request, Report) (Report, error)
	// DemoHosts are the names that the demo serves; nil outside of the demo.
	DemoHosts func() *DemoHosts
	// Replay makes the runs repeat recorded ones; nil: they are new. A replay needs no
	// Store, Drafts and Settings.
	Replay *Replay
	// Prune removes what is older than the configuration keeps.
	Prune func()
	Demo  bool
	User  string // who approves
	Now   func() time.Time
	NewID func() string
}

// Runs starts and resumes runs. It is safe for concurrent use.
type Runs struct{ o Options }

// New returns the Runs of a program. It opens nothing.
func New(o Options) *Runs { return &Runs{o} }

func (rs *Runs) now() time.Time                { return rs.o.Now() }
func (rs *Runs) storage() (store.Store, error) { return rs.o.Store() }
