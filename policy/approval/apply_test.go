package approval

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/planner/message"
)

// TestSteps tries every transition between states with the public methods.
func TestSteps(t *testing.T) {
	at := func(s State) Draft {
		d := approved(t)
		if d.State = s; s != StateReady && s != StateApplying {
			d.Approval = nil
		}
		return d
	}
	steps := map[State]func(Draft) (Draft, error){
		StateReady:    func(d Draft) (Draft, error) { return d.Approve(yes(1)) },
		StateApplying: func(d Draft) (Draft, error) { return d.Begin(minute(2)) },
		StateApplied: func(d Draft) (Draft, error) {
			return d.FinishApply([]string{"a1", "a2", "a3", "a4"}, message.Message{}, minute(2))
		},
		StateCancelled: func(d Draft) (Draft, error) { return d.Cancel(message.Verbatim("no")) },
		StateBlocked:   func(d Draft) (Draft, error) { return d.Block(message.Verbatim("wait")) },
		StateDraft:     func(d Draft) (Draft, error) { return d.Reopen(t0) },
		StateExpired:   func(d Draft) (Draft, error) { return d.Expire(minute(60)), nil },
	}
	want := map[State]string{
		StateDraft:     "BLOCKED CANCELLED EXPIRED READY",
		StateReady:     "APPLYING BLOCKED CANCELLED DRAFT EXPIRED",
		StateApplying:  "APPLIED BLOCKED CANCELLED",
		StateBlocked:   "CANCELLED DRAFT EXPIRED",
		StateApplied:   "",
		StateCancelled: "",
		StateExpired:   "",
		"":             "",
	}
	for from, expected := range want {
		got := ""
		for _, to := range []State{StateApplied, StateApplying, StateBlocked, StateCancelled, StateDraft, StateExpired, StateReady} {
			after, err := steps[to](at(from))
			switch {
			case err == nil && after.State == to && from != to:
				got += " " + string(to)
			case after.State != from || to != StateExpired && code(err) != "step" && code(err) != string(CodeRequired):
				t.Errorf("%s to %s: now %s, error %v", from, to, after.State, err)
			}
		}
		if got != "" {
			got = got[1:]
		}
		if diff := cmp.Diff(expected, got); diff != "" {
			t.Errorf("steps from %q (-want +got):\n%s", from, diff)
		}
		if from.Final() != (expected == "") {
			t.Errorf("%q.Final() = %v", from, from.Final())
		}
	}
}

func TestExpire(t *testing.T) {
	blocked := succeed(t)(draft(t).Block(message.Verbatim("a parent is not approved")))
	tests := []struct {
		name  string
		draft Draft
		after time.Duration
		want  State
	}{
		{"in time", draft(t), TTL - 1, StateDraft},
		{"S2-H15 at its end", draft(t), TTL, StateExpired},
		{"blocked", blocked, TTL, StateExpired},
		{"with open questions", asking(t, name), TTL, StateExpired},
		{"approved in time", approved(t), TTL + time.Minute - 1, StateReady},
		{"approved, never applied", approved(t), TTL + time.Minute, StateExpired},
		{"being applied", applying(t), 24 * time.Hour, StateApplying},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			now := t0.Add(tt.after)
			if got := tt.draft.Expire(now).State; got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
			if tt.want != StateExpired {
				return
			}
			for name, step := range map[string]func() (Draft, error){
				"reopen": func() (Draft, error) { return tt.draft.Reopen(now) },
				"begin":  func() (Draft, error) { return tt.draft.Begin(now) },
				"revise": func() (Draft, error) { return tt.draft.Revise(terms(), now) },
				"reject": func() (Draft, error) { return tt.draft.Reject("ann", now) },
			} {
				if d, err := step(); !errors.Is(err, ErrExpired) || d.State != StateExpired {
					t.Errorf("%s: %s, %v", name, d.State, err)
				}
			}
		})
	}
}

func TestBegin(t *testing.T) {
	for _, tt := range []struct {
		name  string
		draft Draft
		after int
		code  string
	}{
		{"approved", approved(t), 2, ""},
		{"S0-H35 not approved", draft(t), 1, "approval_required"},
		{"blocked", succeed(t)(draft(t).Block(message.Verbatim("wait"))), 1, "approval_required"},
		{"before the approval, by a clock that was set back", approved(t), 0, "approval_required"},
		{"after the approval's end", approved(t), 11, "expired"},
		{"S2-H16 cancelled", succeed(t)(approved(t).Cancel(message.Verbatim("no"))), 2, "step"},
		{"twice", applying(t), 2, "step"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, err := tt.draft.Begin(minute(tt.after))
			if code(err) != tt.code || (d.State == StateApplying) != (tt.code == "" || tt.name == "twice") {
				t.Errorf("%s, %v; want %q", d.State, err, tt.code)
			}
		})
	}
}

func TestApplied(t *testing.T) {
	rejected := succeed(t)(draft(t).Reject("ann", t0, "a2"))
	rejected = succeed(t)(succeed(t)(rejected.Approve(yes(1))).Begin(minute(2)))
	again := succeed(t)(applying(t, "a1").FinishApply([]string{"a1"}, message.Message{}, minute(3)))
	again = succeed(t)(succeed(t)(again.Approve(yes(4))).Begin(minute(4)))
	tests := []struct {
		name   string
		draft  Draft
		done   []string
		reason string
		code   string
		state  State
		why    string
		want   []string
	}{
		{"all", applying(t), []string{"a1", "a2", "a3", "a4"}, "", "", StateApplied, "", []string{"a1", "a2", "a3", "a4"}},
		{"all, and its program died afterwards", applying(t), []string{"a1", "a2", "a3", "a4"}, "it died", "", StateApplied, "", []string{"a1", "a2", "a3", "a4"}},
		{"a part that was approved", applying(t, "a1"), []string{"a1"}, "", "", StateDraft, "", []string{"a1"}},
		{"the rest of it", again, []string{"a1", "a2", "a3", "a4"}, "", "", StateApplied, "", []string{"a1", "a2", "a3", "a4"}},
		{"all but what was rejected and depends on it", rejected, []string{"a1", "a4"}, "", "", StateApplied, "", []string{"a1", "a4"}},
		{"one failed", applying(t), []string{"a1", "a4"}, "a2: no space", "", StateBlocked, "a2: no space", []string{"a1", "a4"}},
		{"nothing was done", applying(t), nil, "", "", StateBlocked, "approval.incomplete", nil},
		{"what was not approved", applying(t, "a1"), []string{"a1", "a4"}, "", "not_proposed", StateApplying, "", nil},
		{"what does not exist", applying(t), []string{"a9"}, "", "not_proposed", StateApplying, "", nil},
		{"a draft that is not applied", approved(t), nil, "", "step", StateReady, "", nil},
		{"an application without approval", Draft{ID: "d1", State: StateApplying}, nil, "", "step", StateApplying, "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, err := tt.draft.FinishApply(tt.done, message.Verbatim(tt.reason), minute(15))
			if code(err) != tt.code || d.State != tt.state || d.Reason.String() != tt.why {
				t.Fatalf("%s (%s), %v; want %s (%s), %q", d.State, d.Reason, err, tt.state, tt.why, tt.code)
			}
			if diff := cmp.Diff(tt.want, d.Done); diff != "" {
				t.Errorf("done (-want +got):\n%s", diff)
			}
			if tt.code != "" {
				return
			}
			if d.ExpiresAt != minute(25) || d.State != StateApplied && d.Approval != nil {
				t.Errorf("it waits until %s, with approval %v", d.ExpiresAt, d.Approval)
			}
			if err := d.Validate(); err != nil {
				t.Error(err)
			}
		})
	}
	t.Run("only what failed is approved again", func(t *testing.T) {
		d := succeed(t)(applying(t).FinishApply([]string{"a1", "a4"}, message.Verbatim("a2: no space"), minute(3)))
		d = succeed(t)(succeed(t)(d.Reopen(minute(4))).Approve(yes(4)))
		if diff := cmp.Diff([]Binding{terms().Actions[1].binding(), terms().Actions[2].binding()}, d.Approval.Actions); diff != "" {
			t.Errorf("approved (-want +got):\n%s", diff)
		}
	})
}

func TestReopenWaitsForAnswers(t *testing.T) {
	asked := asking(t, name)
	if _, err := asked.Reopen(t0); code(err) != "open_questions" {
		t.Errorf("open questions: %v", err)
	}
	if d, err := succeed(t)(asked.Answer("name", "x", t0)).Reopen(t0); code(err) != "answer_unread" || d.State != StateBlocked {
		t.Errorf("a plan that was not made from the answer: %s, %v", d.State, err)
	}
}

// TestFail checks that a draft has failed when only failed actions are left.
func TestFail(t *testing.T) {
	blocked := func(done ...string) Draft {
		return succeed(t)(applying(t).FinishApply(done, message.Verbatim("no space"), minute(3)))
	}
	part := succeed(t)(applying(t, "a1").FinishApply(nil, message.Verbatim("no space"), minute(3)))
	tests := []struct {
		name   string
		draft  Draft
		failed []string
		want   State
	}{
		{"all that was left", blocked("a1"), blocked("a1").Remaining(), StateFailed},
		{"what the others need", blocked("a4"), []string{"a1"}, StateFailed},
		{"another one is left", blocked(), []string{"a4"}, StateBlocked},
		{"nothing failed", blocked("a1"), nil, StateBlocked},
		{"the others were not approved", part, []string{"a1"}, StateBlocked},
		{"it was done before", succeed(t)(part.Reopen(minute(3))), []string{"a4"}, StateDraft},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, err := tt.draft.Fail(tt.failed...)
			if err != nil || d.State != tt.want || !d.State.Final() == (tt.want == StateFailed) {
				t.Errorf("%s, %v; want %s", d.State, err, tt.want)
			}
			if err := d.Validate(); err != nil {
				t.Error(err)
			}
		})
	}
}
