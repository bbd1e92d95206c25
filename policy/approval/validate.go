package approval

import (
	"errand/planner/message"
	"errors"
	"reflect"
	"slices"
)

// check returns every error in the terms. A plan is required unless there are open
// questions.
func (t Terms) check() error {
	var errs []error
	if len(t.Actions) == 0 && (len(t.Questions) == 0 || t.PlanDigest != "") {
		errs = append(errs, message.Error("approval.it_has_no_actions"))
	}
	if len(t.Actions) > 0 {
		errs = append(errs, Draft{PlanDigest: t.PlanDigest, PolicyDigest: t.PolicyDigest, Actions: t.Actions}.binds())
	}
	d := Draft{Actions: t.Actions, Questions: t.Questions, Modules: t.Modules, Confirm: t.Confirm}
	return errors.Join(append(errs, d.structure())...)
}

// binds returns an error if the Draft lacks something that an approval binds to.
func (d Draft) binds() error {
	var errs []error
	if len(d.Actions) == 0 {
		errs = append(errs, message.Error("approval.it_has_no_actions"))
	}
	if !isHash(d.PlanDigest) {
		errs = append(errs, message.Error("approval.is_no_sha_256", "plan_digest", d.PlanDigest))
	}
	if !isHash(d.PolicyDigest) {
		errs = append(errs, message.Error("approval.is_no_sha_256_policy", "policy_digest", d.PolicyDigest))
	}
	for _, a := range d.Actions {
		if !isHash(a.ToolDigest) {
			errs = append(errs, message.Error("approval.action_is_no_sha", "id", a.ID, "tool_digest", a.ToolDigest))
		}
		if !isHash(a.ArgsHash) {
			errs = append(errs, message.Error("approval.action_is_no_sha_256", "id", a.ID, "args_hash", a.ArgsHash))
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
		if a.ID == "" || a.Tool == "" {
			wrong(message.New("approval.actions_has_no_id", "n", i))
		}
		if known[a.ID] {
			wrong(message.New("approval.actions_id_is_there", "n", i, "id", a.ID))
		}
		known[a.ID] = true
	}
	for _, a := range d.Actions {
		for _, need := range a.DependsOn {
			if !known[need] || need == a.ID {
				wrong(message.New("approval.action_depends_on_which", "id", a.ID, "need", need))
			}
		}
	}
	for _, m := range d.Modules {
		for _, id := range m.Actions {
			if !known[id] {
				wrong(message.New("approval.module_has_action_which", "id", m.ID, "id2", id))
			}
		}
	}
	asked := map[string]bool{}
	for i, q := range d.Questions {
		if q.ID == "" || asked[q.ID] {
			wrong(message.New("approval.questions_has_no_id", "n", i))
		}
		if len(q.Choices) == 0 && !q.FreeTextAllowed {
			wrong(message.New("approval.question_cant_be_answered", "id", q.ID))
		}
		asked[q.ID] = true
	}
	for _, id := range d.Done {
		if !known[id] || slices.Contains(d.Rejected, id) {
			wrong(message.New("approval.cant_be_done_it", "id", id))
		}
	}
	if d.Confirm < 0 {
		wrong(message.New("approval.cant_be_confirmed", "confirm", d.Confirm))
	}
	return errors.Join(errs...)
}

// Validate returns an error if a Draft that was read from storage is invalid. A valid
// Draft may still be expired, or lack fields that a new approval needs; each step checks
// those itself.
func (d Draft) Validate() error {
	errs := []error{d.structure()}
	wrong := func(m message.Message) { errs = append(errs, m.Err()) }
	_, live := next[d.State]
	approved := d.State == StateReady || d.State == StateApplying || d.State == StateApplied
	switch {
	case !live && d.State != StateApplied && d.State != StateCancelled && d.State != StateExpired:
		wrong(message.New("approval.is_no_state", "state", d.State))
	case approved && d.Approval == nil:
		wrong(message.New("approval.it_is_without_approval", "state", d.State))
	case (d.State == StateDraft || d.State == StateBlocked) && d.Approval != nil:
		wrong(message.New("approval.it_is_with_approval", "state", d.State))
	case (approved || d.State == StateDraft) && (len(d.Open()) > 0 || d.Stale || len(d.Actions) == 0):
		wrong(message.New("approval.it_is_without_plan", "state", d.State))
	}
	if d.ID == "" {
		wrong(message.New("approval.it_has_no_id"))
	}
	if d.Approval != nil {
		errs = append(errs, d.Approval.of(d))
	}
	if approved && d.State != StateApplied {
		errs = append(errs, d.binds())
	}
	if err := errors.Join(errs...); err != nil {
		return message.Error("approval.read_draft", "id", d.ID, "cause", err)
	}
	return nil
}

// of returns an error if the approval does not belong to the Draft.
func (a *Approval) of(d Draft) error {
	switch {
	case a.By == "" || !a.Until.After(a.At):
		return message.Error("approval.approval_is_nobodys_or")
	case a.PlanDigest != d.PlanDigest || a.PolicyDigest != d.PolicyDigest || a.Confirm != d.Confirm:
		return message.Error("approval.approval_is_for_another")
	case len(a.Actions) == 0:
		return message.Error("approval.approval_is_for_no")
	}
	for i, approved := range a.Actions {
		shown, known := d.action(approved.ID)
		_, twice := find(a.Actions[:i], approved.ID)
		if !known || twice || !reflect.DeepEqual(shown, approved) {
			return message.Error("approval.approval_is_for_action", "id", approved.ID)
		}
		if slices.Contains(d.Rejected, approved.ID) && (d.State == StateReady || d.State == StateApplying) {
			return message.Error("approval.approval_is_for_which", "id", approved.ID)
		}
		for _, need := range approved.DependsOn {
			if _, with := find(a.Actions, need); !with && !slices.Contains(d.Done, need) {
				return message.Error("approval.approval_is_for_without", "id", approved.ID, "need", need)
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
