// Package drafts keeps plans that wait for approval. It stores, shows, changes and
// rejects them; package runs applies them.
package drafts

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"errand/app/secrets"
	"errand/app/setting"
	"errand/host/store"
	"errand/host/trace"
	"errand/planner/plan"
)

// Codes of the errors of drafts that faces tell apart.
const (
	CodeDraftExpired   = "draft_expired"   // no answer in time
	CodeDraftCancelled = "draft_cancelled" // a person said no
	CodeDraftApplied   = "draft_applied"   // it already ran
	CodeDraftFailed    = "draft_failed"    // it ran, and its actions failed
	CodeDraftApplying  = "draft_applying"  // somebody carries it out, or is being asked, at this moment
	CodeDraftWithheld  = "draft_withheld"  // its plan holds a secret, which is not kept
	CodeDrift          = "approval_drift"  // what was shown is not what would be done now
	CodeConfirm        = "confirm_count"   // so many at once need a second confirmation
	CodeUnconfirmed    = "confirm_action"  // destructive actions among others need a confirmation of their own
	CodeOpenQuestions  = "open_questions"  // it has to be answered first
	CodeAwaiting       = "awaiting_approval"
	CodeRequired       = "approval_required" // it was not approved, so it can't be applied
)

// writeTimeout bounds each write of a draft. It also holds for a run that was
// interrupted.
const writeTimeout = 8 * time.Second

// Options are what [Drafts] works with.
type Options struct {
	Store    func() (store.Store, error)
	Vault    *secrets.Vault
	Settings *setting.Recorder
	Demo     bool
	User     string // who approves and rejects
	Now      func() time.Time
	NewID    func() string
	// Evaluate decides about a changed plan of a draft, without calling anything.
	Evaluate func(ctx context.Context, d Draft, rec trace.Record, p plan.Plan) (Evaluation, error)
}

// Drafts keeps the plans that wait for approval. It may be used by several
// goroutines at once.
type Drafts struct {
	storage  func() (store.Store, error)
	vault    *secrets.Vault
	settings *setting.Recorder
	demo     bool
	user     string
	now      func() time.Time
	newID    func() string
	evaluate func(ctx context.Context, d Draft, rec trace.Record, p plan.Plan) (Evaluation, error)
}

// New makes the drafts of a program. It opens nothing.
func New(o Options) *Drafts {
	return &Drafts{
		storage: o.Store, vault: o.Vault, settings: o.Settings, demo: o.Demo, user: o.User, now: o.Now, newID: o.NewID, evaluate: o.Evaluate,
	}
}

// HostQuestion begins the ids of questions about hosts that are not allowed. The rest is the pattern
// of the host.
const HostQuestion = "host:"

// FolderQuestion begins the ids of questions about folders that tools may not use. The rest is the
// folder, absolute and clean.
const FolderQuestion = "folder:"

// AsksAccess reports whether a question, by its id, is about a host or a folder. Only the user's
// own answer counts.
func AsksAccess(id string) bool {
	return strings.HasPrefix(id, HostQuestion) || strings.HasPrefix(id, FolderQuestion)
}

// Answer is the user's decision on a draft. The zero Answer rejects it.
type Answer struct {
	Yes     bool
	Actions []string // those that are approved; none: all
	Confirm int      // the count, where [View.Confirm] asks for one
	// Confirmed are the actions with a confirmation of their own, where [View.Destructive]
	// asks for it. Without it such an action waits, and those that depend on it.
	Confirmed []string
}

// ListDrafts lists the drafts that wait for approval, newest first; all: those that ended,
// too. It stores the expiry of drafts whose time is over.
func (ds *Drafts) ListDrafts(ctx context.Context, all bool) ([]View, error) {
	s, err := ds.storage()
	if err != nil {
		return nil, err
	}
	stored, err := s.Drafts(ctx, "")
	if err != nil {
		return nil, err
	}
	views := []View{}
	for _, d := range stored {
		h, err := ds.Read(ctx, s, d)
		if err != nil {
			continue // a damaged draft must not hide the others; ShowDraft says what is wrong
		}
		if all || !h.State.Final() {
			views = append(views, settleUnknown(ctx, s, h.View()))
		}
	}
	return views, nil
}

// ShowDraft is one draft. The id may be an unambiguous prefix.
func (ds *Drafts) ShowDraft(ctx context.Context, id string) (View, error) {
	s, h, err := ds.Load(ctx, id)
	if err != nil {
		return View{}, err
	}
	return settleUnknown(ctx, s, h.View()), nil
}

// Load reads a draft, expired by the clock.
func (ds *Drafts) Load(ctx context.Context, id string) (store.Store, Draft, error) {
	s, err := ds.storage()
	if err != nil {
		return nil, Draft{}, err
	}
	d, err := s.Draft(ctx, id)
	if err != nil {
		return s, Draft{}, err
	}
	h, err := ds.Read(ctx, s, d)
	return s, h, err
}

// Read unpacks a stored draft, expired by the clock. It is withheld where this program
// was not given the secrets that it refers to.
func (ds *Drafts) Read(ctx context.Context, s store.Store, d store.Draft) (Draft, error) {
	h, err := ds.Unpack(d)
	if err != nil {
		return h, err
	}
	if len(ds.vault.MissingSecrets(h.RunID, h.Plan)) > 0 {
		h.Proposal.Withheld = true
	}
	return ds.expire(ctx, s, h), nil
}

// expire stores that a draft's time is over. The draft has expired even if that can't
// be stored: every reader has the clock.
func (ds *Drafts) expire(ctx context.Context, s store.Store, h Draft) Draft {
	late := h.packed.stored
	late.Draft = late.Expire(ds.now())
	if late.State == h.State {
		return h
	}
	_ = s.SwapDraft(ctx, h.packed.stored, late)
	h.Draft.Draft, h.packed.stored = h.Draft.Expire(ds.now()), late
	return h
}

// Swap stores the next state of a draft, provided that the stored one is still was.
func (ds *Drafts) Swap(ctx context.Context, s store.Store, was, next Draft) (Draft, error) {
	d, err := ds.pack(&next)
	if err != nil {
		return was, err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
	defer cancel()
	if err := s.SwapDraft(ctx, was.packed.stored, d); err != nil {
		return was, err
	}
	d.Callback = store.Callback{} // it is kept
	return next.keep(d), nil
}

// Revise replaces what the draft shows by an evaluation of now. The approval is lost,
// and the draft waits again. It shows actions that are done as before.
func (ds *Drafts) Revise(h Draft, j Evaluation) (Draft, error) {
	j.Terms.Actions = slices.Clone(j.Terms.Actions)
	for i, a := range j.Terms.Actions {
		was, there := findAction(h.Actions, a.ActionID)
		if there && slices.Contains(h.Done, a.ActionID) && was.Tool == a.Tool && was.ArgsHash == a.ArgsHash {
			j.Terms.Actions[i] = was
		}
	}
	next := h
	next.Answers = maps.Clone(h.Answers)
	for _, q := range j.Terms.Questions {
		if AsksAccess(q.ID) { // what was granted is revoked
			delete(next.Answers, q.ID)
		}
	}
	h.Draft.Answers = next.Answers
	next.Plan = j.Plan
	next.Proposal.Describe(j)
	var err error
	if next.Draft.Draft, err = h.Draft.Revise(j.Terms, ds.now()); err == nil {
		next.Draft.Confirm = CountRemaining(next.Draft.Draft)
		next.keepSnapshot(h)
	}
	return next, err
}
