package conversation

import (
	"cmp"
	"context"
	"slices"
	"time"

	"errand/app/planning"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/interpret"
	"errand/planner/interpret/followup"
	"errand/planner/plan"
)

// Keeper keeps the contexts of conversations. It is safe for concurrent use. A nil Keeper keeps none.
type Keeper struct {
	Store func() (store.Store, error)
	Now   func() time.Time
	// Name is the conversation of requests that name none. Empty: they have none.
	Name string
	// Window returns the URL of the page that the visible browser shows; "": none. Nil: there is no
	// such browser.
	Window func(context.Context) string
	// Recorded takes the place of the store in a replay.
	Recorded *followup.Context
}

// Context returns what the earlier goals of a conversation were about; empty: [Keeper.Name]. What
// can't be read means nothing.
func (k *Keeper) Context(ctx context.Context, name string) followup.Context {
	if k.Recorded != nil {
		return *k.Recorded
	}
	s, err := k.Store()
	if err != nil {
		return followup.Context{}
	}
	c, _ := load(ctx, s, cmp.Or(name, k.Name), k.Now())
	if k.Window == nil {
		return c
	}
	if shown := k.Window(ctx); isWebPage(shown) {
		c.Window = &followup.Thing{Kind: followup.Page, Ref: shown}
	}
	return c
}

// ClearContext forgets what the earlier goals of a conversation were about.
func (k *Keeper) ClearContext(ctx context.Context, name string) error {
	s, err := k.Store()
	if err != nil {
		return err
	}
	return s.ClearContext(ctx, cmp.Or(name, k.Name))
}

// Source returns what reads the context of a goal. It is nil if the goal has none: only those of the
// user do.
func (k *Keeper) Source(ctx context.Context, name string, origin plan.Origin) func() followup.Context {
	if k == nil || origin != plan.UserGoal || k.Recorded == nil && cmp.Or(name, k.Name) == "" {
		return nil
	}
	return func() followup.Context { return k.Context(ctx, name) }
}

// Ended is a run that ended.
type Ended struct {
	Conversation   string // empty: [Keeper.Name]
	Origin         plan.Origin
	Interpretation *planning.Interpretation
	IsGiven        bool // its plan was not made from words, such as that of a recipe or an undo
	Steps          []trace.Step
	Tools          *tool.Set // nil: nothing was planned
	IsUnseen       bool      // it used its pages outside of the visible browser
}

// End ends the record of a run. With the same write it keeps what later goals may mean by the run:
// nothing if it was not understood, or is not the user's, or is an undo that waits.
func (k *Keeper) End(ctx context.Context, log trace.Log, rec trace.Run, e Ended) error {
	s, ok := log.(store.Contexts)
	in := e.Interpretation
	if !ok || k.Source(ctx, e.Conversation, e.Origin) == nil || in == nil || in.Status != interpret.OK || e.Tools == nil ||
		e.IsGiven && !slices.ContainsFunc(e.Steps, func(s trace.Step) bool { return s.Status == trace.Done }) {
		return log.End(ctx, rec)
	}
	words, evidence := followup.Remember(in.FollowUp, rec.Goal, in.Evidence)
	run := followup.Run{RunID: rec.RunID, Words: words, Language: in.Language, Goals: plan.GoalSet{Kind: in.Kind, Goals: in.Goals, Deps: in.Deps}, Topic: followup.IsTopic(evidence)}
	return s.EndInContext(ctx, rec, cmp.Or(e.Conversation, k.Name), parts(run, evidence, e, k.Now()))
}
