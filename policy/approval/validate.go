package approval

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
)

// check returns every error in the terms. A plan is required unless there are open
// questions.
func (t Terms) check() error {
	var errs []error
	if len(t.Actions) == 0 && (len(t.Questions) == 0 || t.PlanDigest != "") {
		errs = append(errs, errors.New("it has no actions"))
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
		errs = append(errs, errors.New("it has no actions"))
	}
	if !isHash(d.PlanDigest) {
		errs = append(errs, fmt.Errorf("%q is no SHA-256 of its plan", d.PlanDigest))
	}
	if !isHash(d.PolicyDigest) {
		errs = append(errs, fmt.Errorf("%q is no SHA-256 of its policy", d.PolicyDigest))
	}
	for _, a := range d.Actions {
		if !isHash(a.ToolDigest) {
			errs = append(errs, fmt.Errorf("action %q: %q is no SHA-256 of its tool", a.ID, a.ToolDigest))
		}
		if !isHash(a.ArgsHash) {
			errs = append(errs, fmt.Errorf("action %q: %q is no SHA-256 of its arguments", a.ID, a.ArgsHash))
		}
	}
	return errors.Join(errs...)
}

// structure checks the ids and the references to them.
func (d Draft) structure() error {
	var errs []error
	wrong := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	known := map[string]bool{}
	for i, a := range d.Actions {
		if a.ID == "" || a.Tool == "" {
			wrong("actions[%d] has no id or no tool", i)
		}
		if known[a.ID] {
			wrong("actions[%d]: the id %q is there twice", i, a.ID)
		}
		known[a.ID] = true
	}
	for _, a := range d.Actions {
		for _, need := range a.DependsOn {
			if !known[need] || need == a.ID {
				wrong("action %q depends on %q, which it can't", a.ID, need)
			}
		}
	}
	for _, m := range d.Modules {
		for _, id := range m.Actions {
			if !known[id] {
				wrong("module %q has the action %q, which does not exist", m.ID, id)
			}
		}
	}
	asked := map[string]bool{}
	for i, q := range d.Questions {
		if q.ID == "" || asked[q.ID] {
			wrong("questions[%d] has no id of its own", i)
		}
		if len(q.Choices) == 0 && !q.FreeTextAllowed {
			wrong("question %q can't be answered", q.ID)
		}
		asked[q.ID] = true
	}
	for _, id := range d.Done {
		if !known[id] || slices.Contains(d.Rejected, id) {
			wrong("%q can't be done: it does not exist or was rejected", id)
		}
	}
	if d.Confirm < 0 {
		wrong("%d can't be confirmed", d.Confirm)
	}
	return errors.Join(errs...)
}

// Validate returns an error if a Draft that was read from storage is invalid. A valid
// Draft may still be expired, or lack fields that a new approval needs; each step checks
// those itself.
func (d Draft) Validate() error {
	errs := []error{d.structure()}
	wrong := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	_, live := next[d.State]
	approved := d.State == StateReady || d.State == StateApplying || d.State == StateApplied
	switch {
	case !live && d.State != StateApplied && d.State != StateCancelled && d.State != StateExpired:
		wrong("%q is no state", d.State)
	case approved && d.Approval == nil:
		wrong("it is %s without an approval", d.State)
	case (d.State == StateDraft || d.State == StateBlocked) && d.Approval != nil:
		wrong("it is %s with an approval", d.State)
	case (approved || d.State == StateDraft) && (len(d.Open()) > 0 || d.Stale || len(d.Actions) == 0):
		wrong("it is %s without a plan that its answers led to", d.State)
	}
	if d.ID == "" {
		wrong("it has no id")
	}
	if d.Approval != nil {
		errs = append(errs, d.Approval.of(d))
	}
	if approved && d.State != StateApplied {
		errs = append(errs, d.binds())
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("read draft %q: %w", d.ID, err)
	}
	return nil
}

// of returns an error if the approval does not belong to the Draft.
func (a *Approval) of(d Draft) error {
	switch {
	case a.By == "" || !a.Until.After(a.At):
		return errors.New("its approval is nobody's, or for no time")
	case a.PlanDigest != d.PlanDigest || a.PolicyDigest != d.PolicyDigest || a.Confirm != d.Confirm:
		return errors.New("its approval is for another plan")
	case len(a.Actions) == 0:
		return errors.New("its approval is for no action")
	}
	for i, approved := range a.Actions {
		shown, known := d.action(approved.ID)
		_, twice := find(a.Actions[:i], approved.ID)
		if !known || twice || !reflect.DeepEqual(shown, approved) {
			return fmt.Errorf("its approval is for an action %q that it does not have", approved.ID)
		}
		if slices.Contains(d.Rejected, approved.ID) && (d.State == StateReady || d.State == StateApplying) {
			return fmt.Errorf("its approval is for %q, which was rejected", approved.ID)
		}
		for _, need := range approved.DependsOn {
			if _, with := find(a.Actions, need); !with && !slices.Contains(d.Done, need) {
				return fmt.Errorf("its approval is for %q without %q", approved.ID, need)
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
