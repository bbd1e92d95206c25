package approval

import (
	"errors"
	"slices"

	"errand/planner/message"
)

// check returns every error in the terms. A plan is required unless there are open
// questions.
func (t Terms) check() error {
	var errs []error
	if len(t.Actions) == 0 && (len(t.Questions) == 0 || t.PlanDigest != "") {
		errs = append(errs, message.Error("approval.no_actions"))
	}
	if len(t.Actions) > 0 {
		errs = append(errs, Draft{PlanDigest: t.PlanDigest, PolicyDigest: t.PolicyDigest, Actions: t.Actions}.checkBinding())
	}
	d := Draft{Actions: t.Actions, Questions: t.Questions, Modules: t.Modules, Confirm: t.Confirm}
	return errors.Join(append(errs, d.structure())...)
}

// checkBinding returns an error if the Draft lacks something that an approval binds to.
func (d Draft) checkBinding() error {
	var errs []error
	if len(d.Actions) == 0 {
		errs = append(errs, message.Error("approval.no_actions"))
	}
	if !isHash(d.PlanDigest) {
		errs = append(errs, message.Error("approval.bad_plan_digest", "digest", d.PlanDigest))
	}
	if !isHash(d.PolicyDigest) {
		errs = append(errs, message.Error("approval.bad_policy_digest", "digest", d.PolicyDigest))
	}
	for _, a := range d.Actions {
		if !isHash(a.ToolDigest) {
			errs = append(errs, message.Error("approval.bad_tool_digest", "id", a.ActionID, "digest", a.ToolDigest))
		}
		if !isHash(a.ArgsHash) {
			errs = append(errs, message.Error("approval.bad_args_hash", "id", a.ActionID, "digest", a.ArgsHash))
		}
	}
	return errors.Join(errs...)
}

// structure checks the ids and the references to them.
func (d Draft) structure() error {
	var errs []error
	wrong := func(m message.Message) { errs = append(errs, m.Err()) }
	known := map[string]bool{}
	for i, a := range d.Actions {
		if a.ActionID == "" || a.Tool == "" {
			wrong(message.New("approval.incomplete_action", "index", i))
		}
		if known[a.ActionID] {
			wrong(message.New("approval.duplicate_action", "index", i, "id", a.ActionID))
		}
		known[a.ActionID] = true
	}
	for _, a := range d.Actions {
		for _, need := range a.DependsOn {
			if !known[need] || need == a.ActionID {
				wrong(message.New("approval.bad_dependency", "id", a.ActionID, "need", need))
			}
		}
	}
	for _, m := range d.Modules {
		for _, id := range m.Actions {
			if !known[id] {
				wrong(message.New("approval.unknown_module_action", "id", m.ID, "action_id", id))
			}
		}
	}
	questions := map[string]bool{}
	for i, q := range d.Questions {
		if q.ID == "" || questions[q.ID] {
			wrong(message.New("approval.question_without_id", "index", i))
		}
		if len(q.Choices) == 0 && !q.FreeTextAllowed {
			wrong(message.New("approval.unanswerable_question", "id", q.ID))
		}
		questions[q.ID] = true
	}
	for _, id := range d.Done {
		if !known[id] || slices.Contains(d.Rejected, id) {
			wrong(message.New("approval.bad_done_action", "id", id))
		}
	}
	if d.Confirm < 0 {
		wrong(message.New("approval.bad_confirm", "count", d.Confirm))
	}
	return errors.Join(errs...)
}

// Validate returns an error if a Draft that was read from storage is invalid. A valid
// Draft may still be expired, or lack fields that a new approval needs; each step checks
// those itself.
func (d Draft) Validate() error {
	errs := []error{d.structure()}
	wrong := func(m message.Message) { errs = append(errs, m.Err()) }
	_, live := nextStates[d.State]
	approved := d.State == StateReady || d.State == StateApplying || d.State == StateApplied
	switch {
	case !live && d.State != StateApplied && d.State != StateFailed && d.State != StateCancelled && d.State != StateExpired:
		wrong(message.New("approval.unknown_state", "state", d.State))
	case approved && d.Approval == nil:
		wrong(message.New("approval.no_approval", "state", d.State))
	case (d.State == StateDraft || d.State == StateBlocked) && d.Approval != nil:
		wrong(message.New("approval.unexpected_approval", "state", d.State))
	case (approved || d.State == StateDraft) && (len(d.Open()) > 0 || d.Stale || len(d.Actions) == 0):
		wrong(message.New("approval.no_plan", "state", d.State))
	}
	if d.ID == "" {
		wrong(message.New("approval.no_id"))
	}
	if d.Approval != nil {
		errs = append(errs, d.Approval.validateFor(d))
	}
	if approved && d.State != StateApplied {
		errs = append(errs, d.checkBinding())
	}
	if err := errors.Join(errs...); err != nil {
		return message.Error("approval.read", "id", d.ID, "cause", err)
	}
	return nil
}

// validateFor returns an error if the approval does not belong to the Draft.
func (a *Approval) validateFor(d Draft) error {
	switch {
	case a.By == "" || !a.Until.After(a.At):
		return message.Error("approval.no_approver_or_lifetime")
	case a.PlanDigest != d.PlanDigest || a.PolicyDigest != d.PolicyDigest || a.Confirm != d.Confirm:
		return message.Error("approval.for_other_plan")
	case len(a.Actions) == 0:
		return message.Error("approval.for_no_action")
	}
	for _, id := range a.Confirmed {
		if _, approved := a.binding(id); !approved || !d.NeedsConfirmation(id) {
			return message.Error("approval.for_unknown_action", "id", id)
		}
	}
	for i, approved := range a.Actions {
		shown, known := d.action(approved.ActionID)
		twice := slices.Contains(a.IDs()[:i], approved.ActionID)
		if !known || twice || shown.binding() != approved {
			return message.Error("approval.for_unknown_action", "id", approved.ActionID)
		}
		if slices.Contains(d.Rejected, approved.ActionID) && (d.State == StateReady || d.State == StateApplying) {
			return message.Error("approval.for_rejected_action", "id", approved.ActionID)
		}
		for _, need := range shown.DependsOn {
			if _, with := a.binding(need); !with && !slices.Contains(d.Done, need) {
				return message.Error("approval.for_action_without_need", "id", approved.ActionID, "need", need)
			}
		}
	}
	return nil
}

// isHash reports whether s is a SHA-256 in lower-case hex.
func isHash(s string) bool {
	if len(s) != 64 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
