// Package undo proposes to undo runs. It makes a plan of the inverses that the run's
// steps recorded, as a draft that waits.
package undo

import (
	"context"
	"time"

	"errand/app/drafts"
	"errand/app/planning"
	"errand/app/runs"
	"errand/app/setting"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
)

// CodeUndone says that a run was undone already.
const CodeUndone = "already_undone"

// Options are what [Undo] works with.
type Options struct {
	Store  func() (store.Store, error)
	Drafts *drafts.Drafts
	// Start starts the run that waits for the approval of the inverses.
	Start func(context.Context, runs.Request) (runs.Report, error)
	// Preview returns what policy and the tools say about each action of a plan that undoes a run. It
	// calls nothing.
	Preview func(ctx context.Context, p plan.Plan, undoes string) ([]runs.Verdict, error)
	// Specs are the program's tools.
	Specs func(context.Context) ([]tool.Spec, error)
	Now   func() time.Time
	Demo  bool // this is the demo, whose runs are others
}

// Undo proposes to undo runs. It may be used by several goroutines at once.
type Undo struct{ o Options }

// New makes an Undo. It opens nothing.
func New(o Options) *Undo { return &Undo{o} }

// ProposeUndo proposes to undo a run: a new run whose plan is the inverses of what was
// done and not undone yet, the last first, as a draft that waits. The draft lists the
// steps that can't be undone. A draft that waits for the same already is returned
// again; one that the run has outdated is cancelled. If several callers ask at once,
// in one program or in many, one draft remains, and all get it.
func (u *Undo) ProposeUndo(ctx context.Context, origin plan.Origin, id string) (drafts.View, error) {
	for range maxTries {
		d, err := u.propose(ctx, origin, id)
		if err == nil || tool.AsError(err).Code != store.CodeDraftMoved {
			return d, err
		}
	}
	return u.propose(ctx, origin, id)
}

// maxTries bounds how often a competing proposal may get in between.
const maxTries = 4

func (u *Undo) propose(ctx context.Context, origin plan.Origin, id string) (drafts.View, error) {
	s, err := u.o.Store()
	if err != nil {
		return drafts.View{}, err
	}
	rec, err := s.Record(ctx, id)
	if err != nil {
		return drafts.View{}, err
	}
	if rec.Status == trace.Running {
		return drafts.View{}, trace.RunUnderWay(rec.RunID)
	}
	past, err := u.earlierAttempts(ctx, s, rec.RunID)
	if err != nil {
		return drafts.View{}, err
	}
	specs, err := u.o.Specs(ctx)
	if err != nil {
		return drafts.View{}, err
	}
	effects, err := s.Effects(ctx, rec.RunID)
	if err != nil {
		return drafts.View{}, err
	}
	back, err := u.possible(ctx, origin, rec, past, specs)
	if err != nil {
		return drafts.View{}, err
	}
	back.addUnseen(rec, effects)
	h, found, err := u.waitingDraft(ctx, s, past, back)
	if err != nil || found {
		return h.View(), err
	}
	p, fault := back.plan(origin, rec, past)
	if fault != nil {
		h := drafts.Draft{Proposal: drafts.Proposal{Undoes: rec.RunID, Irreversible: back.irreversible, Words: rec.Goal, Language: planning.LanguageOf(rec)}}
		return h.View(), fault
	}
	return u.start(ctx, origin, rec, p, past, back)
}

// start starts a run of the inverses, which waits for its approval.
func (u *Undo) start(ctx context.Context, origin plan.Origin, rec trace.Record, p plan.Plan, past attempts, back inverses) (drafts.View, error) {
	r, err := u.o.Start(ctx, runs.Request{Origin: origin, Plan: &runs.Plan{
		Plan: p, Setting: setting.RunSetting{PlanSource: setting.GivenUndo},
		Proposal:  &drafts.Proposal{Undoes: rec.RunID, TakesBack: back.steps, Irreversible: back.irreversible},
		Conflicts: past.changeDetector(rec.RunID, u.o.Now()),
	}})
	if r.Draft == nil {
		return drafts.View{}, err
	}
	return *r.Draft, err
}
