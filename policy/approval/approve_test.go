package approval

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

func TestApproveRefuses(t *testing.T) {
	rejected := succeed(t)(draft(t).Reject("ann", t0, "a2"))
	part := succeed(t)(applying(t, "a1").FinishApply([]string{"a1"}, message.Message{}, minute(3)))
	over := succeed(t)(approved(t).Cancel(message.Verbatim("no")))
	bulk := terms()
	bulk.Confirm = 5
	ambiguous := terms()
	ambiguous.Questions = []plan.Question{platform}
	unbound := draft(t)
	unbound.PolicyDigest = ""
	nothing := draft(t)
	nothing.Rejected = []string{"a1", "a4"}
	with := func(a Answer, change func(*Answer)) Answer { change(&a); return a }
	tests := []struct {
		name    string
		draft   Draft
		answer  Answer
		code    string
		actions []string
	}{
		{"nobody", draft(t), with(yes(1), func(a *Answer) { a.By = "" }), "error", nil},
		{"the zero answer", draft(t), Answer{}, "error", nil},
		{"another plan", draft(t), with(yes(1), func(a *Answer) { a.PlanDigest = hash("other") }), "approval_drift", nil},
		{"an end before the beginning", draft(t), with(yes(1), func(a *Answer) { a.Until = a.At }), "error", nil},
		{"S2-H15 after its end", draft(t), yes(10), "expired", nil},
		{"S2-H16 cancelled", over, yes(1), "step", nil},
		{"twice", approved(t), yes(1), "step", nil},
		{"the zero draft", Draft{}, yes(1), "step", nil},
		{"no policy", unbound, yes(1), "error", nil},
		{"S0-H33 an action that was not proposed", draft(t), yes(1, "a1", "a9", "a8", "a9"), "not_proposed", []string{"a9", "a8"}},
		{"S0-H34 an action that was rejected", rejected, yes(1, "a4", "a2"), "rejected", []string{"a2"}},
		{"an action that depends on a rejected one", rejected, yes(1, "a1", "a3"), "unapproved_dependency", []string{"a3"}},
		{"S0-H36 a module without what it depends on", draft(t), yes(1, "a2", "a3"), "unapproved_dependency", []string{"a2"}},
		{"a chain without its middle", draft(t), yes(1, "a1", "a3"), "unapproved_dependency", []string{"a3"}},
		{"an action that is done", part, yes(4, "a1"), "already_done", []string{"a1"}},
		{"nothing that is left", nothing, yes(1), "nothing_left", nil},
		{"S2-T3 ambiguous", succeed(t)(Propose("d1", ambiguous, t0)), yes(1), "open_questions", nil},
		{"questions and no plan", asking(t, name), yes(1), "open_questions", nil},
		{"an answer that no plan was made from", succeed(t)(asking(t, name).Answer("name", "x", t0)), yes(1), "step", nil},
		{"S2-T4 so many without a second confirmation", succeed(t)(Propose("d1", bulk, t0)), yes(1), "confirm", nil},
		{"so many with another count", succeed(t)(Propose("d1", bulk, t0)), with(yes(1), func(a *Answer) { a.Confirm = 4 }), "confirm", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.draft.Approve(tt.answer)
			var refused *RefusedError
			if code(err) != tt.code || errors.As(err, &refused) && !cmp.Equal(tt.actions, refused.Actions) {
				t.Errorf("%+v, %v; want %s of %v", got, err, tt.code, tt.actions)
			}
			want := tt.draft
			if tt.code == "expired" {
				want.State, want.Reason = StateExpired, message.FromError(ErrExpired)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("the refused step changed something (-want +got):\n%s", diff)
			}
			if begun, err := got.Begin(minute(1)); tt.name != "twice" && err == nil {
				t.Errorf("it can be applied all the same: %+v", begun)
			}
		})
	}
}

func TestApprove(t *testing.T) {
	rejected := succeed(t)(draft(t).Reject("ann", t0, "a2"))
	part := succeed(t)(applying(t, "a1").FinishApply([]string{"a1"}, message.Message{}, minute(3)))
	bulk := terms()
	bulk.Confirm = 5
	tests := []struct {
		name   string
		draft  Draft
		answer Answer
		want   []string
	}{
		{"all", draft(t), yes(1), []string{"a1", "a2", "a3", "a4"}},
		{"one", draft(t), yes(1, "a4"), []string{"a4"}},
		{"in the plan's order, once", draft(t), yes(1, "a2", "a1", "a2"), []string{"a1", "a2"}},
		{"all but the rejected and what depends on it", rejected, yes(1), []string{"a1", "a4"}},
		{"a parent that is done", part, yes(4, "a2"), []string{"a2"}},
		{"what is left", part, yes(4), []string{"a2", "a3", "a4"}},
		{"so many, confirmed", succeed(t)(Propose("d1", bulk, t0)), Answer{By: "ann", At: minute(1), PlanDigest: hash("plan"), Confirm: 5}, []string{"a1", "a2", "a3", "a4"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := succeed(t)(tt.draft.Approve(tt.answer))
			var got []string
			for _, a := range d.Approval.Actions {
				got = append(got, a.ActionID)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || d.State != StateReady {
				t.Errorf("%s (-want +got):\n%s", d.State, diff)
			}
			if d.Approval.By != "ann" || d.Approval.Until != tt.answer.At.Add(TTL) || d.Approval.Confirm != tt.draft.Confirm {
				t.Errorf("approval %+v", d.Approval)
			}
			if err := d.Validate(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestReject(t *testing.T) {
	part := succeed(t)(applying(t, "a1", "a4").FinishApply([]string{"a1", "a4"}, message.Message{}, minute(3)))
	over := succeed(t)(approved(t).Cancel(message.Verbatim("no")))
	tests := []struct {
		name     string
		draft    Draft
		by       string
		after    int
		ids      []string
		code     string
		state    State
		rejected []string
	}{
		{"the whole", draft(t), "ann", 1, nil, "", StateCancelled, nil},
		{"one", draft(t), "ann", 1, []string{"a4"}, "", StateDraft, []string{"a4"}},
		{"one of an approved draft", approved(t), "ann", 2, []string{"a4"}, "", StateDraft, []string{"a4"}},
		{"all by their ids", draft(t), "ann", 1, []string{"a1", "a2", "a3", "a4"}, "", StateCancelled, []string{"a1", "a2", "a3", "a4"}},
		{"all by their roots", draft(t), "ann", 1, []string{"a4", "a1"}, "", StateCancelled, []string{"a4", "a1"}},
		{"all that is left", part, "ann", 4, []string{"a2"}, "", StateCancelled, []string{"a2"}},
		{"one twice", succeed(t)(draft(t).Reject("ann", t0, "a4")), "ann", 1, []string{"a4", "a4"}, "", StateDraft, []string{"a4"}},
		{"while questions are open", asking(t, name), "ann", 1, nil, "", StateCancelled, nil},
		{"the rest of an application", applying(t), "ann", 3, nil, "", StateCancelled, nil},
		{"nobody", draft(t), "", 1, nil, "error", StateDraft, nil},
		{"what is not there", draft(t), "ann", 1, []string{"a9"}, "not_proposed", StateDraft, nil},
		{"what is done", part, "ann", 4, []string{"a1"}, "already_done", StateDraft, nil},
		{"too late", draft(t), "ann", 10, []string{"a1"}, "expired", StateExpired, nil},
		{"one, while it is applied", applying(t), "ann", 3, []string{"a4"}, "step", StateApplying, nil},
		{"what has ended", over, "ann", 3, []string{"a4"}, "step", StateCancelled, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, err := tt.draft.Reject(tt.by, minute(tt.after), tt.ids...)
			if code(err) != tt.code || d.State != tt.state {
				t.Errorf("%s, %v; want %s, %q", d.State, err, tt.state, tt.code)
			}
			if diff := cmp.Diff(tt.rejected, d.Rejected); diff != "" {
				t.Errorf("rejected (-want +got):\n%s", diff)
			}
			if d.State == StateDraft && d.Approval != nil {
				t.Error("an approval outlived the no")
			}
			if err := d.Validate(); err != nil {
				t.Error(err)
			}
		})
	}
	t.Run("S0-H34 a call of what was rejected", func(t *testing.T) {
		d := succeed(t)(draft(t).Reject("ann", t0, "a4"))
		d = succeed(t)(d.Approve(yes(1)))
		if got := d.Check(call("a4"), minute(2)); got.Verdict != policy.Deny || got.Rule != RuleRejected {
			t.Errorf("%v by %s", got.Verdict, got.Rule)
		}
	})
	t.Run("an approved draft waits anew", func(t *testing.T) {
		d := succeed(t)(draft(t).Approve(Answer{By: "ann", At: minute(9), PlanDigest: hash("plan")}))
		d = succeed(t)(d.Reject("ann", minute(15), "a4"))
		if want := minute(25); d.ExpiresAt != want {
			t.Errorf("it waits until %s, want %s", d.ExpiresAt.Format(time.TimeOnly), want.Format(time.TimeOnly))
		}
	})
}
