package core

import (
	"context"
	"slices"

	"errand/app/setting"
	"errand/host/store"
	"errand/host/tool"
	"errand/policy/approval"
)

// Codes of the errors of drafts that faces tell apart.
const (
	CodeDraftExpired   = "draft_expired"   // nobody answered in time
	CodeDraftCancelled = "draft_cancelled" // a person said no
	CodeDraftApplied   = "draft_applied"   // it was carried out already
	CodeDraftApplying  = "draft_applying"  // somebody carries it out, or is being asked, at this moment
	CodeDraftWithheld  = "draft_withheld"  // its plan holds a secret, which is not kept
	CodeDrift          = "approval_drift"  // what was shown is not what would be done now
	CodeConfirm        = "confirm_count"   // so many at once need a second confirmation
	CodeOpenQuestions  = "open_questions"  // it has to be answered first
	CodeAwaiting       = "awaiting_approval"
)

// Drafts lists the drafts that wait for a person, newest first; all: those that
// ended, too. One whose time is over is written down as expired.
func (a *App) Drafts(ctx context.Context, all bool) ([]DraftView, error) {
	s, err := a.storage()
	if err != nil {
		return nil, err
	}
	stored, err := s.Drafts(ctx, "")
	if err != nil {
		return nil, err
	}
	views := []DraftView{}
	for _, d := range stored {
		h, err := a.readHeld(d)
		if err != nil {
			continue // one that is damaged must not hide the others; looking at it says why
		}
		h = a.expire(ctx, s, h)
		if all || !h.State.Final() {
			views = append(views, decided(ctx, s, h.view()))
		}
	}
	return views, nil
}

// Draft is one draft. The id may be an unambiguous beginning.
func (a *App) Draft(ctx context.Context, id string) (DraftView, error) {
	s, h, err := a.held(ctx, id)
	if err != nil {
		return DraftView{}, err
	}
	return decided(ctx, s, h.view()), nil
}

// held reads a draft, expired by the clock.
func (a *App) held(ctx context.Context, id string) (store.Store, held, error) {
	s, err := a.storage()
	if err != nil {
		return nil, held{}, err
	}
	d, err := s.Draft(ctx, id)
	if err != nil {
		return s, held{}, err
	}
	h, err := a.readHeld(d)
	if err != nil {
		return s, h, err
	}
	return s, a.expire(ctx, s, h), nil
}

// readHeld is a stored draft, withheld where this program was not given the
// secrets that it refers to.
func (a *App) readHeld(d store.Draft) (held, error) {
	h, err := readHeld(d)
	if err == nil && len(a.vault.Missing(h.RunID, h.plan)) > 0 {
		h.proposal.Withheld = true
	}
	return h, err
}

// expire writes down that a draft's time is over. Where that can't be written
// it is over all the same: every reader has the clock.
func (a *App) expire(ctx context.Context, s store.Store, h held) held {
	late := h.Draft
	late.Draft = h.Draft.Expire(a.now())
	if late.State == h.State {
		return h
	}
	_ = s.SwapDraft(ctx, h.Draft, late)
	h.Draft = late
	return h
}

// swap keeps the next step of a draft, where it is still as it was read.
func (a *App) swap(ctx context.Context, s store.Store, was, next held) (held, error) {
	d, err := a.pack(next)
	if err != nil {
		return was, err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	if err := s.SwapDraft(ctx, was.Draft, d); err != nil {
		return was, err
	}
	next.Draft = d
	return next, nil
}

// over says why a draft that has ended can't be gone on with; nil where it can.
func (h held) over() *tool.Error {
	again := "run the goal again: " + setting.RunCommand(h.proposal.Words, setting.Own{Demo: h.proposal.Demo, Recipe: h.proposal.Recipe, Params: h.proposal.Params})
	if h.proposal.Undoes != "" {
		again = "propose it again: errand undo " + h.proposal.Undoes
	}
	switch h.State {
	case approval.StateExpired:
		return tool.Errorf(tool.PolicyDenied, CodeDraftExpired, "Draft expired: %s was to be answered by %s", h.ID, h.ExpiresAt.Local().Format("15:04:05")).
			WithHint("%s", again)
	case approval.StateCancelled:
		return tool.Errorf(tool.PolicyDenied, CodeDraftCancelled, "draft %s was cancelled", h.ID).WithHint("%s", again)
	case approval.StateApplied:
		return tool.Errorf(tool.ValidationError, CodeDraftApplied, "draft %s was carried out", h.ID).
			WithHint("errand show %s tells what came of it", h.RunID)
	}
	return nil
}

// withheld says that a draft's plan was not kept as it was.
func (h held) withheld() *tool.Error {
	if !h.proposal.Withheld {
		return nil
	}
	return tool.Errorf(tool.ValidationError, CodeDraftWithheld, "draft %s can't be taken up later: it holds a secret, which is not kept", h.ID).
		WithHint("run it again, with its secrets, and answer there")
}

// changeable says why a draft can't be changed now; nil where it can.
func (h held) changeable() *tool.Error {
	if fault := h.over(); fault != nil {
		return fault
	}
	if h.State == approval.StateApplying {
		return applying(h)
	}
	return h.withheld()
}

func applying(h held) *tool.Error {
	return tool.Errorf(tool.ExecutionError, CodeDraftApplying, "draft %s is being carried out, or is before a person elsewhere", h.ID).
		WithHint("wait until that has ended: errand show %s", h.RunID)
}

// Reject says no to a draft, or to some of its actions: what depends on those
// can't be approved any more.
func (a *App) Reject(ctx context.Context, id string, actions ...string) (DraftView, error) {
	s, h, err := a.held(ctx, id)
	if err != nil {
		return DraftView{}, err
	}
	if fault := h.over(); fault != nil {
		return h.view(), fault
	}
	if h.State == approval.StateApplying {
		return h.view(), applying(h)
	}
	next := h
	if next.Draft.Draft, err = h.Draft.Reject(a.user(), a.now(), actions...); err != nil {
		return h.view(), refusal(h, err)
	}
	if !next.State.Final() {
		next.Draft.Confirm = toConfirm(next.proposal.Actions, next.Left())
	}
	if h, err = a.swap(ctx, s, h, next); err != nil {
		return h.view(), err
	}
	if h.State == approval.StateCancelled {
		err = a.endWaiting(ctx, s, h, tool.Errorf(tool.PolicyDenied, "rejected", "%s did not approve it", a.user()))
	}
	return h.view(), err
}

// user is who sits before this program, as its environment says.
func (a *App) user() string {
	env := a.o.Config.Env
	for _, name := range []string{"USER", "LOGNAME", "USERNAME"} {
		if i := slices.IndexFunc(env, func(line string) bool { return len(line) > len(name)+1 && line[:len(name)+1] == name+"=" }); i >= 0 {
			return env[i][len(name)+1:]
		}
	}
	return "the user of this machine"
}
