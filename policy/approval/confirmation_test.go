package approval

import (
	"errors"
	"slices"
	"testing"

	"errand/planner/message"
	"errand/policy"
)

// destructive is the draft of terms with destructive actions.
func destructive(t testing.TB, ids ...string) Draft {
	t.Helper()
	all := terms()
	for i, a := range all.Actions {
		all.Actions[i].Destructive = slices.Contains(ids, a.ActionID)
	}
	return succeed(t)(Propose("d1", all, t0))
}

func confirming(a Answer, ids ...string) Answer {
	a.Confirmed = ids
	return a
}

// TestConfirmation approves drafts with destructive actions among others.
func TestConfirmation(t *testing.T) {
	alone := terms()
	alone.Actions, alone.Modules = alone.Actions[:1], nil
	alone.Actions[0].Destructive = true
	rejected := succeed(t)(destructive(t, "a4").Reject("ann", minute(1), "a1"))
	half := succeed(t)(succeed(t)(succeed(t)(destructive(t, "a4").Approve(yes(1))).Begin(minute(1))).FinishApply([]string{"a1", "a2", "a3"}, message.Message{}, minute(1)))
	tests := []struct {
		name      string
		draft     Draft
		answer    Answer
		approved  []string
		confirmed []string
		missing   []string // of the error
	}{
		{"none is destructive", draft(t), yes(1), []string{"a1", "a2", "a3", "a4"}, nil, nil},
		{"none is destructive, and one is confirmed", draft(t), confirming(yes(1), "a1"), []string{"a1", "a2", "a3", "a4"}, nil, nil},
		{"all but the destructive one", destructive(t, "a4"), yes(1), []string{"a1", "a2", "a3"}, nil, nil},
		{"all but what depends on it", destructive(t, "a2"), yes(1), []string{"a1", "a4"}, nil, nil},
		{"all, and it is confirmed", destructive(t, "a2"), confirming(yes(1), "a2"), []string{"a1", "a2", "a3", "a4"}, []string{"a2"}, nil},
		{"one of two is confirmed", destructive(t, "a1", "a4"), confirming(yes(1), "a4"), []string{"a4"}, []string{"a4"}, nil},
		{"named and not confirmed", destructive(t, "a4"), yes(1, "a4"), nil, nil, []string{"a4"}},
		{"among those that are named", destructive(t, "a4"), yes(1, "a1", "a4"), nil, nil, []string{"a4"}},
		{"another is confirmed", destructive(t, "a1", "a4"), confirming(yes(1, "a1"), "a4"), nil, nil, []string{"a1"}},
		{"named and confirmed", destructive(t, "a4"), confirming(yes(1, "a4"), "a4"), []string{"a4"}, []string{"a4"}, nil},
		{"all are destructive", destructive(t, "a1", "a2", "a3", "a4"), yes(1), nil, nil, []string{"a1", "a2", "a3", "a4"}},
		{"all depend on it", destructive(t, "a1", "a4"), yes(1), nil, nil, []string{"a1", "a4"}},
		{"the only action of its plan", succeed(t)(Propose("d1", alone, t0)), yes(1), []string{"a1"}, nil, nil},
		{"the others are rejected", rejected, yes(2), nil, nil, []string{"a4"}},
		{"the others are done", half, yes(2), nil, nil, []string{"a4"}},
		{"the others are done, and it is confirmed", half, confirming(yes(2), "a4"), []string{"a4"}, []string{"a4"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.draft.Approve(tt.answer)
			var missing *UnconfirmedError
			if errors.As(err, &missing) != (tt.missing != nil) || missing != nil && !slices.Equal(missing.Actions, tt.missing) {
				t.Fatalf("error %v, want one about %v", err, tt.missing)
			}
			if err != nil {
				if got.Approval != nil || got.State != tt.draft.State {
					t.Errorf("refused, and the draft is %s with %+v", got.State, got.Approval)
				}
				return
			}
			if a := got.Approval; !slices.Equal(a.IDs(), tt.approved) || !slices.Equal(a.Confirmed, tt.confirmed) {
				t.Errorf("approved %v and confirmed %v, want %v and %v", a.IDs(), a.Confirmed, tt.approved, tt.confirmed)
			}
			if err := got.Validate(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestCheckConfirmation checks that a call that becomes destructive after its approval is not
// covered, and that one without its own confirmation is not made.
func TestCheckConfirmation(t *testing.T) {
	confirmed := succeed(t)(destructive(t, "a4").Approve(confirming(yes(1), "a4")))
	stripped := confirmed
	a := *confirmed.Approval
	a.Confirmed = nil
	stripped.Approval = &a
	tests := []struct {
		name  string
		draft Draft
		live  bool
		rule  string
	}{
		{"confirmed", confirmed, true, RuleGranted},
		{"confirmed, and it can be undone now", confirmed, false, RuleGranted},
		{"the confirmation is missing", stripped, true, RuleUnconfirmed},
		{"the confirmation is missing, and it can be undone now", stripped, false, RuleUnconfirmed},
		{"shown as one that can be undone", approved(t), true, RuleDrift},
		{"harmless", approved(t), false, RuleGranted},
	}
	for _, tt := range tests {
		c := call("a4")
		c.Destructive = tt.live
		if d := tt.draft.Check(c, minute(2)); d.Rule != tt.rule || (d.Verdict == policy.Allow) != (tt.rule == RuleGranted) {
			t.Errorf("%s: %v by %s, want %s", tt.name, d.Verdict, d.Rule, tt.rule)
		}
	}
}
